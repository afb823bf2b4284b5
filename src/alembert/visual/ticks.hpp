// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Where an axis has its ticks and what they are called.
// In: a range and how many ticks there is room for. Out: positions at 1, 2 or 5 times a power of
// ten (or at powers of ten), labels with as many digits as the step needs, and a common power of
// ten for all of them where plain numbers would be long; a number they all are counted from where
// they would differ in the sixth digit only.
#pragma once

#include <string>
#include <vector>

#include "alembert/visual/figure.hpp"

namespace alembert::visual {

struct Tick {
  double at = 0;
  std::string label = {};     ///< empty: a minor tick
  std::string exponent = {};  ///< raised after the label: 10 and -3 for a thousandth
};

struct Ticks {
  std::vector<Tick> ticks;
  int exponent = 0;   ///< labels count in units of 10^exponent
  double origin = 0;  ///< ... from here
  double step = 0;    ///< between neighbours; 0 where it varies
};

/// At most `max_count` ticks inside the range (but two are always allowed, and three where else
/// there would be one), `least_step` or more apart.
Ticks linear_ticks(const Range& range, int max_count, double least_step = 0);

/// Both ends must be positive. Ranges under one decade and a half are labelled within the decade
/// too.
Ticks logarithmic_ticks(const Range& range, int max_count);

}  // namespace alembert::visual
