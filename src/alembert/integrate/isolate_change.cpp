// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/isolate_change.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"

namespace alembert::integrate {

double earliest_zero(const Sample& before, const Sample& after, double weight_before,
                     double weight_after) {
  double earliest = infinity;
  for (std::size_t k = 0; k < before.values.size(); ++k) {
    const double a = weight_before * before.values[k], b = weight_after * after.values[k];
    if (!(a * b < 0)) continue;
    earliest = std::min(earliest, before.t + (after.t - before.t) * (a / (a - b)));
  }
  return earliest;
}

double roundings_of_time(double n_eps, const Sample& before, const Sample& after) {
  return n_eps * eps * std::max(std::abs(after.t), after.t - before.t);
}

void isolate_change(Sample& before, Sample& after, Sample& middle, double finest,
                    const ChangeSearch& search) {
  double weight_before = 1, weight_after = 1;
  double width = after.t - before.t;
  for (int pass = 1; after.t - before.t > finest; ++pass) {
    double t = search.secant(weight_before, weight_after);
    if (pass % 3 == 0) {
      if (after.t - before.t > 0.5 * width) t = 0.5 * (before.t + after.t);
      width = after.t - before.t;
    }
    if (!std::isfinite(t)) t = 0.5 * (before.t + after.t);
    t = std::clamp(t, before.t + 0.5 * finest, after.t - 0.5 * finest);
    if (t <= before.t || t >= after.t || !search.look(t, middle)) return;
    if (search.is_after(middle)) {
      std::swap(after, middle);
      weight_after = 1;
      weight_before *= 0.5;
    } else {
      std::swap(before, middle);
      weight_before = 1;
      weight_after *= 0.5;
    }
  }
}

}  // namespace alembert::integrate
