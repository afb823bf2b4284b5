// SPDX-License-Identifier: Apache-2.0
// Stage: visual. A line of data as the few points that show.
// In: axes and data, perhaps a million points. Out: points on the page in pieces between gaps, such
// that the path through them stays within a fraction of a hair's breadth of the path through all.
// One pass, by the cone of directions that still pass all points left out (Sklansky and Gonzalez,
// Pattern Recognition 12, 1980).
#pragma once

#include <vector>

#include "alembert/visual/axis.hpp"

namespace alembert::visual {

std::vector<std::vector<Point>> visible_path(const Axes& axes, const std::vector<double>& x,
                                             const std::vector<double>& y);

}  // namespace alembert::visual
