// SPDX-License-Identifier: Apache-2.0
// Motions along the surfaces of comparisons: where they begin, what they are while events come, and
// where they come to rest.
#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/compile/model/mode_side.hpp"
#include "alembert/integrate/simulation.hpp"
#include "alembert/integrate/small_dense.hpp"

namespace alembert::integrate {

/// What each crossing function changes by, as a state does by its scale; and what it is.
struct Simulation::Slopes {
  std::vector<double> of;  // [n_crossings of interest][n_states]
  std::vector<double> here;
};

bool Simulation::may_slide() const {
  return !form_ && start_.event_chart == nullptr && !charts_.dynamic() && mode_change_.any();
}

/// The crossing function whose zero has changed the mode: of floor and its kind the smaller one.
/// The first of those with the same surface stands for all of them.
std::uint32_t Simulation::crossing_met(std::uint32_t mode) {
  const structure::HybridSystem& hybrid = model_.hybrid();
  const structure::Mode& changed = hybrid.modes[mode];
  std::vector<double> values(model_.events().modes.shape().n_outputs);
  point_.run(model_.events().modes, values);
  const std::span<const double> crossings = std::span(values).subspan(hybrid.modes.size());
  std::uint32_t nearest = changed.first_crossing;
  for (std::uint32_t c = nearest + 1; c < changed.first_crossing + changed.n_crossings; ++c)
    if (std::abs(crossings[c]) < std::abs(crossings[nearest])) nearest = c;
  return hybrid.surfaces[nearest].crossing;
}

void Simulation::note_met(std::span<const std::uint32_t> modes) {
  constexpr double at_once = 1e-6;  // of the run
  const double t = point_.time();
  std::erase_if(met_, [&](const MetSurface& met) {
    return t - met.time > at_once * (options_.stop - options_.start);
  });
  for (const std::uint32_t mode : modes) {
    const auto known = std::ranges::find(met_, mode, &MetSurface::mode);
    if (known == met_.end())
      met_.push_back({mode, t});
    else
      known->time = t;
  }
}

std::vector<std::uint32_t> Simulation::surfaces_met(std::span<const std::uint32_t> undecided) {
  note_met(undecided);
  std::vector<std::uint32_t> found;
  const auto add = [&](std::uint32_t crossing) {
    if (std::ranges::find(found, crossing) == found.end()) found.push_back(crossing);
  };
  for (const std::uint32_t mode : undecided) add(crossing_met(mode));
  for (const MetSurface& met : met_) add(crossing_met(met.mode));
  // What was met a moment ago may lie behind by now.
  keep_those_here(found, point_.time(), states_here(), surface_tolerance());
  return found;
}

std::vector<double> Simulation::states_here() const {
  std::vector<double> y(point_.n_states());
  point_.copy_states(y);
  return y;
}

/// Crossing functions that are zero at the same states, as those of v > 0 and 2*v > 0, have one
/// surface: their gradients are parallel where both are zero.
std::vector<Simulation::Tie> Simulation::tie(std::span<const std::uint32_t> crossings, double t,
                                             std::span<const double> y) {
  constexpr double parallel = 1e-6;
  const Slopes slopes = slopes_of(crossings, t, y);
  const std::size_t n = y.size();
  const auto row = [&](std::size_t k) { return std::span(slopes.of).subspan(k * n, n); };
  std::vector<Tie> ties;
  std::vector<std::size_t> first;  // of each surface
  for (std::size_t k = 0; k < crossings.size(); ++k) {
    Tie found{crossings[k], static_cast<std::uint32_t>(first.size()), 0};
    for (std::uint32_t surface = 0; surface < first.size(); ++surface) {
      const std::span<const double> one = row(first[surface]), other = row(k);
      std::size_t steepest = 0;
      for (std::size_t i = 1; i < n; ++i)
        if (std::abs(one[i]) > std::abs(one[steepest])) steepest = i;
      const double factor = other[steepest] / one[steepest];
      bool is_same = std::isfinite(factor) && factor != 0;
      for (std::size_t i = 0; is_same && i < n; ++i)
        is_same =
            std::abs(other[i] - factor * one[i]) <= parallel * std::abs(factor * one[steepest]);
      if (is_same) found = {crossings[k], surface, factor < 0 ? 1u : 0u};
    }
    if (found.surface == first.size()) first.push_back(k);
    ties.push_back(found);
  }
  return ties;
}

/// Of all modes that change at these surfaces, as they are there. Discrete variables follow them;
/// what was before the event is the same on all sides.
std::vector<double> Simulation::constants_at(std::span<const Tie> ties, Sliding::Corner corner) {
  const structure::HybridSystem& hybrid = model_.hybrid();
  const compile::ConstantLayout& layout = model_.constants();
  const std::vector<double> held(point_.constants().begin(), point_.constants().end());
  for (const Tie& tie : ties) {
    if (tie.surface == Tie::follows) continue;
    const bool above = ((corner >> tie.surface & 1) != 0) != (tie.opposed != 0);
    for (std::size_t k = 0; k < hybrid.modes.size(); ++k) {
      const auto own = compile::crossing_at(hybrid, hybrid.modes[k], tie.crossing);
      if (own == graph::none) continue;
      const bool opposed = hybrid.surfaces[own].opposed != hybrid.surfaces[tie.crossing].opposed;
      point_.constants()[layout.modes + k] = compile::value_beside(
          hybrid, hybrid.modes[k], own, held[layout.modes + k], above != opposed);
    }
  }
  std::vector<double> discretes(model_.flat().discrete_variables.size());
  if (!discretes.empty()) point_.run(model_.events().assignments, discretes);
  std::ranges::copy(discretes,
                    point_.constants().begin() + static_cast<std::ptrdiff_t>(layout.discretes));
  std::vector<double> there(point_.constants().begin(), point_.constants().end());
  std::ranges::copy(held, point_.constants().begin());
  return there;
}

std::vector<std::uint32_t> Simulation::surfaces_of(std::span<const Tie> ties) {
  std::vector<std::uint32_t> first;
  for (const Tie& tie : ties)
    if (tie.surface == first.size()) first.push_back(tie.crossing);
  return first;
}

Sliding Simulation::sliding_along(std::span<const Tie> ties, Sliding::Beside beside, double t,
                                  std::span<const double> y) {
  std::vector<std::uint32_t> surfaces = surfaces_of(ties);
  std::vector<double> constants;
  const std::vector<Sliding::Corner> corners = Sliding::corners(surfaces.size());
  for (const Sliding::Corner corner : corners) {
    const std::vector<double> there = constants_at(ties, corner);
    constants.insert(constants.end(), there.begin(), there.end());
  }
  Sliding sliding(std::move(surfaces), std::move(beside), std::move(constants));
  for (std::size_t c = 0; c < corners.size(); ++c)
    let_follow(ties, sliding, corners[c], t, y, sliding.constants(c));
  return sliding;
}

/// Modes of surfaces that follow are as they are where the corner is looked at.
void Simulation::let_follow(std::span<const Tie> ties, Sliding& sliding, Sliding::Corner corner,
                            double t, std::span<const double> y, std::span<double> constants) {
  if (std::ranges::find(ties, Tie::follows, &Tie::surface) == ties.end()) return;
  const structure::HybridSystem& hybrid = model_.hybrid();
  std::vector<double> there, modes(model_.events().modes.shape().n_outputs);
  sliding.go_beside(point_, t, y, corner, there);
  point_.modes_at(t, there, modes);
  for (const Tie& tie : ties)
    for (std::size_t k = 0; tie.surface == Tie::follows && k < hybrid.modes.size(); ++k)
      if (compile::crossing_at(hybrid, hybrid.modes[k], tie.crossing) != graph::none)
        constants[model_.constants().modes + k] = modes[k];
  point_.enter(t, y.data());
}

bool Simulation::slide_from_here(std::span<const std::uint32_t> undecided) {
  cannot_slide_ = !may_slide();
  return !cannot_slide_ && slide_along(surfaces_met(undecided));
}

bool Simulation::slide_along(std::vector<std::uint32_t> crossings) {
  const std::vector<double> held(point_.constants().begin(), point_.constants().end());
  std::erase_if(crossings, [&](std::uint32_t crossing) {
    const Tie alone{crossing, 0, 0};
    return constants_at({&alone, 1}, 0) == constants_at({&alone, 1}, 1);
  });
  if (crossings.empty() || crossings.size() > Sliding::most_surfaces) return false;
  const double t = point_.time();
  const std::vector<double> y = states_here();
  std::vector<Tie> ties = tie(crossings, t, y);
  const auto look = [&](Sliding& sliding) {
    const std::vector<double> entered(point_.constants().begin(), point_.constants().end());
    sliding.shares(point_, t, y);
    std::ranges::copy(entered, point_.constants().begin());
  };
  Sliding sliding = sliding_along(ties, {}, t, y);
  look(sliding);
  if (!sliding.is_held()) {
    // Some are left to a side, and the others may be slid along.
    const std::vector<Sliding::Place> places = sliding.places();
    if (places.empty()) return false;
    leave_surfaces(ties, places);
    if (!ties.empty()) {
      sliding = sliding_along(ties, {}, t, y);
      look(sliding);
    }
    if (ties.empty() || !sliding.is_held()) {
      std::ranges::copy(held, point_.constants().begin());
      return false;
    }
  }
  go_along(std::move(sliding), ties);
  tell_of_sliding();
  return true;
}

/// Those that are not stayed on are left on their sides, and the rest is numbered anew.
void Simulation::leave_surfaces(std::vector<Tie>& ties, std::span<const Sliding::Place> places) {
  std::vector<Tie> left;
  Sliding::Corner corner = 0;
  std::vector<std::uint32_t> number(places.size());
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] == Sliding::Place::on) number[i] = n++;
    if (places[i] == Sliding::Place::above) corner |= Sliding::Corner{1} << i;
  }
  for (const Tie& tie : ties)
    if (places[tie.surface] != Sliding::Place::on) left.push_back(tie);
  std::ranges::copy(constants_at(left, corner), point_.constants().begin());
  std::erase_if(ties, [&](const Tie& tie) { return places[tie.surface] != Sliding::Place::on; });
  for (Tie& tie : ties) tie.surface = number[tie.surface];
}

void Simulation::tell_of_sliding() {
  const std::string where = model_.describe_modes(ignored_modes_);
  tell_once("slides where " + where,
            "from time " + rounded_text(point_.time()) + " on the run slides where " + where +
                (point_.sliding().crossings().size() > 1 ? " are undecided" : " is undecided"));
}

/// All that have another value at some corner than at the first.
std::vector<std::uint32_t> Simulation::modes_that_differ(Sliding& sliding) const {
  const std::size_t first_mode = model_.constants().modes;
  std::vector<std::uint32_t> found;
  for (std::uint32_t k = 0; k < model_.hybrid().modes.size(); ++k)
    for (std::size_t c = 1; c < sliding.n_corners(); ++c)
      if (sliding.constants(c)[first_mode + k] != sliding.constants(0)[first_mode + k]) {
        found.push_back(k);
        break;
      }
  return found;
}

void Simulation::go_along(Sliding sliding, std::vector<Tie> ties) {
  ties_ = std::move(ties);
  ignored_modes_ = modes_that_differ(sliding);
  point_.slide(std::move(sliding));
  mode_change_.ignore(ignored_modes_);
  make_chart_stepper();
}

void Simulation::end_sliding() {
  const std::vector<double> y = states_here();
  const std::span<const double> shares = point_.sliding_shares(point_.time(), y);
  Sliding::Corner corner = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i] > 0.5) corner |= Sliding::Corner{1} << i;
  slid_along_.clear();
  for (const Tie& tie : ties_)
    if (tie.surface == Tie::follows || (shares[tie.surface] > 0 && shares[tie.surface] < 1))
      slid_along_.push_back(tie.crossing);
  std::vector<double> constants = constants_at(ties_, corner);
  let_follow(ties_, point_.sliding(), corner, point_.time(), y, constants);
  std::vector<Tie> left;
  for (const Tie& tie : ties_)
    if (std::ranges::find(slid_along_, tie.crossing) == slid_along_.end()) left.push_back(tie);
  point_.end_sliding(corner, constants);
  step_off(left, corner);
  // Those that change at surfaces that are still undecided.
  std::erase_if(ignored_modes_, [&](std::uint32_t k) {
    return std::ranges::none_of(slid_along_, [&](std::uint32_t crossing) {
      return compile::crossing_at(model_.hybrid(), model_.hybrid().modes[k], crossing) !=
             graph::none;
    });
  });
  note_met(ignored_modes_);
  ignored_modes_.clear();
  mode_change_.ignore({});
  make_chart_stepper();
}

/// Surfaces that are left are left behind by a little more than rounding, which would say anything
/// of the side there.
void Simulation::step_off(std::span<const Tie> left, Sliding::Corner corner) {
  if (left.empty()) return;
  std::vector<std::uint32_t> crossings;
  for (const Tie& tie : left)
    if (std::ranges::find(left, tie.surface, &Tie::surface)->crossing == tie.crossing)
      crossings.push_back(tie.crossing);
  const double t = point_.time();
  const std::vector<double> y = states_here();
  std::vector<Tie> ties = tie(crossings, t, y);
  const std::optional<Sliding::Beside> beside = place_beside(ties, t, y);
  if (!beside) return;
  Sliding::Corner side = 0;
  for (const Tie& own : ties) {
    if (own.surface == Tie::follows) continue;
    const auto was = std::ranges::find(left, own.crossing, &Tie::crossing);
    const bool above = ((corner >> was->surface & 1) != 0) != (was->opposed != 0);
    if (above) side |= Sliding::Corner{1} << own.surface;
  }
  std::vector<double> there;
  sliding_along(ties, *beside, t, y).go_beside(point_, t, y, side, there);
  point_.enter(t, there.data());
}

void Simulation::resume_sliding() {
  std::vector<std::uint32_t> crossings = std::exchange(slid_along_, {});
  if (crossings.empty() || point_.slides() || !may_slide()) return;
  const std::vector<double> y = states_here();
  keep_those_here(crossings, point_.time(), y, surface_tolerance());
  if (crossings.empty()) return;
  if (options_.chattering == Chattering::slide && slide_along(crossings)) return;
  if (!rest_along(crossings, point_.time(), y)) leave_to_side(crossings, point_.time(), y);
}

/// What moves no more on a surface leads away from it once it is on the right side, however little.
/// False, and nothing changed, if it does not lead away from all of them, or is there already.
bool Simulation::leave_to_side(std::span<const std::uint32_t> crossings, double t,
                               std::span<const double> y) {
  constexpr double on_it = 0.5;
  std::vector<Tie> ties = tie(crossings, t, y);
  const std::optional<Sliding::Beside> beside = place_beside(ties, t, y);
  if (!beside) return false;
  const std::vector<std::uint32_t> surfaces = surfaces_of(ties);
  const std::vector<double> here = slopes_of(surfaces, t, y).here;
  const std::vector<double> held(point_.constants().begin(), point_.constants().end());
  Sliding sliding = sliding_along(ties, *beside, t, y);
  const std::span<const double> shares = sliding.shares(point_, t, y);
  std::ranges::copy(held, point_.constants().begin());
  point_.enter(t, y.data());
  if (!all_finite(shares) || !sliding.differs()) return false;
  Sliding::Corner corner = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!(shares[i] < 0 || shares[i] > 1) || std::abs(here[i]) > on_it * beside->widths[i])
      return false;
    if (shares[i] > 1) corner |= Sliding::Corner{1} << i;
  }
  std::vector<double> there;
  sliding.go_beside(point_, t, y, corner, there);
  std::vector<double> constants = constants_at(ties, corner);
  let_follow(ties, sliding, corner, t, y, constants);
  std::ranges::copy(constants, point_.constants().begin());
  point_.enter(t, there.data());
  return true;
}

double Simulation::scale_of_state(std::size_t state, double value) const {
  if (state < absolute_each_.size())
    return std::max(std::abs(value), absolute_each_[state] / tolerance());
  const double nominal = model_.nominal_of(point_.chart().states[state]);  // before the first leg
  return std::max(std::abs(value), nominal > 0 ? nominal : 1.0);
}

double Simulation::surface_tolerance() const { return 10 * tolerance(); }

Simulation::Slopes Simulation::slopes_of(std::span<const std::uint32_t> crossings, double t,
                                         std::span<const double> y) {
  constexpr double little = 1e-6;  // part of a state's scale
  const std::size_t n_modes = model_.hybrid().modes.size(), n = y.size();
  std::vector<double> values(model_.events().modes.shape().n_outputs);
  std::vector<double> moved(y.begin(), y.end());
  Slopes slopes{std::vector<double>(crossings.size() * n), std::vector<double>(crossings.size())};
  point_.modes_at(t, y, values);
  for (std::size_t k = 0; k < crossings.size(); ++k)
    slopes.here[k] = values[n_modes + crossings[k]];
  for (std::size_t i = 0; i < n; ++i) {
    moved[i] = y[i] + little * scale_of_state(i, y[i]);
    point_.modes_at(t, moved, values);
    moved[i] = y[i];
    for (std::size_t k = 0; k < crossings.size(); ++k)
      slopes.of[k * n + i] = (values[n_modes + crossings[k]] - slopes.here[k]) / little;
  }
  point_.enter(t, y.data());
  return slopes;
}

void Simulation::keep_those_here(std::vector<std::uint32_t>& crossings, double t,
                                 std::span<const double> y, double nearness) {
  const Slopes slopes = slopes_of(crossings, t, y);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < crossings.size(); ++k) {
    double most = 0;
    for (const double slope : std::span(slopes.of).subspan(k * y.size(), y.size()))
      most = std::max(most, std::abs(slope));
    if (std::abs(slopes.here[k]) <= nearness * most) crossings[kept++] = crossings[k];
  }
  crossings.resize(kept);
}

bool Simulation::rest_on_surface(double t) {
  constexpr double on_it = 1e-12;
  if (!may_slide()) return false;
  if (point_.slides()) end_sliding();
  std::vector<std::uint32_t> along = std::exchange(slid_along_, {});
  const structure::HybridSystem& hybrid = model_.hybrid();
  std::vector<std::uint32_t> here;
  for (const structure::Mode& mode : hybrid.modes) {
    if (mode.change_time.valid()) continue;
    // The first of those with the same surface stands for all of them.
    for (auto c = mode.first_crossing; c < mode.first_crossing + mode.n_crossings; ++c)
      if (hybrid.surfaces[c].crossing == c) here.push_back(c);
  }
  keep_those_here(here, t, y_, on_it);
  if (along.empty())
    for (const std::uint32_t crossing : here)
      if (rest_along({&crossing, 1}, t, y_)) return true;
  for (const std::uint32_t crossing : here)
    if (std::ranges::find(along, crossing) == along.end()) along.push_back(crossing);
  if (along.size() > 1 && rest_along(along, t, y_)) return true;
  if (here.empty() || result_.outcome == Outcome::accumulation || !leave_to_side(here, t, y_))
    return false;
  result_.outcome = Outcome::done;
  reason_.clear();
  return true;
}

bool Simulation::rest_along(std::span<const std::uint32_t> crossings, double t,
                            std::span<const double> y) {
  constexpr double farther = 100;
  if (crossings.size() > Sliding::most_surfaces) return false;
  std::vector<Tie> ties = tie(crossings, t, y);
  std::optional<Sliding::Beside> beside = place_beside(ties, t, y);
  if (!beside) return false;
  const std::vector<double> held(point_.constants().begin(), point_.constants().end());
  const auto look = [&](Sliding& sliding) {
    sliding.shares(point_, t, y);
    std::ranges::copy(held, point_.constants().begin());
    point_.enter(t, y.data());
    return sliding.is_held();
  };
  Sliding near = sliding_along(ties, *beside, t, y);
  for (double& width : beside->widths) width *= farther;
  Sliding far = sliding_along(ties, std::move(*beside), t, y);
  if (modes_that_differ(near).empty() || !look(near) || !look(far)) return false;
  const bool agree = near.vanishes_beside(far);
  if (!agree && options_.chattering != Chattering::slide) {
    result_.outcome = Outcome::accumulation;
    reason_ = "each value of " + model_.describe_modes(modes_that_differ(near)) +
              " leads to its opposite, and what it decides jumps there. Give the model another way "
              "to go on from here, such as a state of rest, or let it slide along the comparison: "
              "--chattering slide (SimulateOptions::chattering).";
    return false;
  }
  const bool shows = shows_side(near, t);
  point_.enter(t, y.data());
  go_along(std::move(near), ties);
  if (shows) tell_of_sliding();
  result_.outcome = Outcome::done;
  reason_.clear();
  return true;
}

/// True if anything in the model jumps between corners.
bool Simulation::shows_side(Sliding& sliding, double t) {
  constexpr double clearly = 1e-4;
  const std::vector<double> held(point_.constants().begin(), point_.constants().end());
  std::vector<double> first;
  bool shows = false;
  for (std::size_t c = 0; c < sliding.n_corners(); ++c) {
    std::ranges::copy(sliding.constants(c), point_.constants().begin());
    point_.complete(t, sliding.states(c));
    if (c == 0) first.assign(point_.outputs().begin(), point_.outputs().end());
    shows = shows || !std::ranges::equal(first, point_.outputs(), [&](double one, double other) {
              return std::abs(one - other) <= clearly * std::max(1.0, std::abs(one));
            });
  }
  std::ranges::copy(held, point_.constants().begin());
  return shows;
}

/// By the states that lead away from the surfaces most, another for each, as far as is clear in
/// spite of rounding. Surfaces that depend on others follow them. None where a surface has no
/// place.
std::optional<Sliding::Beside> Simulation::place_beside(std::vector<Tie>& ties, double t,
                                                        std::span<const double> y) {
  constexpr double clear = 64 * eps;  // part of a state's scale
  constexpr double independent = 1e-6;
  // Widths differ, so that what follows does not lie on its surface where others cancel.
  constexpr double growth = 0.27;
  const std::vector<std::uint32_t> surfaces = surfaces_of(ties);
  const std::size_t n_states = y.size();
  const Slopes slopes = slopes_of(surfaces, t, y);
  std::vector<double> left = slopes.of;  // of those before nothing is left
  std::vector<std::uint32_t> number(surfaces.size(), Tie::follows);
  std::vector<std::size_t> chosen;
  Sliding::Beside beside;
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    const std::span<double> row = std::span(left).subspan(k * n_states, n_states);
    double most = 0, size = 0;
    std::uint32_t state = 0;
    for (std::uint32_t i = 0; i < n_states; ++i) {
      size = std::max(size, std::abs(slopes.of[k * n_states + i]));
      if (std::abs(row[i]) > most) most = std::abs(row[i]), state = i;
    }
    if (size == 0) return std::nullopt;
    if (!(most > independent * size)) continue;
    const double wider = 1 + growth * static_cast<double>(chosen.size());
    number[k] = static_cast<std::uint32_t>(chosen.size());
    chosen.push_back(k);
    beside.states.push_back(state);
    beside.widths.push_back(clear * size * wider);
    for (std::size_t later = k + 1; later < surfaces.size(); ++later) {
      const double factor = left[later * n_states + state] / row[state];
      for (std::size_t i = 0; i < n_states; ++i) left[later * n_states + i] -= factor * row[i];
    }
  }
  for (const std::size_t k : chosen)
    for (const std::uint32_t state : beside.states)
      beside.slopes.push_back(slopes.of[k * n_states + state] / scale_of_state(state, y[state]));
  for (Tie& tie : ties) tie.surface = number[tie.surface];
  return beside;
}

}  // namespace alembert::integrate
