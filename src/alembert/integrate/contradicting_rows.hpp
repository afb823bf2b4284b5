// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Which of some linear equations contradict each other. In: their matrix and what
// is left of them at some point. Out: equations of which a combination says 0 = c with c not zero.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace alembert::integrate {

/// jacobian: [n_rows * n_unknowns], column-major; residuals: [n_rows]. Ascending; empty where the
/// equations have a solution. No equation of the set can be left out: each has a part in it.
std::vector<std::size_t> contradicting_rows(std::span<const double> jacobian,
                                            std::span<const double> residuals);

}  // namespace alembert::integrate
