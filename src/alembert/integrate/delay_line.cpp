// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/delay_line.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::integrate {

void DelayLine::begin(double length) {
  const compile::CompiledModel& model = point_.model();
  const std::size_t n = model.flat().delays.size();
  if (n == 0) return;
  const auto numbers = point_.delays();
  for (std::size_t k = 0; k < n; ++k) {
    if (!(numbers[n + k] >= 0))
      throw Error("I009",
                  "a quantity is delayed by " + number_text(numbers[n + k]) +
                      ", and nothing can be known before it happens. Give a positive delay.",
                  model.flat().delays[k].origin);
    // A delay that vanishes beside the run is looked up in the continued last step.
    const double least = 1e-6 * length;
    if (numbers[n + k] > least && !model.events().stepwise_delays[k])
      shortest_ = std::min(shortest_, numbers[n + k]);
  }
  history_ = DelayHistory({numbers.begin() + static_cast<std::ptrdiff_t>(2 * n), numbers.end()});
  history_.begin(point_.time(), numbers.first(n));
  values_.resize(DelayHistory::n_points * n);
  sent_.assign(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n));
  point_.follow(&history_);
}

void DelayLine::go_on() {
  if (any()) point_.follow(&history_);
}

bool DelayLine::remember(double t_old, double t, FunctionRef<bool(double)> complete) {
  const std::size_t n = history_.size();
  if (n == 0) return true;
  for (std::size_t i = 0; i < DelayHistory::n_points; ++i) {
    if (!complete(t_old + (t - t_old) * double(i) / double(DelayHistory::n_points - 1)))
      return false;
    const auto values = point_.delays().first(n);
    std::copy(values.begin(), values.end(), values_.begin() + static_cast<std::ptrdiff_t>(i * n));
  }
  history_.add(t_old, t, values_);
  return true;
}

void DelayLine::note_arrivals() {
  const std::size_t n = history_.size();
  if (n == 0) return;
  const auto numbers = point_.delays();
  for (std::size_t k = 0; k < n; ++k) {
    if (numbers[k] == sent_[k] || !point_.model().events().stepwise_delays[k]) continue;
    sent_[k] = numbers[k];
    if (numbers[n + k] > 0) arrivals_.insert(point_.time() + numbers[n + k]);
  }
}

double DelayLine::next_arrival() {
  while (!arrivals_.empty() && *arrivals_.begin() <= point_.time())
    arrivals_.erase(arrivals_.begin());
  return arrivals_.empty() ? std::numeric_limits<double>::infinity() : *arrivals_.begin();
}

void DelayLine::exchange(Archive& archive) {
  history_.exchange(archive);
  std::vector<double> arrivals(arrivals_.begin(), arrivals_.end());
  archive(arrivals, values_, sent_, shortest_);
  arrivals_ = std::set<double>(arrivals.begin(), arrivals.end());
}

}  // namespace alembert::integrate
