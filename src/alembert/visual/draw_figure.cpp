// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/draw_figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "alembert/visual/panel_layout.hpp"
#include "alembert/visual/visible_path.hpp"

namespace alembert::visual {
namespace {

using namespace spacing;

constexpr double page_margin = 10;
constexpr double panel_gap = 18;
constexpr std::size_t most_lone_points = 5000;  // of a line

const Pen axis_pen = {palette::axis, 0.7};
const Pen grid_pen = {palette::grid, 0.6};

void draw_grid(Canvas& canvas, const PanelLayout& layout) {
  const Rect& plot = layout.plot;
  for (const Tick& tick : layout.x_ticks.ticks) {
    const double x = layout.axes.x.to_page(tick.at);
    if (!tick.label.empty()) canvas.segment({x, plot.y}, {x, plot.bottom()}, grid_pen);
  }
  for (const Tick& tick : layout.y_ticks.ticks) {
    const double y = layout.axes.y.to_page(tick.at);
    if (!tick.label.empty()) canvas.segment({plot.x, y}, {plot.right(), y}, grid_pen);
  }
}

void draw_guides(Canvas& canvas, const Panel& panel, const PanelLayout& layout) {
  const Rect& plot = layout.plot;
  for (const Guide& guide : panel.guides) {
    const bool horizontal = guide.along == Guide::Along::x;
    const Axis& axis = horizontal ? layout.axes.y : layout.axes.x;
    if (!axis.shows(guide.at)) continue;
    const double at = axis.to_page(guide.at);
    const Pen pen = {guide.colour, 0.9, guide.stroke};
    if (horizontal)
      canvas.segment({plot.x, at}, {plot.right(), at}, pen);
    else
      canvas.segment({at, plot.y}, {at, plot.bottom()}, pen);
  }
}

// A line that changes its colour is drawn in pieces that overlap by a point, so that no seam shows.
void draw_turning_line(Canvas& canvas, const std::vector<Point>& path, const Colour& from,
                       const Colour& to, const Line& line) {
  constexpr std::size_t n_pieces = 96;
  const std::size_t per_piece = std::max<std::size_t>(1, (path.size() + n_pieces - 1) / n_pieces);
  for (std::size_t first = 0; first + 1 < path.size(); first += per_piece) {
    const std::size_t count = std::min(per_piece + 1, path.size() - first);
    const double share = (static_cast<double>(first) + 0.5 * static_cast<double>(count)) /
                         static_cast<double>(path.size());
    canvas.polyline(std::span(path).subspan(first, count),
                    {mix(from, to, std::min(share, 1.0)), line.width, line.stroke});
  }
}

void draw_shape(Canvas& canvas, Shape shape, Point at, double size, const Colour& colour) {
  const double r = 0.5 * size;
  switch (shape) {
    case Shape::disc:
      // The white rim keeps a point apart from the line it lies on.
      canvas.disc(at, r + 0.8, palette::white);
      canvas.disc(at, r, colour);
      break;
    case Shape::ring: canvas.ring(at, r, {colour, 1.4}, palette::white); break;
    case Shape::square: canvas.rectangle({at.x - r, at.y - r, size, size}, colour); break;
    case Shape::cross:
      for (const Pen& pen : {Pen{palette::white, 3.6}, Pen{colour, 1.8}}) {
        canvas.segment({at.x - r, at.y - r}, {at.x + r, at.y + r}, pen);
        canvas.segment({at.x - r, at.y + r}, {at.x + r, at.y - r}, pen);
      }
      break;
  }
}

// A tile is drawn half a point larger, so that no seam shows between neighbours.
void draw_tiles(Canvas& canvas, const Panel& panel, const PanelLayout& layout) {
  for (const Tile& tile : panel.tiles) {
    const Point a = layout.axes.to_page(tile.x_low, tile.y_high);
    const Point b = layout.axes.to_page(tile.x_high, tile.y_low);
    canvas.rectangle({a.x, a.y, b.x - a.x + 0.5, b.y - a.y + 0.5}, tile.colour);
  }
}

void draw_bands(Canvas& canvas, const Panel& panel, const PanelLayout& layout) {
  std::vector<Point> upper, outline;
  for (const Band& band : panel.bands) {
    const auto fill = [&] {
      outline.insert(outline.end(), upper.rbegin(), upper.rend());
      canvas.polygon(outline, band.colour);
      outline.clear();
      upper.clear();
    };
    for (std::size_t i = 0; i < band.x.size(); ++i) {
      const bool shown = layout.axes.x.shows(band.x[i]) && layout.axes.y.shows(band.low[i]) &&
                         layout.axes.y.shows(band.high[i]);
      if (!shown) {
        fill();
        continue;
      }
      outline.push_back(layout.axes.to_page(band.x[i], band.low[i]));
      upper.push_back(layout.axes.to_page(band.x[i], band.high[i]));
    }
    fill();
  }
}

void draw_data(Canvas& canvas, const Panel& panel, const PanelLayout& layout) {
  const std::vector<Colour> colours = series_colours(panel);
  const std::vector<Stroke> strokes = series_strokes(panel);
  canvas.push_clip(layout.plot);
  draw_tiles(canvas, panel, layout);
  draw_bands(canvas, panel, layout);
  draw_guides(canvas, panel, layout);
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    const Line& line = panel.lines[i];
    const auto paths = visible_path(layout.axes, line.x, line.y);
    for (const auto& path : paths) {
      // A point between gaps has no line; where there are too many of them they are noise.
      if (path.size() == 1 && paths.size() <= most_lone_points)
        canvas.disc(path[0], 1.2 * line.width, colours[i]);
      else if (line.from_colour)
        draw_turning_line(canvas, path, *line.from_colour, colours[i], line);
      else
        canvas.polyline(path, {colours[i], line.width, strokes[i]});
    }
  }
  canvas.pop_clip();
  // Points are drawn whole where they lie on the edge, and not at all beyond it.
  const Rect& plot = layout.plot;
  const Rect edge = {plot.x - 0.5, plot.y - 0.5, plot.width + 1, plot.height + 1};
  for (std::size_t i = 0; i < panel.points.size(); ++i) {
    const Points& points = panel.points[i];
    for (std::size_t k = 0; k < std::min(points.x.size(), points.y.size()); ++k) {
      if (!layout.axes.x.shows(points.x[k]) || !layout.axes.y.shows(points.y[k])) continue;
      const Point at = layout.axes.to_page(points.x[k], points.y[k]);
      if (edge.contains(at))
        draw_shape(canvas, points.shape, at, points.size, colours[panel.lines.size() + i]);
    }
  }
}

void draw_tick_label(Canvas& canvas, const Tick& tick, const TextStyles& styles, Point anchor,
                     Align horizontal, Align vertical) {
  if (tick.exponent.empty()) {
    canvas.text(anchor, tick.label, styles.tick, horizontal, vertical);
    return;
  }
  const double share = horizontal == Align::middle ? 0.5 : 1.0;
  const double x = anchor.x - share * tick_label_width(canvas, tick, styles);
  canvas.text({x, anchor.y}, tick.label, styles.tick, Align::start, vertical);
  const double height = canvas.cap_height(styles.tick);
  const double top = vertical == Align::start ? anchor.y : anchor.y - 0.5 * height;
  canvas.text({x + canvas.text_width(tick.label, styles.tick) + 0.5, top + 0.35 * height},
              tick.exponent, styles.exponent, Align::start, Align::end);
}

void draw_axes(Canvas& canvas, const PanelLayout& layout, const TextStyles& styles) {
  const Rect& plot = layout.plot;
  canvas.polyline(std::array{Point{plot.x, plot.y}, Point{plot.x, plot.bottom()},
                             Point{plot.right(), plot.bottom()}},
                  axis_pen);
  for (const Tick& tick : layout.x_ticks.ticks) {
    const double x = layout.axes.x.to_page(tick.at);
    const double length = tick.label.empty() ? 0.55 * tick_length : tick_length;
    canvas.segment({x, plot.bottom()}, {x, plot.bottom() + length}, axis_pen);
    if (layout.names_x)
      draw_tick_label(canvas, tick, styles, {x, plot.bottom() + tick_length + tick_gap},
                      Align::middle, Align::start);
  }
  for (const Tick& tick : layout.y_ticks.ticks) {
    const double y = layout.axes.y.to_page(tick.at);
    const double length = tick.label.empty() ? 0.55 * tick_length : tick_length;
    canvas.segment({plot.x, y}, {plot.x - length, y}, axis_pen);
    draw_tick_label(canvas, tick, styles, {plot.x - tick_length - tick_gap, y}, Align::end,
                    Align::middle);
  }
  if (!layout.x_label.empty())
    canvas.text({plot.x + 0.5 * plot.width, plot.bottom() + tick_length + tick_gap +
                                                canvas.cap_height(styles.tick) + label_gap},
                layout.x_label, styles.label, Align::middle, Align::start);
  if (!layout.y_label.empty()) {
    double widest = 0;
    for (const Tick& tick : layout.y_ticks.ticks)
      widest = std::max(widest, tick_label_width(canvas, tick, styles));
    canvas.upward_text({plot.x - tick_length - tick_gap - widest - label_gap -
                            0.5 * canvas.cap_height(styles.label),
                        plot.y + 0.5 * plot.height},
                       layout.y_label, styles.label);
  }
}

void draw_legend_entry(Canvas& canvas, const LegendEntry& entry, const TextStyles& styles,
                       Point at) {
  if (entry.line != nullptr) {
    const Line& line = *entry.line;
    const Point middle = {at.x + 0.5 * legend_swatch, at.y}, end = {at.x + legend_swatch, at.y};
    if (line.from_colour)
      canvas.segment(at, middle,
                     {mix(*line.from_colour, entry.colour, 0.4), line.width, entry.stroke});
    canvas.segment(line.from_colour ? middle : at, end, {entry.colour, line.width, entry.stroke});
  } else {
    draw_shape(canvas, entry.points->shape, {at.x + 0.5 * legend_swatch, at.y}, entry.points->size,
               entry.colour);
  }
  canvas.text({at.x + legend_swatch + legend_gap, at.y}, entry.label, styles.legend, Align::start,
              Align::middle);
}

void draw_legend(Canvas& canvas, const PanelLayout& layout, const TextStyles& styles) {
  const double height = line_height(styles.legend);
  if (layout.legend_place == LegendPlace::hidden) return;
  if (layout.legend_place != LegendPlace::above) {
    const Rect& box = layout.legend_box;
    canvas.rectangle(box, palette::white.with_alpha(0.85));
    double y = box.y + legend_padding + 0.5 * canvas.cap_height(styles.legend) + 1;
    for (const LegendEntry& entry : layout.legend) {
      draw_legend_entry(canvas, entry, styles, {box.x + legend_padding, y});
      y += height;
    }
    return;
  }
  const double above = flowing_legend_lines(canvas, layout, styles) * height;
  Point at = {layout.plot.x, layout.plot.y - above - 4 + 0.5 * height};
  for (const LegendEntry& entry : layout.legend) {
    const double width =
        legend_swatch + legend_gap + canvas.text_width(entry.label, styles.legend) + 12;
    if (at.x > layout.plot.x && at.x + width > layout.plot.right())
      at = {layout.plot.x, at.y + height};
    draw_legend_entry(canvas, entry, styles, at);
    at.x += width;
  }
}

void draw_notes(Canvas& canvas, const Panel& panel, const PanelLayout& layout,
                const TextStyles& styles) {
  for (const Note& note : panel.notes) {
    if (!layout.axes.x.shows(note.x) || !layout.axes.y.shows(note.y)) continue;
    TextStyle style = styles.note;
    style.colour = note.colour;
    const std::vector<std::string> lines = wrap_text(canvas, note.text, style, 1e9);
    double width = 0;
    for (const std::string& line : lines) width = std::max(width, canvas.text_width(line, style));
    const double cap = canvas.cap_height(style);
    const double height = static_cast<double>(lines.size() - 1) * line_height(style) + cap;

    const Point at = layout.axes.to_page(note.x, note.y);
    const double across = note.dx > 0 ? 0 : note.dx < 0 ? 1 : 0.5;
    const double down = note.dy > 4 ? 0 : note.dy < -4 ? 1 : 0.5;
    Rect box = {at.x + note.dx - across * width, at.y + note.dy - down * height, width, height};
    // Texts stay inside the plot area, whatever the offset.
    const Rect& plot = layout.plot;
    box.x = std::max(plot.x + 3, std::min(box.x, plot.right() - width - 3));
    box.y = std::max(plot.y + 3, std::min(box.y, plot.bottom() - height - 3));

    if (note.leader) {
      const Point to = {std::clamp(at.x, box.x - 2, box.right() + 2),
                        std::clamp(at.y, box.y - 2, box.bottom() + 2)};
      const double length = std::hypot(to.x - at.x, to.y - at.y);
      if (length > 6) {
        const double skip = 4.5 / length;
        canvas.segment({at.x + skip * (to.x - at.x), at.y + skip * (to.y - at.y)}, to,
                       {note.colour.with_alpha(0.7), 0.7});
      }
    }
    canvas.rectangle({box.x - 2, box.y - 2, box.width + 4, box.height + 4},
                     palette::white.with_alpha(0.8));
    double y = box.y;
    for (const std::string& line : lines) {
      canvas.text({box.x + across * width, y}, line, style,
                  across == 0   ? Align::start
                  : across == 1 ? Align::end
                                : Align::middle,
                  Align::start);
      y += line_height(style);
    }
  }
}

void draw_panel(Canvas& canvas, const Panel& panel, const PanelLayout& layout,
                const TextStyles& styles) {
  double y = layout.cell.y;
  for (const std::string& line : layout.title_lines) {
    canvas.text({layout.plot.x, y}, line, styles.title, Align::start, Align::start);
    y += line_height(styles.title);
  }
  for (const std::string& line : layout.subtitle_lines) {
    canvas.text({layout.plot.x, y}, line, styles.subtitle, Align::start, Align::start);
    y += line_height(styles.subtitle);
  }
  draw_grid(canvas, layout);
  draw_data(canvas, panel, layout);
  draw_axes(canvas, layout, styles);
  draw_legend(canvas, layout, styles);
  draw_notes(canvas, panel, layout, styles);
}

// What the margins leave is shared out by weight, so that the plot areas, not the cells, are in
// proportion.
std::vector<Rect> cells_of(const Figure& figure, const Rect& area,
                           const std::vector<Margins>& margins) {
  const bool in_row = figure.arrangement == Arrangement::row;
  const auto margin = [&](std::size_t i) {
    return in_row ? margins[i].left + margins[i].right : margins[i].top + margins[i].bottom;
  };
  double free = (in_row ? area.width : area.height) -
                panel_gap * static_cast<double>(figure.panels.size() - 1);
  double total = 0;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    free -= margin(i);
    total += figure.panels[i].weight;
  }
  std::vector<Rect> cells;
  double at = in_row ? area.x : area.y;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const double size = margin(i) + std::max(0.0, free) * figure.panels[i].weight / total;
    cells.push_back(in_row ? Rect{at, area.y, size, area.height}
                           : Rect{area.x, at, area.width, size});
    at += size + panel_gap;
  }
  return cells;
}

// Neighbours in a row end at the same heights, those in a column at the same sides.
std::vector<Margins> agreed_margins(const Figure& figure, const std::vector<PanelLayout>& layouts) {
  Margins most;
  for (const PanelLayout& layout : layouts) {
    most.left = std::max(most.left, layout.margins.left);
    most.right = std::max(most.right, layout.margins.right);
    most.top = std::max(most.top, layout.margins.top);
    most.bottom = std::max(most.bottom, layout.margins.bottom);
  }
  std::vector<Margins> agreed;
  for (const PanelLayout& layout : layouts) {
    const Margins& own = layout.margins;
    agreed.push_back(figure.arrangement == Arrangement::row
                         ? Margins{own.left, own.right, most.top, most.bottom}
                         : Margins{most.left, most.right, own.top, own.bottom});
  }
  return agreed;
}

// In a column the panels over the same times need the numbers of x only once, at the foot.
std::vector<bool> panels_that_name_x(const Figure& figure,
                                     const std::vector<PanelLayout>& layouts) {
  std::vector<bool> names(figure.panels.size(), true);
  if (figure.arrangement == Arrangement::row) return names;
  for (std::size_t i = 0; i + 1 < names.size(); ++i)
    names[i] = layouts[i].axes.x.range != layouts[i + 1].axes.x.range ||
               figure.panels[i].equal_axes ||
               figure.panels[i].x_scale != figure.panels[i + 1].x_scale ||
               (!figure.panels[i].x_label.empty() &&
                figure.panels[i].x_label != figure.panels[i + 1].x_label);
  return names;
}

std::vector<PanelLayout> lay_out(const Canvas& canvas, const Figure& figure,
                                 const TextStyles& styles, const Rect& area) {
  std::vector<bool> names_x(figure.panels.size(), true);
  std::vector<Margins> margins(figure.panels.size(), Margins{40, 5, 20, 30});
  std::vector<PanelLayout> layouts;
  // Ticks depend on the plot area, margins on the ticks: a few rounds settle both.
  for (int round = 0; round < 4; ++round) {
    const std::vector<Rect> cells = cells_of(figure, area, margins);
    layouts.clear();
    for (std::size_t i = 0; i < cells.size(); ++i)
      layouts.push_back(
          lay_out_panel(canvas, figure.panels[i], styles, cells[i], margins[i], names_x[i]));
    margins = agreed_margins(figure, layouts);
    if (round == 0) names_x = panels_that_name_x(figure, layouts);
  }
  return layouts;
}

}  // namespace

namespace {

/// Room that long legends take, so that the plot below them stays as high as without them. Letters
/// are about half as wide as high.
double legend_room(const Panel& panel, double width) {
  constexpr double letter = 4.5, line = 12, lines_with_room = 3;
  double lines = 0, x = 0;
  for (const Line& entry : panel.lines) {
    if (entry.label.empty()) continue;
    const double needed = std::min(width, letter * static_cast<double>(entry.label.size()) + 33);
    if (lines == 0 || x + needed > width) {
      ++lines;
      x = 0;
    }
    x += needed;
  }
  return line * std::max(0., lines - lines_with_room);
}

}  // namespace

PageSize page_size(const Figure& figure) {
  const double n = static_cast<double>(std::max<std::size_t>(figure.panels.size(), 1));
  const double scale = figure.font_size / 9;
  PageSize size = figure.arrangement == Arrangement::row
                      ? PageSize{n == 1 ? 430 : 60 + 270 * n, 300}
                      : PageSize{500, 60 + 150 * n};
  if (!figure.title.empty()) size.height += 22;
  const bool in_row = figure.arrangement == Arrangement::row;
  double room = 0;
  for (const Panel& panel : figure.panels) {
    const double needed = legend_room(panel, in_row ? size.width / n - 50 : size.width - 50);
    room = in_row ? std::max(room, needed) : room + needed;
  }
  size.height += room;
  size = {size.width * scale, size.height * scale};
  if (figure.width > 0) size.width = figure.width;
  if (figure.height > 0) size.height = figure.height;
  return size;
}

void draw_figure(Canvas& canvas, const Figure& figure) {
  const TextStyles styles(figure.font_size);
  const PageSize page = page_size(figure);
  Rect area = {page_margin, page_margin, page.width - 2 * page_margin,
               page.height - 2 * page_margin};
  if (!figure.title.empty()) {
    canvas.text({area.x, area.y}, figure.title, styles.figure_title, Align::start, Align::start);
    const double used = line_height(styles.figure_title) + 4;
    area = {area.x, area.y + used, area.width, area.height - used};
  }
  if (figure.panels.empty()) return;
  const std::vector<PanelLayout> layouts = lay_out(canvas, figure, styles, area);
  for (std::size_t i = 0; i < layouts.size(); ++i)
    draw_panel(canvas, figure.panels[i], layouts[i], styles);
}

}  // namespace alembert::visual
