// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/steady_composition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/tableaus/compositions.hpp"

namespace alembert::integrate {

namespace {

/// Changes of the step that are no sign of anything, and how many steps each further one takes.
constexpr std::uint64_t free_changes = 8, steps_a_change = 100;
/// What a change of the step is more than.
constexpr double same_step = 1e-6;

}  // namespace

SteadyComposition::SteadyComposition(const OdeSystem& system)
    : counted_{system},
      moves_(system, tableaus::composition8, settled_info.name),
      y_whole_(system.n),
      f_whole_(system.n),
      differences_(system.n * n_coefficients) {
  for (Node& node : nodes_) {
    node.y.assign(system.n, 0);
    node.f.assign(system.n, 0);
  }
}

bool SteadyComposition::start(double t, std::span<const double> y) {
  ensure(y.size() == counted_.system.n, "the state has another size than the system");
  if (y.data() != nodes_[0].y.data()) std::copy(y.begin(), y.end(), nodes_[0].y.begin());
  last_ = 0;
  nodes_[0].t = t;
  accepted_ = false;
  n_accepted_ = 0;
  return all_finite(nodes_[0].y.data(), y.size()) &&
         counted_.rhs(t, nodes_[0].y.data(), nodes_[0].f.data());
}

Attempt SteadyComposition::attempt(double h, const Tolerances& tolerances) {
  accepted_ = false;
  h_ = h;
  const Node& from = nodes_[last_];
  Node& middle = nodes_[last_ + 1];
  Node& to = nodes_[last_ + 2];
  middle.t = from.t + 0.5 * h;
  if (!moves_.advance(counted_, from.t, h, from.y, from.f, y_whole_, f_whole_) ||
      !moves_.advance(counted_, from.t, 0.5 * h, from.y, from.f, middle.y, middle.f) ||
      !moves_.advance(counted_, middle.t, 0.5 * h, middle.y, middle.f, to.y, to.f) ||
      !all_finite(to.y.data(), to.y.size())) {
    misfits_ = true;
    return {};
  }
  // What is kept is better than that, by 1/255 for short steps; for long ones hardly, so that the
  // whole distance counts.
  ErrorNorm norm;
  const std::uint32_t n = counted_.system.n;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double size = std::max(std::abs(from.y[i]), std::abs(to.y[i]));
    norm.add(i, (y_whole_[i] - to.y[i]) / tolerances.scale(i, size));
  }
  double error = norm.value(n);
  if (last_ == 0) error = std::max(error, error_between(h, tolerances));
  if (!std::isfinite(error)) return {};
  if (error > 1) note_change();
  return {.finite = true, .error = error, .limiting = norm.limiting};
}

/// The dense output of a first step, which has no step before it to lean on, is of a lower order:
/// how far it is off at a quarter of the step.
double SteadyComposition::error_between(double h, const Tolerances& tolerances) {
  const Node& from = nodes_[0];
  if (!moves_.advance(counted_, from.t, 0.25 * h, from.y, from.f, y_whole_, f_whole_))
    return std::numeric_limits<double>::quiet_NaN();
  nodes_[2].t = from.t + h;
  expand(2);
  interpolate_at(from.t + 0.25 * h, 2, f_whole_);
  ErrorNorm norm;
  const std::uint32_t n = counted_.system.n;
  for (std::uint32_t i = 0; i < n; ++i)
    norm.add(i, (f_whole_[i] - y_whole_[i]) / tolerances.scale(i, std::abs(y_whole_[i])));
  return norm.value(n);
}

void SteadyComposition::note_change() {
  ++n_changes_;
  if (n_changes_ > free_changes + n_accepted_ / steps_a_change) misfits_ = true;
}

void SteadyComposition::accept(double t_new) {
  if (settled() && std::abs(h_ - h_accepted_) > same_step * std::abs(h_accepted_)) note_change();
  h_accepted_ = h_;
  nodes_[last_ + 2].t = t_new;
  last_ += 2;
  if (last_ >= most_nodes) {
    std::rotate(nodes_.begin(), nodes_.begin() + 2, nodes_.end());
    last_ -= 2;
  }
  ++n_accepted_;
  accepted_ = true;
  expanded_ = false;
}

/// Divided differences, each node twice, up to the last one.
void SteadyComposition::expand(std::size_t last) {
  const std::size_t count = 2 * (last + 1);
  for (std::size_t i = 0; i < counted_.system.n; ++i) {
    double* const d = &differences_[i * n_coefficients];
    for (std::size_t k = 0; k < count; ++k) d[k] = nodes_[k / 2].y[i];
    for (std::size_t order = 1; order < count; ++order)
      for (std::size_t k = count; k-- > order;) {
        const Node& right = nodes_[k / 2];
        const Node& left = nodes_[(k - order) / 2];
        d[k] = order == 1 && k % 2 == 1 ? right.f[i] : (d[k] - d[k - 1]) / (right.t - left.t);
      }
  }
}

bool SteadyComposition::interpolate(double theta, std::span<double> y) {
  ensure(accepted_, "there is no accepted step to interpolate");
  if (!std::exchange(expanded_, true)) expand(last_);
  const double t_old = nodes_[last_ - 2].t;
  interpolate_at(t_old + theta * (nodes_[last_].t - t_old), last_, y);
  return true;
}

void SteadyComposition::interpolate_at(double t, std::size_t last, std::span<double> y) const {
  const std::size_t count = 2 * (last + 1);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double* const d = &differences_[i * n_coefficients];
    double value = d[count - 1];
    for (std::size_t k = count - 1; k-- > 0;) value = d[k] + (t - nodes_[k / 2].t) * value;
    y[i] = value;
  }
}

void SteadyComposition::exchange(Archive& archive) {
  archive(last_, h_, h_accepted_, n_accepted_, n_changes_, misfits_);
  if (last_ >= most_nodes) throw Error("I012", "the checkpoint is damaged.");
  for (Node& node : nodes_) archive(node.t, node.y, node.f);
  accepted_ = false;
}

}  // namespace alembert::integrate
