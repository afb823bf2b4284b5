// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Frames of a scene: planar ones drawn with Cairo, spatial ones with a depth for
// every sample. In: a SceneMotion, the size of the picture. Out: pixels for a video, or a PNG. What
// does not move (paper, grid) is drawn once; frames may be painted by several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alembert/visual/depth_raster.hpp"
#include "alembert/visual/scene_motion.hpp"

namespace alembert::visual {

struct FrameOptions {
  int width = 1920;
  int height = 1080;
  bool dark = false;
  double trace_seconds = -1;  ///< how far back traces go; negative: as each shape says
};

/// What one thread paints in; kept from frame to frame.
struct FrameSpace {
  std::vector<std::uint32_t> pixels = {};  ///< [height][width], each 0x00RRGGBB
  std::optional<DepthRaster> raster = {};  ///< of a spatial scene
};

class ScenePainter {
 public:
  /// `motion` must outlive it.
  ScenePainter(const SceneMotion& motion, const FrameOptions& options);
  ~ScenePainter();
  ScenePainter(const ScenePainter&) = delete;
  ScenePainter& operator=(const ScenePainter&) = delete;

  void paint(std::size_t frame, FrameSpace& space) const;
  std::string png(std::size_t frame) const;
  /// What a frame without shapes looks like, but for its clock.
  const std::vector<std::uint32_t>& paper() const;

 private:
  struct Paper;  // keeps Cairo out of the header
  std::unique_ptr<Paper> paper_;
};

}  // namespace alembert::visual
