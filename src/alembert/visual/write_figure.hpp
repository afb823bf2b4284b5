// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Figures into files: SVG, PNG or PDF, by the ending of the name.
// The same drawing code makes all three. Files appear whole or not at all.
#pragma once

#include <filesystem>
#include <string>

#include "alembert/visual/canvas.hpp"
#include "alembert/visual/figure.hpp"

namespace alembert::visual {

struct RenderOptions {
  double pixels_per_point = 2;  ///< for PNG
};

/// Error R010 for an ending other than .svg, .png, .pdf.
PictureFormat format_by_ending(const std::filesystem::path& path);

/// The bytes of the picture.
std::string render_figure(const Figure& figure, PictureFormat format,
                          const RenderOptions& options = {});

/// Error R010 for an ending other than .svg, .png, .pdf; R015 or R001 for the path.
void write_figure(const Figure& figure, const std::filesystem::path& path,
                  const RenderOptions& options = {});

}  // namespace alembert::visual
