// SPDX-License-Identifier: Apache-2.0
// Stage: visual. A scene in motion as a film. In: a SceneMotion. Out: MP4 (H.264) or GIF, by the
// ending of the name; the file appears whole or not at all. libav is loaded when first needed.
#pragma once

#include <filesystem>
#include <functional>

#include "alembert/visual/scene_motion.hpp"
#include "alembert/visual/scene_painter.hpp"

namespace alembert::visual {

struct VideoOptions {
  FrameOptions frame = {};
  int frames_per_second = 60;  ///< of the film; the motion must have been sampled for it
  /// Told after each frame: how many are done, of how many.
  std::function<void(std::size_t, std::size_t)> progress = {};
};

/// Error R010 for another ending; R014 where libav is missing or fails; R015 and R001 for the path.
void write_video(const SceneMotion& motion, const std::filesystem::path& path,
                 const VideoOptions& options = {});

}  // namespace alembert::visual
