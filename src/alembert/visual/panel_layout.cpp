// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/panel_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/visual/visible_path.hpp"

namespace alembert::visual {
namespace {

using namespace spacing;

// "×10⁻⁶", for the label of an axis whose ticks count in millionths.
std::string power_of_ten(int exponent) {
  static constexpr const char* raised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                           "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = "\u00d710";
  for (char digit : std::to_string(exponent)) text += digit == '-' ? "\u207b" : raised[digit - '0'];
  return text;
}

std::string axis_label(const std::string& label, const Ticks& ticks) {
  std::string text = label;
  if (ticks.origin != 0) {
    const char* const sign = ticks.origin > 0 ? "\u2212 " : "+ ";
    text += (text.empty() ? "" : " ") + (sign + fmt::format("{:.15g}", std::abs(ticks.origin)));
  }
  if (ticks.exponent == 0) return text;
  const std::string power = power_of_ten(ticks.exponent);
  return text.empty() ? power : text + "  (" + power + ")";
}

Ticks make_ticks(const Axis& axis, int max_count, double least_step) {
  return axis.scale == Scale::logarithmic ? logarithmic_ticks(axis.range, max_count)
                                          : linear_ticks(axis.range, max_count, least_step);
}

bool labels_fit(const Canvas& canvas, const Axis& axis, const Ticks& ticks,
                const TextStyles& styles) {
  double end = -infinity;
  for (const Tick& tick : ticks.ticks) {
    if (tick.label.empty()) continue;
    const double half = 0.5 * tick_label_width(canvas, tick, styles), at = axis.to_page(tick.at);
    if (at - half < end + styles.tick.size) return false;
    end = at + half;
  }
  return true;
}

Ticks x_ticks_that_fit(const Canvas& canvas, const Axis& axis, const TextStyles& styles,
                       double least_step = 0) {
  const double length = axis.page_high - axis.page_low;
  int max_count = std::max(2, static_cast<int>(length / (4.6 * styles.tick.size)));
  for (; max_count > 2; --max_count) {
    Ticks ticks = make_ticks(axis, max_count, least_step);
    if (labels_fit(canvas, axis, ticks, styles)) return ticks;
  }
  return make_ticks(axis, 2, least_step);
}

Ticks y_ticks_that_fit(const Axis& axis, const TextStyles& styles, double least_step = 0) {
  const double length = axis.page_low - axis.page_high;
  return make_ticks(axis, std::max(2, static_cast<int>(length / (3.6 * styles.tick.size))),
                    least_step);
}

void choose_ticks(const Canvas& canvas, const Panel& panel, const TextStyles& styles,
                  PanelLayout& layout) {
  layout.x_ticks = x_ticks_that_fit(canvas, layout.axes.x, styles);
  layout.y_ticks =
      y_ticks_that_fit(layout.axes.y, styles, panel.equal_axes ? layout.x_ticks.step : 0);
  // Equal axes have equal grids: squares.
  if (panel.equal_axes && layout.y_ticks.step > layout.x_ticks.step)
    layout.x_ticks = x_ticks_that_fit(canvas, layout.axes.x, styles, layout.y_ticks.step);
}

std::vector<LegendEntry> legend_entries(const Panel& panel) {
  const std::vector<Colour> colours = series_colours(panel);
  const std::vector<Stroke> strokes = series_strokes(panel);
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < panel.lines.size(); ++i)
    if (!panel.lines[i].label.empty())
      entries.push_back({panel.lines[i].label, colours[i], &panel.lines[i], nullptr, strokes[i]});
  for (std::size_t i = 0; i < panel.points.size(); ++i)
    if (!panel.points[i].label.empty())
      entries.push_back(
          {panel.points[i].label, colours[panel.lines.size() + i], nullptr, &panel.points[i]});
  return entries;
}

Rect stacked_legend_size(const Canvas& canvas, const PanelLayout& layout,
                         const TextStyles& styles) {
  double widest = 0;
  for (const LegendEntry& entry : layout.legend)
    widest = std::max(widest, canvas.text_width(entry.label, styles.legend));
  return {.width = legend_swatch + legend_gap + widest + 2 * legend_padding,
          .height = static_cast<double>(layout.legend.size()) * line_height(styles.legend) +
                    2 * legend_padding - 0.4 * styles.legend.size};
}

Rect corner_box(const Rect& size, const Rect& plot, LegendPlace place) {
  const bool right = place == LegendPlace::top_right || place == LegendPlace::bottom_right;
  const bool top = place == LegendPlace::top_right || place == LegendPlace::top_left;
  return {.x = right ? plot.right() - size.width - legend_inset : plot.x + legend_inset,
          .y = top ? plot.y + legend_inset : plot.bottom() - size.height - legend_inset,
          .width = size.width,
          .height = size.height};
}

using Path = std::vector<Point>;

// How many steps along the data fall into the box; lines are followed, not only their points.
std::size_t hidden_data(const Panel& panel, const Axes& axes, const std::vector<Path>& paths,
                        Rect box) {
  constexpr double grow = 3, stride = 2;
  box = {box.x - grow, box.y - grow, box.width + 2 * grow, box.height + 2 * grow};
  std::size_t hidden = 0;
  for (const Path& path : paths)
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Point a = path[i == 0 ? 0 : i - 1], b = path[i];
      const int n =
          std::clamp(static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / stride), 1, 2000);
      for (int k = 1; k <= n; ++k)
        hidden += box.contains({a.x + (b.x - a.x) * k / n, a.y + (b.y - a.y) * k / n}) ? 1 : 0;
    }
  for (const Points& points : panel.points)
    for (std::size_t i = 0; i < std::min(points.x.size(), points.y.size()); ++i)
      if (axes.x.shows(points.x[i]) && axes.y.shows(points.y[i]))
        hidden += box.contains(axes.to_page(points.x[i], points.y[i])) ? 1 : 0;
  for (const Note& note : panel.notes) {
    const Point at = axes.to_page(note.x, note.y);
    hidden += box.contains(at) || box.contains({at.x + note.dx, at.y + note.dy}) ? 1 : 0;
  }
  return hidden;
}

void place_legend(const Canvas& canvas, const Panel& panel, const TextStyles& styles,
                  PanelLayout& layout) {
  layout.legend = legend_entries(panel);
  for (LegendEntry& entry : layout.legend)
    entry.label = shortened(canvas, entry.label, styles.legend,
                            layout.plot.width - legend_swatch - legend_gap - 12);
  layout.legend_place = layout.legend.empty() ? LegendPlace::hidden : panel.legend;
  if (layout.legend_place == LegendPlace::hidden || layout.legend_place == LegendPlace::above)
    return;
  const Rect size = stacked_legend_size(canvas, layout, styles);
  if (layout.legend_place != LegendPlace::automatic) {
    layout.legend_box = corner_box(size, layout.plot, layout.legend_place);
    return;
  }
  layout.legend_place = LegendPlace::above;
  if (size.width > 0.6 * layout.plot.width || size.height > 0.6 * layout.plot.height) return;
  std::vector<Path> paths;
  for (const Line& line : panel.lines)
    for (Path& path : visible_path(layout.axes, line.x, line.y)) paths.push_back(std::move(path));
  for (LegendPlace place : {LegendPlace::top_right, LegendPlace::top_left,
                            LegendPlace::bottom_right, LegendPlace::bottom_left}) {
    const Rect box = corner_box(size, layout.plot, place);
    if (hidden_data(panel, layout.axes, paths, box) > 0) continue;
    layout.legend_place = place;
    layout.legend_box = box;
    return;
  }
}

Margins needed_margins(const Canvas& canvas, const PanelLayout& layout, const TextStyles& styles) {
  Margins needed;
  double widest = 0;
  for (const Tick& tick : layout.y_ticks.ticks)
    widest = std::max(widest, tick_label_width(canvas, tick, styles));
  needed.left = tick_length + tick_gap + widest;
  if (!layout.y_label.empty()) needed.left += label_gap + line_height(styles.label);

  needed.bottom = tick_length;
  if (layout.names_x) needed.bottom += tick_gap + canvas.cap_height(styles.tick) + 3;
  if (!layout.x_label.empty()) needed.bottom += label_gap + canvas.cap_height(styles.label) + 1;

  // The outermost labels of x may stand over the ends of the axis.
  needed.right = 4;
  for (const Tick& tick : layout.x_ticks.ticks) {
    if (!layout.names_x) break;
    const double half = 0.5 * tick_label_width(canvas, tick, styles);
    const double at = layout.axes.x.to_page(tick.at);
    needed.right = std::max(needed.right, at + half - layout.plot.right());
    needed.left = std::max(needed.left, layout.plot.x - (at - half));
  }

  needed.top = 0.5 * styles.tick.size;
  const auto add_lines = [&](std::size_t count, const TextStyle& style) {
    needed.top += static_cast<double>(count) * line_height(style);
  };
  add_lines(layout.title_lines.size(), styles.title);
  add_lines(layout.subtitle_lines.size(), styles.subtitle);
  if (!layout.title_lines.empty() || !layout.subtitle_lines.empty()) needed.top += title_gap;
  if (layout.legend_place == LegendPlace::above)
    needed.top += flowing_legend_lines(canvas, layout, styles) * line_height(styles.legend) + 2;
  return needed;
}

}  // namespace

int flowing_legend_lines(const Canvas& canvas, const PanelLayout& layout,
                         const TextStyles& styles) {
  int lines = 1;
  double x = 0;
  for (const LegendEntry& entry : layout.legend) {
    const double width =
        legend_swatch + legend_gap + canvas.text_width(entry.label, styles.legend) + 12;
    if (x > 0 && x + width > layout.plot.width) {
      ++lines;
      x = 0;
    }
    x += width;
  }
  return lines;
}

TextStyles::TextStyles(double size)
    : figure_title{size * 1.45, true, palette::ink},
      title{size * 1.15, true, palette::ink},
      subtitle{size * 0.95, false, palette::soft_ink},
      label{size, false, palette::ink},
      tick{size * 0.9, false, palette::soft_ink},
      exponent{size * 0.65, false, palette::soft_ink},
      legend{size * 0.95, false, palette::ink},
      note{size * 0.95, false, palette::ink} {}

double line_height(const TextStyle& style) { return 1.35 * style.size; }

double tick_label_width(const Canvas& canvas, const Tick& tick, const TextStyles& styles) {
  double width = canvas.text_width(tick.label, styles.tick);
  if (!tick.exponent.empty()) width += canvas.text_width(tick.exponent, styles.exponent);
  return width;
}

std::vector<std::string> wrap_text(const Canvas& canvas, const std::string& text,
                                   const TextStyle& style, double width) {
  std::vector<std::string> lines;
  std::string line, word;
  const auto end_word = [&] {
    if (word.empty()) return;
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && canvas.text_width(longer, style) > width) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
    word.clear();
  };
  for (char c : text) {
    if (c != ' ' && c != '\n') {
      word += c;
      continue;
    }
    end_word();
    if (c == '\n') lines.push_back(std::exchange(line, {}));
  }
  end_word();
  if (!line.empty()) lines.push_back(line);
  return lines;
}

std::string shortened(const Canvas& canvas, const std::string& text, const TextStyle& style,
                      double width) {
  if (canvas.text_width(text, style) <= width) return text;
  const auto is_inside = [&](std::size_t at) {  // of a character of several bytes
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::string best = "\u2026";
  for (std::size_t low = 0, high = text.size(); low < high;) {
    const std::size_t kept = (low + high + 1) / 2;
    std::size_t head = kept / 2, tail = text.size() - (kept - kept / 2);
    while (is_inside(head)) --head;
    while (is_inside(tail)) ++tail;
    std::string candidate = text.substr(0, head) + "\u2026" + text.substr(tail);
    if (canvas.text_width(candidate, style) <= width) {
      best = std::move(candidate);
      low = kept;
    } else {
      high = kept - 1;
    }
  }
  return best;
}

std::vector<Stroke> series_strokes(const Panel& panel) {
  static constexpr Stroke rounds[] = {Stroke::solid, Stroke::dashed, Stroke::dotted};
  std::vector<Stroke> strokes;
  std::size_t next = 0;
  for (const Line& line : panel.lines) {
    const std::size_t round = line.colour ? 0 : next++ / palette::series.size();
    strokes.push_back(line.stroke == Stroke::solid ? rounds[round % 3] : line.stroke);
  }
  return strokes;
}

std::vector<Colour> series_colours(const Panel& panel) {
  std::vector<Colour> colours;
  std::size_t next = 0;
  const auto take = [&](const std::optional<Colour>& own) {
    colours.push_back(own ? *own : palette::series[next++ % palette::series.size()]);
  };
  for (const Line& line : panel.lines) take(line.colour);
  for (const Points& points : panel.points) take(points.colour);
  return colours;
}

PanelLayout lay_out_panel(const Canvas& canvas, const Panel& panel, const TextStyles& styles,
                          const Rect& cell, const Margins& margins, bool names_x) {
  PanelLayout layout;
  layout.cell = cell;
  layout.plot = {cell.x + margins.left, cell.y + margins.top,
                 std::max(20.0, cell.width - margins.left - margins.right),
                 std::max(20.0, cell.height - margins.top - margins.bottom)};
  layout.axes = make_axes(panel, layout.plot);
  choose_ticks(canvas, panel, styles, layout);
  if (panel.hide_x) layout.x_ticks = {};
  layout.names_x = names_x && !panel.hide_x;
  if (layout.names_x) layout.x_label = axis_label(panel.x_label, layout.x_ticks);
  layout.y_label = axis_label(panel.y_label, layout.y_ticks);
  layout.x_label = shortened(canvas, layout.x_label, styles.label, cell.width);
  layout.y_label = shortened(canvas, layout.y_label, styles.label, cell.height);
  layout.title_lines = wrap_text(canvas, panel.title, styles.title, layout.plot.width);
  layout.subtitle_lines = wrap_text(canvas, panel.subtitle, styles.subtitle, layout.plot.width);
  place_legend(canvas, panel, styles, layout);
  layout.margins = needed_margins(canvas, layout, styles);
  return layout;
}

}  // namespace alembert::visual
