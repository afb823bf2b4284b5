// SPDX-License-Identifier: Apache-2.0
// Stage: visual. The picture of a run when no one says how it should look.
// In: a Trajectory and names of variables. Out: a Figure over time; variables of like size share a
// panel, others are stacked.
#pragma once

#include <span>
#include <string>

#include "alembert/result/trajectory.hpp"
#include "alembert/visual/figure.hpp"

namespace alembert::visual {

/// Error R004 for a name that the result does not have.
Figure figure_over_time(const result::Trajectory& trajectory, std::span<const std::string> names);

/// A path in the plane, with equal axes. Error R004 as above.
Figure figure_of_path(const result::Trajectory& trajectory, const std::string& x,
                      const std::string& y);

}  // namespace alembert::visual
