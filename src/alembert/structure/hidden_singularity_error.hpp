// SPDX-License-Identifier: Apache-2.0
// Stage: structure, for messages. The words of S003: equations that are singular though their
// structure does not show it, and that no repair helped (hidden_singularity.hpp). In: the
// equations, the unknowns that they leave undetermined, and what was tried. Out: the error, which
// shows the equations as the user wrote them.
#pragma once

#include <string_view>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/structure/system_jacobian.hpp"

namespace alembert::structure {

/// Ends the names of unknowns that stand for a combination of derivatives; what is before it is the
/// unknown that was replaced. Messages show that one.
inline constexpr std::string_view substituted = ".substituted";

struct HiddenSingularity {
  JacobianBlock part;
  /// Equations without which it would not be singular; empty if it is singular at every point.
  std::vector<Index> because;
  /// A combination in which the derivatives cancel was tried, and made nothing regular.
  bool combination_failed = false;
};

Error hidden_singularity_error(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                               const StructuralPlan& plan, const HiddenSingularity& found);

}  // namespace alembert::structure
