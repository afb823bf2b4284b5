// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/scene_painter.hpp"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numbers>

#include "alembert/base/error.hpp"
#include "alembert/visual/projection.hpp"
#include "alembert/visual/shape_drawing.hpp"
#include "alembert/visual/solid_shapes.hpp"
#include "alembert/visual/ticks.hpp"

namespace alembert::visual {
namespace {

using Kind = flat::SceneShape::Kind;

constexpr int n_shades = 48;  // of a trace, from the paper's colour to its own

/// A surface over pixels that somebody else owns.
class Sheet {
 public:
  Sheet(std::vector<std::uint32_t>& pixels, const FrameOptions& options)
      : surface_(cairo_image_surface_create_for_data(
            reinterpret_cast<unsigned char*>(pixels.data()), CAIRO_FORMAT_RGB24, options.width,
            options.height, options.width * 4)),
        cr_(cairo_create(surface_)) {
    cairo_select_font_face(cr_, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  }
  ~Sheet() {
    cairo_destroy(cr_);
    cairo_surface_destroy(surface_);
  }
  Sheet(const Sheet&) = delete;
  Sheet& operator=(const Sheet&) = delete;

  cairo_t* cr() const { return cr_; }
  cairo_surface_t* surface() const { return surface_; }

 private:
  cairo_surface_t* surface_;
  cairo_t* cr_;
};

void set_colour(cairo_t* cr, const Colour& c) {
  cairo_set_source_rgba(cr, c.red, c.green, c.blue, c.alpha);
}

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

struct ScenePainter::Paper {
  const SceneMotion& motion;
  FrameOptions options;
  Projection project;
  double unit;  // pixels that a pixel of a picture 1080 high is
  std::vector<std::uint32_t> empty;

  Paper(const SceneMotion& m, const FrameOptions& o)
      : motion(m),
        options(o),
        project(m, o.width, o.height),
        unit(o.height / 1080.),
        empty(static_cast<std::size_t>(o.width) * static_cast<std::size_t>(o.height)) {
    const Sheet sheet(empty, options);
    set_colour(sheet.cr(), paper_colour());
    cairo_paint(sheet.cr());
    draw_grid(sheet.cr());
    if (!motion.title.empty()) {
      set_colour(sheet.cr(), ink());
      cairo_set_font_size(sheet.cr(), 30 * unit);
      cairo_move_to(sheet.cr(), 32 * unit, 92 * unit);
      cairo_show_text(sheet.cr(), motion.title.c_str());
    }
    cairo_surface_flush(sheet.surface());
  }

  Colour paper_colour() const {
    return options.dark ? palette::rgb(23, 27, 33) : palette::rgb(252, 253, 254);
  }
  Colour ink() const {
    return options.dark ? palette::on_dark_paper(palette::soft_ink) : palette::soft_ink;
  }

  /// Faint lines at round numbers, on the plane of the motion or on the ground.
  void draw_grid(cairo_t* cr) const {
    const double size = motion.size();
    const auto ticks = linear_ticks({0, size}, 6);
    const double step = ticks.step > 0 ? ticks.step : size;
    const bool y_up = motion.up == flat::Scene::Up::y;
    const std::size_t b = project.planar() || !y_up ? 1 : 2, c = 3 - b;  // across, and out of it
    const int reach = project.planar() ? 40 : 5;
    const auto at = [&](double u, double v) {
      Vector place{};
      place[0] = u;
      place[b] = v;
      place[c] = project.planar() ? 0 : motion.low[c];
      return project(place).at;
    };
    const auto middle = [&](std::size_t k) {
      return std::round((motion.low[k] + motion.high[k]) / 2 / step) * step;
    };
    set_colour(cr, options.dark ? palette::rgb(40, 46, 55) : palette::rgb(233, 236, 240));
    cairo_set_line_width(cr, std::max(1., 1.5 * unit));
    for (int i = -reach; i <= reach; ++i) {
      const double u = middle(0) + i * step, v = middle(b) + i * step;
      const Point ends[4] = {at(u, middle(b) - reach * step), at(u, middle(b) + reach * step),
                             at(middle(0) - reach * step, v), at(middle(0) + reach * step, v)};
      for (int k = 0; k < 4; k += 2) {
        cairo_move_to(cr, ends[k].x, ends[k].y);
        cairo_line_to(cr, ends[k + 1].x, ends[k + 1].y);
      }
    }
    cairo_stroke(cr);
  }

  Vector place_at(const PlaceTrack& place, std::size_t frame) const {
    return {place[0].at(frame), place[1].at(frame), place[2].at(frame)};
  }

  /// The oldest frame whose place still shows.
  std::size_t first_of_trace(const MovingShape& shape, std::size_t frame) const {
    double seconds = options.trace_seconds >= 0 ? options.trace_seconds : shape.seconds;
    if (seconds == 0 && options.trace_seconds < 0) seconds = 1e300;
    return frame -
           static_cast<std::size_t>(std::min(seconds / motion.step, static_cast<double>(frame)));
  }
  double trace_width() const { return (motion.systems.size() > 4 ? 2 : 4) * unit; }
  Colour faded(const Colour& colour, double share) const {
    return mix(paper_colour(), colour, std::pow(share, 1.2));
  }

  void draw_trace(cairo_t* cr, const MovingShape& shape, std::size_t frame) const {
    const std::size_t first = first_of_trace(shape, frame);
    if (first == frame) return;
    cairo_set_line_width(cr, trace_width());
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    const auto length = static_cast<double>(frame - first);
    for (int shade = 0; shade < n_shades; ++shade) {
      const auto index = [&](int k) {
        return first + static_cast<std::size_t>(length * k / n_shades + 0.5);
      };
      const std::size_t begin = index(shade), end = index(shade + 1);
      if (begin == end) continue;
      set_colour(cr, faded(shape.colour, (shade + 1.) / n_shades));
      for (std::size_t k = begin; k <= end; ++k) {
        const Point at = project(place_at(shape.at, k)).at;
        if (k == begin)
          cairo_move_to(cr, at.x, at.y);
        else
          cairo_line_to(cr, at.x, at.y);
      }
      cairo_stroke(cr);
    }
  }

  void add_trace(const MovingShape& shape, std::size_t frame, DepthRaster& raster) const {
    const std::size_t first = first_of_trace(shape, frame);
    std::vector<Projected> points;
    std::vector<Colour> colours;
    for (std::size_t k = first; k <= frame; ++k) {
      points.push_back(project(place_at(shape.at, k)));
      colours.push_back(faded(shape.colour, static_cast<double>(k - first + 1) /
                                                static_cast<double>(frame - first + 1)));
    }
    add_line(points, colours, trace_width(), raster);
  }

  void draw_clock(cairo_t* cr, std::size_t frame) const {
    char text[64];
    const double step = motion.step * 60;
    const int digits = step < 0.05 ? 4 : 2;
    std::snprintf(text, sizeof text, "t = %.*f s", digits,
                  motion.start + static_cast<double>(frame) * motion.step);
    set_colour(cr, ink());
    cairo_set_font_size(cr, 26 * unit);
    cairo_move_to(cr, 32 * unit, 48 * unit);
    cairo_show_text(cr, text);
  }

  template <class Visit>
  void each_shape(const Visit& visit) const {
    for (const auto& shapes : motion.systems)
      for (const MovingShape& shape : shapes) visit(shape);
  }

  void draw_in_space(std::size_t frame, FrameSpace& space) const {
    if (!space.raster) space.raster.emplace(options.width, options.height);
    DepthRaster& raster = *space.raster;
    raster.clear();
    each_shape([&](const MovingShape& shape) {
      if (shape.kind == Kind::trace)
        add_trace(shape, frame, raster);
      else
        add_solid(shape, frame, project, unit, options.dark, raster);
    });
    raster.draw(space.pixels);
  }

  void draw(std::size_t frame, FrameSpace& space) const {
    space.pixels = empty;
    if (!project.planar()) draw_in_space(frame, space);
    const Sheet sheet(space.pixels, options);
    std::vector<DrawnShape> drawn;
    each_shape([&](const MovingShape& shape) {
      if (project.planar() && shape.kind == Kind::trace) draw_trace(sheet.cr(), shape, frame);
      if (project.planar() || shape.kind == Kind::text)
        outline(shape, frame, project, unit, options.dark, drawn);
    });
    for (const DrawnShape& shape : drawn) draw_shape(sheet.cr(), shape);
    draw_clock(sheet.cr(), frame);
    cairo_surface_flush(sheet.surface());
  }

  static void draw_shape(cairo_t* cr, const DrawnShape& shape) {
    set_colour(cr, shape.colour);
    if (!shape.text.empty()) {
      cairo_set_font_size(cr, shape.width);
      cairo_move_to(cr, shape.points[0].x, shape.points[0].y);
      cairo_show_text(cr, shape.text.c_str());
      return;
    }
    cairo_new_path(cr);
    if (shape.radius > 0) {
      const Point& c = shape.points[0];
      cairo_arc(cr, c.x, c.y, shape.radius, 0, 2 * std::numbers::pi);
      cairo_fill(cr);
      return;
    }
    for (const Point& p : shape.points) cairo_line_to(cr, p.x, p.y);
    if (shape.filled) {
      cairo_close_path(cr);
      cairo_fill(cr);
      return;
    }
    cairo_set_line_width(cr, shape.width);
    cairo_set_line_cap(cr, shape.round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cr);
  }
};

ScenePainter::ScenePainter(const SceneMotion& motion, const FrameOptions& options)
    : paper_(std::make_unique<Paper>(motion, options)) {}

ScenePainter::~ScenePainter() = default;

void ScenePainter::paint(std::size_t frame, FrameSpace& space) const {
  ensure(frame < paper_->motion.n_frames, "a frame of the motion is painted");
  paper_->draw(frame, space);
}

const std::vector<std::uint32_t>& ScenePainter::paper() const { return paper_->empty; }

std::string ScenePainter::png(std::size_t frame) const {
  FrameSpace space;
  paint(frame, space);
  const Sheet sheet(space.pixels, paper_->options);
  std::string bytes;
  cairo_surface_write_to_png_stream(sheet.surface(), append_bytes, &bytes);
  return bytes;
}

}  // namespace alembert::visual
