// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/matrix_figure.hpp"

#include <algorithm>
#include <array>

#include "alembert/result/output_file.hpp"

namespace alembert::visual {
namespace {

constexpr double margin = 12;
constexpr double gap = 28;
constexpr double cell_with_names = 16;
constexpr double largest_map = 520;            // a matrix without names is at most this wide
constexpr std::uint32_t most_with_names = 48;  // rows or columns
constexpr double longest_name = 190;

const TextStyle title_style = {11, true, palette::ink};
const TextStyle heading_style = {9.5, true, palette::ink};
const TextStyle name_style = {8, false, palette::ink};
const TextStyle legend_style = {8, false, palette::soft_ink};
const Pen outline = {palette::vermillion, 1.4};
const Pen frame = {palette::axis, 0.7};
const Pen grid = {palette::grid, 0.5};

struct Layout {
  double cell = 1;
  bool names = false;
  double left = 0;  // room for the names of the rows
  double top = 0;   // room for heading and names of the columns
  double width = 0;
  double height = 0;
};

std::string fitting(const Canvas& canvas, const std::string& name) {
  if (canvas.text_width(name, name_style) <= longest_name) return name;
  std::size_t length = name.size();
  std::string cut;
  do {
    length = length * 9 / 10;
    while (length > 0 && (static_cast<unsigned char>(name[length]) & 0xC0) == 0x80) --length;
    cut = name.substr(0, length) + "...";
  } while (length > 0 && canvas.text_width(cut, name_style) > longest_name);
  return cut;
}

double widest(const Canvas& canvas, const std::vector<std::string>& names) {
  double width = 0;
  for (const std::string& name : names)
    width = std::max(width, canvas.text_width(fitting(canvas, name), name_style));
  return width;
}

Layout layout_of(const Canvas& canvas, const MatrixPicture& matrix) {
  const auto n_rows = static_cast<std::uint32_t>(matrix.row_names.size());
  const auto n_columns = static_cast<std::uint32_t>(matrix.column_names.size());
  const std::uint32_t larger = std::max({n_rows, n_columns, 1u});
  Layout layout;
  layout.names = larger <= most_with_names;
  layout.cell = layout.names ? cell_with_names : largest_map / larger;
  layout.top = 20;
  if (layout.names) {
    layout.left = widest(canvas, matrix.row_names) + 8;
    layout.top += widest(canvas, matrix.column_names) + 8;
  }
  const double cells = layout.cell * std::max(n_columns, 1u);
  layout.width = layout.left + std::max(cells, canvas.text_width(matrix.title, heading_style));
  layout.height = layout.top + layout.cell * std::max(n_rows, 1u);
  return layout;
}

Colour colour_of(MatrixMark::Kind kind) {
  switch (kind) {
    case MatrixMark::Kind::assigned: return palette::blue;
    case MatrixMark::Kind::torn: return palette::orange;
    case MatrixMark::Kind::torn_linear: return palette::green;
    case MatrixMark::Kind::not_linear: return palette::purple;
    case MatrixMark::Kind::at_fault: return palette::vermillion;
    default: return palette::grey;
  }
}

void draw_names(Canvas& canvas, const MatrixPicture& matrix, const Layout& layout, Point corner) {
  for (std::size_t i = 0; i < matrix.row_names.size(); ++i)
    canvas.text({corner.x - 5, corner.y + (static_cast<double>(i) + 0.5) * layout.cell},
                fitting(canvas, matrix.row_names[i]), name_style, Align::end, Align::middle);
  for (std::size_t j = 0; j < matrix.column_names.size(); ++j) {
    const std::string name = fitting(canvas, matrix.column_names[j]);
    const double half = 0.5 * canvas.text_width(name, name_style);
    canvas.upward_text(
        {corner.x + (static_cast<double>(j) + 0.5) * layout.cell, corner.y - 5 - half}, name,
        name_style);
  }
}

void draw_rectangle(Canvas& canvas, const Rect& rect, const Pen& pen) {
  canvas.polyline(std::array<Point, 5>{{{rect.x, rect.y},
                                        {rect.right(), rect.y},
                                        {rect.right(), rect.bottom()},
                                        {rect.x, rect.bottom()},
                                        {rect.x, rect.y}}},
                  pen);
}

void draw_matrix(Canvas& canvas, const MatrixPicture& matrix, const Layout& layout, Point at) {
  const Point corner = {at.x + layout.left, at.y + layout.top};
  const double cell = layout.cell;
  const Rect whole = {corner.x, corner.y, cell * static_cast<double>(matrix.column_names.size()),
                      cell * static_cast<double>(matrix.row_names.size())};
  canvas.text({corner.x, at.y}, matrix.title, heading_style, Align::start, Align::start);
  if (layout.names) {
    for (std::size_t i = 1; i < matrix.row_names.size(); ++i) {
      const double y = corner.y + cell * static_cast<double>(i);
      canvas.segment({corner.x, y}, {whole.right(), y}, grid);
    }
    for (std::size_t j = 1; j < matrix.column_names.size(); ++j) {
      const double x = corner.x + cell * static_cast<double>(j);
      canvas.segment({x, corner.y}, {x, whole.bottom()}, grid);
    }
    draw_names(canvas, matrix, layout, corner);
  }
  for (const MatrixMark& mark : matrix.marks) {
    const Point centre = {corner.x + (mark.column + 0.5) * cell,
                          corner.y + (mark.row + 0.5) * cell};
    if (layout.names) {
      canvas.disc(centre, 0.3 * cell, colour_of(mark.kind));
    } else {
      const double side = std::max(cell, 0.6);
      canvas.rectangle({centre.x - 0.5 * side, centre.y - 0.5 * side, side, side},
                       colour_of(mark.kind));
    }
  }
  draw_rectangle(canvas, whole, frame);
  for (const MatrixBlock& block : matrix.blocks)
    draw_rectangle(canvas,
                   {corner.x + block.first * cell, corner.y + block.first * cell, block.size * cell,
                    block.size * cell},
                   outline);
}

struct Page {
  std::vector<Layout> layouts;
  double width = 0;
  double height = 0;
};

constexpr std::array<std::pair<MatrixMark::Kind, const char*>, 6> legend = {{
    {MatrixMark::Kind::entry, "occurs"},
    {MatrixMark::Kind::not_linear, "occurs, not linearly"},
    {MatrixMark::Kind::assigned, "solved for"},
    {MatrixMark::Kind::torn, "found by iteration (torn)"},
    {MatrixMark::Kind::torn_linear, "found first, from a small linear system (torn)"},
    {MatrixMark::Kind::at_fault, "at fault"},
}};
constexpr const char* outline_text = "solved together";
constexpr const char* axes_text = "rows: equations, columns: unknowns";

bool has_blocks(const MatrixFigure& figure) {
  return std::ranges::any_of(figure.matrices, [](const auto& m) { return !m.blocks.empty(); });
}

bool is_used(const MatrixFigure& figure, MatrixMark::Kind kind) {
  return std::any_of(figure.matrices.begin(), figure.matrices.end(), [&](const auto& matrix) {
    return std::any_of(matrix.marks.begin(), matrix.marks.end(),
                       [&](const MatrixMark& mark) { return mark.kind == kind; });
  });
}

double legend_width(const Canvas& canvas, const MatrixFigure& figure) {
  double width = 0;
  for (const auto& [kind, text] : legend)
    if (is_used(figure, kind)) width += 30 + canvas.text_width(text, legend_style);
  if (has_blocks(figure)) width += 30 + canvas.text_width(outline_text, legend_style);
  return width + canvas.text_width(axes_text, legend_style);
}

Page page_of(const Canvas& canvas, const MatrixFigure& figure) {
  Page page;
  double x = 0;
  for (const MatrixPicture& matrix : figure.matrices) {
    page.layouts.push_back(layout_of(canvas, matrix));
    x += page.layouts.back().width + gap;
    page.height = std::max(page.height, page.layouts.back().height);
  }
  const double title = canvas.text_width(figure.title, title_style);
  page.width = 2 * margin + std::max({x - gap, title, legend_width(canvas, figure), 60.0});
  page.height += 2 * margin + 24 + 24;
  return page;
}

void draw_legend(Canvas& canvas, const MatrixFigure& figure, Point at) {
  for (const auto& [kind, text] : legend) {
    if (!is_used(figure, kind)) continue;
    canvas.disc({at.x + 4, at.y}, 4, colour_of(kind));
    canvas.text({at.x + 12, at.y}, text, legend_style, Align::start, Align::middle);
    at.x += 30 + canvas.text_width(text, legend_style);
  }
  if (has_blocks(figure)) {
    draw_rectangle(canvas, {at.x, at.y - 4, 8, 8}, outline);
    canvas.text({at.x + 12, at.y}, outline_text, legend_style, Align::start, Align::middle);
    at.x += 30 + canvas.text_width(outline_text, legend_style);
  }
  canvas.text(at, axes_text, legend_style, Align::start, Align::middle);
}

}  // namespace

std::string render_matrix_figure(const MatrixFigure& figure, PictureFormat format,
                                 const RenderOptions& options) {
  const Canvas measure(PictureFormat::svg, 1, 1, figure.font, 1);
  const Page page = page_of(measure, figure);
  Canvas canvas(format, page.width, page.height, figure.font, options.pixels_per_point);
  canvas.rectangle({0, 0, page.width, page.height}, palette::white);
  canvas.text({margin, margin}, figure.title, title_style, Align::start, Align::start);
  Point at = {margin, margin + 24};
  for (std::size_t k = 0; k < figure.matrices.size(); ++k) {
    // Bottoms of headings line up: matrices of one figure start at one height.
    double top = 0;
    for (const Layout& layout : page.layouts) top = std::max(top, layout.top);
    Layout layout = page.layouts[k];
    layout.top = top;
    draw_matrix(canvas, figure.matrices[k], layout, at);
    at.x += layout.width + gap;
  }
  draw_legend(canvas, figure, {margin, page.height - margin - 4});
  return canvas.finish();
}

void write_matrix_figure(const MatrixFigure& figure, const std::filesystem::path& path,
                         const RenderOptions& options) {
  const PictureFormat format = format_by_ending(path);
  result::OutputFile file(path);
  file.write(render_matrix_figure(figure, format, options));
  file.commit();
}

}  // namespace alembert::visual
