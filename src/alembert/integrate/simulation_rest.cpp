// SPDX-License-Identifier: Apache-2.0
// Motions that come to rest on the surface of a comparison, and go on along it.
#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/simulation.hpp"

namespace alembert::integrate {

double Simulation::scale_of_state(std::size_t state, double value) const {
  return std::max(std::abs(value), absolute_each_[state] / tolerance());
}

bool Simulation::rest_on_surface(double t) {
  if (form_ || start_.event_chart != nullptr || charts_.dynamic() || point_.slides() ||
      !mode_change_.any())
    return false;
  const std::vector<double> held(point_.constants().begin(), point_.constants().end());
  const structure::HybridSystem& hybrid = model_.hybrid();
  for (const structure::Mode& mode : hybrid.modes) {
    if (mode.change_time.valid()) continue;
    for (auto c = mode.first_crossing; c < mode.first_crossing + mode.n_crossings; ++c) {
      // The first of those with the same surface stands for all of them.
      if (hybrid.surfaces[c].crossing == c && rests_on(c, t)) return true;
      std::copy(held.begin(), held.end(), point_.constants().begin());
      point_.enter(t, y_.data());
    }
  }
  return false;
}

bool Simulation::rests_on(std::uint32_t crossing, double t) {
  constexpr double farther = 100;
  const std::optional<Sliding::Beside> beside = place_beside(crossing, t);
  if (!beside) return false;
  const std::vector<double> below = constants_beside(crossing, false);
  const std::vector<double> above = constants_beside(crossing, true);
  if (below == above) return false;
  Sliding near(crossing, below, above, *beside);
  Sliding far(crossing, below, above, {beside->state, beside->slope, farther * beside->width});
  if (!near.leads_back(point_, t, y_) || !far.leads_back(point_, t, y_)) return false;
  const bool agree = near.vanishes_beside(far);
  if (!agree && options_.chattering != Chattering::slide) {
    result_.outcome = Outcome::accumulation;
    reason_ = "each value of " + model_.describe_modes(modes_that_differ(below, above)) +
              " leads to its opposite, and what it decides jumps there. Give the model another way "
              "to go on from here, such as a state of rest, or let it slide along the comparison: "
              "--chattering slide (SimulateOptions::chattering).";
    return false;
  }
  const bool shows = shows_side(near, t);
  go_along(std::move(near));
  if (shows) tell_of_sliding();
  result_.outcome = Outcome::done;
  reason_.clear();
  return true;
}

/// True if anything in the model jumps between the two sides. Leaves the point at (t, y_).
bool Simulation::shows_side(Sliding& sliding, double t) {
  constexpr double clearly = 1e-4;
  std::vector<double> values[2];
  for (const bool second : {false, true}) {
    const auto side = sliding.constants(second);
    std::copy(side.begin(), side.end(), point_.constants().begin());
    point_.complete(t, sliding.states(second));
    values[second].assign(point_.outputs().begin(), point_.outputs().end());
  }
  point_.enter(t, y_.data());
  return !std::ranges::equal(values[0], values[1], [&](double below, double above) {
    return std::abs(above - below) <= clearly * std::max(1.0, std::abs(below));
  });
}

/// By the state that leads away from the surface most, as far as is clear in spite of rounding;
/// none if the point does not lie on the surface.
std::optional<Sliding::Beside> Simulation::place_beside(std::uint32_t crossing, double t) {
  constexpr double little = 1e-6, on_it = 1e-12, clear = 64 * eps;  // parts of a state's scale
  std::vector<double> values(model_.events().modes.shape().n_outputs), moved = y_;
  const auto crossing_at = [&](std::span<const double> y) {
    point_.modes_at(t, y, values);
    return values[model_.hybrid().modes.size() + crossing];
  };
  const double here = crossing_at(y_);
  Sliding::Beside beside;
  double most = 0;  // what the crossing function changes by, as the state does by its scale
  for (std::uint32_t i = 0; i < moved.size(); ++i) {
    const double scale = scale_of_state(i, y_[i]);
    moved[i] = y_[i] + little * scale;
    const double change = (crossing_at(moved) - here) / little;
    moved[i] = y_[i];
    if (!(std::abs(change) > most)) continue;
    most = std::abs(change);
    beside = {i, change / scale, clear * most};
  }
  if (!(std::abs(here) <= on_it * most) || most == 0) return std::nullopt;
  return beside;
}

}  // namespace alembert::integrate
