// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/canvas.hpp"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::visual {
namespace {

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void set_stroke(cairo_t* cr, const Pen& pen) {
  cairo_set_line_width(cr, pen.width);
  cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(cr, pen.stroke == Stroke::dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  const double w = std::max(pen.width, 0.8);
  const double dashed[] = {4 * w, 2.5 * w}, dotted[] = {0, 2.2 * w};
  switch (pen.stroke) {
    case Stroke::solid: cairo_set_dash(cr, nullptr, 0, 0); break;
    case Stroke::dashed: cairo_set_dash(cr, dashed, 2, 0); break;
    case Stroke::dotted: cairo_set_dash(cr, dotted, 2, 0); break;
  }
}

// Cairo numbers its surfaces through the life of the process; a figure should not show how many
// came before it.
void drop_surface_number(std::string& svg) {
  const std::string_view mark = "<g id=\"surface";
  const std::size_t at = svg.find(mark);
  if (at == std::string::npos) return;
  const std::size_t digits = at + mark.size();
  svg.erase(digits, svg.find('"', digits) - digits);
}

}  // namespace

struct Canvas::Surface {
  PictureFormat format;
  std::string font;
  std::string bytes;
  bool dark = false;
  cairo_surface_t* surface = nullptr;
  cairo_t* cr = nullptr;

  ~Surface() {
    if (cr != nullptr) cairo_destroy(cr);
    if (surface != nullptr) cairo_surface_destroy(surface);
  }

  void set_colour(const Colour& colour) const {
    const Colour c = dark ? palette::on_dark_paper(colour) : colour;
    cairo_set_source_rgba(cr, c.red, c.green, c.blue, c.alpha);
  }
  void set_pen(const Pen& pen) const {
    set_colour(pen.colour);
    set_stroke(cr, pen);
  }
  void use(const TextStyle& style) const {
    cairo_select_font_face(cr, font.c_str(), CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, style.size);
  }
  void check() const {
    ensure(cairo_status(cr) == CAIRO_STATUS_SUCCESS, cairo_status_to_string(cairo_status(cr)));
  }
};

Canvas::Canvas(PictureFormat format, double width, double height, std::string font,
               double pixels_per_point, bool dark)
    : surface_(std::make_unique<Surface>()) {
  Surface& s = *surface_;
  s.format = format;
  s.font = std::move(font);
  s.dark = dark;
  switch (format) {
    case PictureFormat::svg:
      s.surface = cairo_svg_surface_create_for_stream(append_bytes, &s.bytes, width, height);
      cairo_svg_surface_set_document_unit(s.surface, CAIRO_SVG_UNIT_PT);
      break;
    case PictureFormat::pdf:
      s.surface = cairo_pdf_surface_create_for_stream(append_bytes, &s.bytes, width, height);
      // The same figure gives the same bytes: no date of the day.
      cairo_pdf_surface_set_metadata(s.surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                     "2000-01-01T00:00:00Z");
      break;
    case PictureFormat::png:
      s.surface = cairo_image_surface_create(
          CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * pixels_per_point)),
          static_cast<int>(std::lround(height * pixels_per_point)));
      break;
  }
  s.cr = cairo_create(s.surface);
  if (format == PictureFormat::png) cairo_scale(s.cr, pixels_per_point, pixels_per_point);
  // Unhinted metrics: the same layout at every size and in every format.
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(s.cr, options);
  cairo_font_options_destroy(options);
  rectangle({0, 0, width, height}, palette::white);
  s.check();
}

Canvas::~Canvas() = default;

double Canvas::text_width(std::string_view text, const TextStyle& style) const {
  surface_->use(style);
  cairo_text_extents_t extents;
  cairo_text_extents(surface_->cr, std::string(text).c_str(), &extents);
  return extents.x_advance;
}

double Canvas::cap_height(const TextStyle& style) const {
  surface_->use(style);
  cairo_text_extents_t extents;
  cairo_text_extents(surface_->cr, "H", &extents);
  return -extents.y_bearing;
}

void Canvas::text(Point anchor, std::string_view text, const TextStyle& style, Align horizontal,
                  Align vertical) {
  const double width = text_width(text, style), height = cap_height(style);
  const auto share = [](Align align) {
    return align == Align::start ? 0.0 : align == Align::middle ? 0.5 : 1.0;
  };
  cairo_t* cr = surface_->cr;
  surface_->set_colour(style.colour);
  cairo_move_to(cr, anchor.x - share(horizontal) * width,
                anchor.y + (1 - share(vertical)) * height);
  cairo_show_text(cr, std::string(text).c_str());
  cairo_new_path(cr);
}

void Canvas::upward_text(Point centre, std::string_view text, const TextStyle& style) {
  cairo_t* cr = surface_->cr;
  cairo_save(cr);
  cairo_translate(cr, centre.x, centre.y);
  cairo_rotate(cr, -std::numbers::pi / 2);
  this->text({0, 0}, text, style, Align::middle, Align::middle);
  cairo_restore(cr);
}

void Canvas::segment(Point from, Point to, const Pen& pen) { polyline(std::array{from, to}, pen); }

void Canvas::polyline(std::span<const Point> points, const Pen& pen) {
  if (points.empty()) return;
  cairo_t* cr = surface_->cr;
  surface_->set_pen(pen);
  // In an image, Cairo seeks all crossings of a stroke with itself, which takes seconds for a
  // thousand points of noise: short pieces have few. Their ends are round, as corners are.
  constexpr std::size_t short_piece = 32;
  const bool in_pieces = cairo_surface_get_type(cairo_get_target(cr)) == CAIRO_SURFACE_TYPE_IMAGE &&
                         pen.stroke == Stroke::solid && pen.colour.alpha >= 1;
  const std::size_t piece = in_pieces ? short_piece : points.size();
  for (std::size_t first = 0; first == 0 || first + 1 < points.size(); first += piece) {
    cairo_move_to(cr, points[first].x, points[first].y);
    const std::size_t last = std::min(first + piece, points.size() - 1);
    for (std::size_t k = first + 1; k <= last; ++k) cairo_line_to(cr, points[k].x, points[k].y);
    cairo_stroke(cr);
  }
}

void Canvas::polygon(std::span<const Point> corners, const Colour& fill) {
  if (corners.empty()) return;
  cairo_t* cr = surface_->cr;
  cairo_new_path(cr);
  for (const Point& p : corners) cairo_line_to(cr, p.x, p.y);
  cairo_close_path(cr);
  surface_->set_colour(fill);
  cairo_fill(cr);
}

void Canvas::rectangle(const Rect& rect, const Colour& fill) {
  cairo_rectangle(surface_->cr, rect.x, rect.y, rect.width, rect.height);
  surface_->set_colour(fill);
  cairo_fill(surface_->cr);
}

void Canvas::disc(Point centre, double radius, const Colour& fill) {
  cairo_new_path(surface_->cr);
  cairo_arc(surface_->cr, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
  surface_->set_colour(fill);
  cairo_fill(surface_->cr);
}

void Canvas::ring(Point centre, double radius, const Pen& pen, const Colour& fill) {
  disc(centre, radius, fill);
  cairo_new_path(surface_->cr);
  cairo_arc(surface_->cr, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
  cairo_close_path(surface_->cr);
  surface_->set_pen(pen);
  cairo_stroke(surface_->cr);
}

void Canvas::push_clip(const Rect& rect) {
  cairo_save(surface_->cr);
  cairo_rectangle(surface_->cr, rect.x, rect.y, rect.width, rect.height);
  cairo_clip(surface_->cr);
}

void Canvas::pop_clip() { cairo_restore(surface_->cr); }

std::string Canvas::finish() {
  Surface& s = *surface_;
  s.check();
  if (s.format == PictureFormat::png) {
    cairo_surface_write_to_png_stream(s.surface, append_bytes, &s.bytes);
  } else {
    cairo_show_page(s.cr);
    cairo_surface_finish(s.surface);
  }
  ensure(cairo_surface_status(s.surface) == CAIRO_STATUS_SUCCESS,
         cairo_status_to_string(cairo_surface_status(s.surface)));
  if (s.format == PictureFormat::svg) drop_surface_number(s.bytes);
  return std::move(s.bytes);
}

}  // namespace alembert::visual
