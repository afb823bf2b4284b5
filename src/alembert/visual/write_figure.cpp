// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/write_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "alembert/base/error.hpp"
#include "alembert/result/output_file.hpp"
#include "alembert/visual/draw_figure.hpp"

namespace alembert::visual {

PictureFormat format_by_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".svg") return PictureFormat::svg;
  if (ending == ".png") return PictureFormat::png;
  if (ending == ".pdf") return PictureFormat::pdf;
  throw Error("R010",
              fmt::format("'{}' does not say what kind of picture it is: let the name end in "
                          ".svg, .png or .pdf.",
                          path.string()));
}

std::string render_figure(const Figure& figure, PictureFormat format,
                          const RenderOptions& options) {
  const PageSize size = page_size(figure);
  Canvas canvas(format, size.width, size.height, figure.font, options.pixels_per_point,
                figure.dark);
  draw_figure(canvas, figure);
  return canvas.finish();
}

void write_figure(const Figure& figure, const std::filesystem::path& path,
                  const RenderOptions& options) {
  const PictureFormat format = format_by_ending(path);
  result::OutputFile file(path);
  file.write(render_figure(figure, format, options));
  file.commit();
}

}  // namespace alembert::visual
