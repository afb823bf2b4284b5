// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Colours that people with any kind of colour vision can tell apart.
// M. Okabe and K. Ito, Color Universal Design (2008); yellow is left out, as it is lost on white.
#pragma once

#include <array>

namespace alembert::visual {

struct Colour {
  double red = 0, green = 0, blue = 0, alpha = 1;

  constexpr Colour with_alpha(double a) const { return {red, green, blue, a}; }
  friend constexpr bool operator==(const Colour&, const Colour&) = default;
};

/// The colour at fraction t of the way from a to b.
constexpr Colour mix(const Colour& a, const Colour& b, double t) {
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green),
          a.blue + t * (b.blue - a.blue), a.alpha + t * (b.alpha - a.alpha)};
}

namespace palette {

constexpr Colour rgb(int red, int green, int blue) {
  return {red / 255., green / 255., blue / 255.};
}

inline constexpr Colour blue = rgb(0, 114, 178);
inline constexpr Colour vermillion = rgb(213, 94, 0);
inline constexpr Colour green = rgb(0, 158, 115);
inline constexpr Colour purple = rgb(204, 121, 167);
inline constexpr Colour orange = rgb(230, 159, 0);
inline constexpr Colour sky = rgb(86, 180, 233);
inline constexpr Colour black = rgb(0, 0, 0);

inline constexpr Colour white = rgb(255, 255, 255);
inline constexpr Colour ink = rgb(38, 42, 48);        // titles and labels
inline constexpr Colour soft_ink = rgb(92, 98, 107);  // tick labels, subtitles
inline constexpr Colour grey = rgb(150, 155, 163);
inline constexpr Colour axis = rgb(110, 116, 125);
inline constexpr Colour grid = rgb(232, 234, 237);

/// The same on dark paper: neutral colours change places, those of data stay as they are.
constexpr Colour on_dark_paper(const Colour& colour) {
  constexpr std::array<std::array<Colour, 2>, 7> pairs = {{{white, rgb(27, 31, 37)},
                                                           {ink, rgb(230, 233, 238)},
                                                           {soft_ink, rgb(165, 173, 184)},
                                                           {grey, rgb(120, 128, 140)},
                                                           {axis, rgb(140, 148, 160)},
                                                           {grid, rgb(47, 53, 62)},
                                                           {black, rgb(215, 219, 226)}}};
  for (const auto& [light, dark] : pairs)
    if (colour.with_alpha(1) == light) return dark.with_alpha(colour.alpha);
  return colour;
}

/// In the order in which lines take them.
inline constexpr std::array<Colour, 7> series = {blue,   vermillion, green, purple,
                                                 orange, sky,        black};

}  // namespace palette
}  // namespace alembert::visual
