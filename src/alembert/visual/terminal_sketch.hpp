// SPDX-License-Identifier: Apache-2.0
// Stage: visual. A sketch for people who have a terminal only. In: lines of one panel. Out: text of
// braille characters, 2 x 4 dots each, with the ranges of both axes; up to six lines, told apart by
// colour where asked for and by a legend.
#pragma once

#include <string>

#include "alembert/visual/figure.hpp"

namespace alembert::visual {

struct SketchOptions {
  int columns = 72;  ///< of the drawing, in characters
  int rows = 16;
  bool colour = false;
};

/// Values that are not finite make gaps; without a finite value it says so.
std::string terminal_sketch(const Panel& panel, const SketchOptions& options = {});

}  // namespace alembert::visual
