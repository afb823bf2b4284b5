// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/mechanical_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/small_dense.hpp"
#include "alembert/integrate/tableaus/compositions.hpp"

namespace alembert::integrate {

namespace {

constexpr int most_position_steps = 60;
/// What is left, a step later, of how long a gradient has been: one that vanishes is as singular as
/// one that depends on others.
constexpr double memory = compile::MechanicalModel::size_memory;
/// Of a Newton step this long beside the positions, the square is below rounding.
constexpr double last_change = 1e-9;

constexpr MethodInfo made_info(std::string_view name, std::uint32_t order) {
  return {.name = name,
          .order = order,
          .error_order = 0,
          .dense_order = 5,
          .step_choice = StepChoice::fixed};
}

std::vector<double> composition(std::span<const double> half) {
  std::vector<double> weights(half.begin(), half.end());
  for (std::size_t i = half.size() - 1; i-- > 0;) weights.push_back(half[i]);
  return weights;
}

}  // namespace

constinit const MethodInfo rattle_info = made_info("rattle", 2);
constinit const MethodInfo rattle4_info = made_info("rattle4", 4);
constinit const MethodInfo rattle6_info = made_info("rattle6", 6);
constinit const MethodInfo rattle8_info = made_info("rattle8", 8);
constinit const MethodInfo manifold_midpoint_info = made_info("manifold-midpoint", 2);

MechanicalStepper::MechanicalStepper(const MethodInfo& info, const compile::MechanicalModel& model,
                                     const compile::SeriesModel& series,
                                     std::span<const double> constants)
    : ModelStepper(series.n_values()),
      info_(info),
      model_(model),
      constants_(constants),
      point_(model, constants),
      completion_(series, constants, 1e-15, 1) {
  const bool midpoint = &info == &manifold_midpoint_info;
  const std::string name = "the method '" + std::string(info.name) + "' ";
  if (!midpoint && !model.constant_mass)
    throw Error("I010", name +
                            "needs a mass matrix that does not depend on positions or time, and "
                            "here it does. Use manifold-midpoint, or taylor.");
  if (!midpoint && model.forces_know_velocities)
    throw Error("I010", name +
                            "needs forces that do not depend on velocities, and here one does. "
                            "Use manifold-midpoint, or taylor.");
  weights_ = &info == &rattle4_info   ? composition(tableaus::composition4)
             : &info == &rattle6_info ? composition(tableaus::composition6)
             : &info == &rattle8_info ? composition(tableaus::composition8)
                                      : composition(tableaus::verlet);
  const std::size_t n = model.n_positions, m = model.n_constraints;
  for (Vector* values :
       {&q_, &v_, &q_next_, &v_half_, &v_mid_, &momentum_, &work_n_, &spread_, &free_})
    values->resize(n);
  for (Vector* values : {&lambda_, &delta_, &row_sizes_}) values->resize(m);
  matrix_.resize(m * m);
  jacobian_start_.resize(model.jacobian.size());
  row_start_.assign(m + 1, 0);
  for (const auto& entry : model.jacobian) ++row_start_[entry.row + 1];
  for (std::size_t i = 0; i < m; ++i) row_start_[i + 1] += row_start_[i];

  std::vector<char> known(series.n_values(), 0);
  for (const auto* places : {&model.position, &model.velocity, &model.defined})
    for (const std::uint32_t place : *places) known[place] = 1;
  finishes_ = std::ranges::all_of(series.chains(), [&](const auto& chain) {
    return std::all_of(chain.place.begin(), chain.place.end() - 1,
                       [&](std::uint32_t place) { return known[place] != 0; });
  });
}

// ---- forces of the constraints
// ---------------------------------------------------------------

/// momentum -= G^T multipliers
void MechanicalStepper::kick(std::span<const double> jacobian, const Vector& multipliers,
                             Vector& momentum) const {
  for (std::size_t e = 0; e < jacobian.size(); ++e)
    momentum[model_.jacobian[e].column] -= jacobian[e] * multipliers[model_.jacobian[e].row];
}

/// spread_ becomes -M^-1 G^T multipliers.
void MechanicalStepper::push(std::span<const double> jacobian, const Vector& multipliers) {
  std::fill(spread_.begin(), spread_.end(), 0.0);
  kick(jacobian, multipliers, spread_);
  point_.apply_inverse_mass(spread_, spread_);
}

/// scale * (left M^-1 right^T) x = values, in place.
bool MechanicalStepper::solve_for_multipliers(std::span<const double> left,
                                              std::span<const double> right, double scale,
                                              Vector& values) {
  const std::size_t m = values.size();
  std::fill(work_n_.begin(), work_n_.end(), 0.0);
  for (std::size_t k = 0; k < m; ++k) {
    const auto begin = row_start_[k], end = row_start_[k + 1];
    for (auto e = begin; e < end; ++e) {
      const auto column = model_.jacobian[e].column;
      work_n_[column] =
          point_.diagonal_mass() ? point_.inverse_masses()[column] * right[e] : right[e];
    }
    if (!point_.diagonal_mass()) point_.apply_inverse_mass(work_n_, work_n_);
    for (std::size_t i = 0; i < m; ++i) {
      double sum = 0;
      for (auto e = row_start_[i]; e < row_start_[i + 1]; ++e)
        sum += left[e] * work_n_[model_.jacobian[e].column];
      matrix_[i * m + k] = scale * sum;
    }
    if (point_.diagonal_mass())
      for (auto e = begin; e < end; ++e) work_n_[model_.jacobian[e].column] = 0;
    else
      std::fill(work_n_.begin(), work_n_.end(), 0.0);
  }
  ++work_.factorisations;
  return (left.data() == right.data() ? solve_symmetric(values) : solve_dense(matrix_, values)) &&
         all_finite(values);
}

/// matrix_ x = values in place, where it is the product of the gradients with each other: pivots
/// beside the diagonal are squares of sines of angles between them.
bool MechanicalStepper::solve_symmetric(Vector& values) {
  const std::size_t m = values.size();
  double least = 1;
  for (std::size_t k = 0; k < m; ++k)
    row_sizes_[k] = std::max(memory * row_sizes_[k], matrix_[k * m + k]);
  for (std::size_t k = 0; k < m; ++k) {
    const double pivot = matrix_[k * m + k];
    least = std::min(least, pivot / row_sizes_[k]);
    if (!(pivot > 0)) return false;
    const double inverse = 1 / pivot;
    for (std::size_t i = k + 1; i < m; ++i) {
      const double factor = matrix_[i * m + k] * inverse;
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < m; ++j) matrix_[i * m + j] -= factor * matrix_[k * m + j];
      values[i] -= factor * values[k];
    }
  }
  for (std::size_t k = m; k-- > 0;) {
    for (std::size_t j = k + 1; j < m; ++j) values[k] -= matrix_[k * m + j] * values[j];
    values[k] /= matrix_[k * m + k];
  }
  conditioning_ = std::sqrt(least);
  return true;
}

// ---- steps
// ----------------------------------------------------------------------------------------

/// v_half_ becomes the velocity at (t, q_) that the constraints allow; G there is in
/// point_.jacobian().
bool MechanicalStepper::release_velocity(double t) {
  if (point_.gap().empty()) return true;
  if (!point_.evaluate_constraints(t, q_, v_half_)) return false;
  std::copy(point_.gap_rate().begin(), point_.gap_rate().end(), delta_.begin());
  if (!solve_for_multipliers(point_.jacobian(), point_.jacobian(), 1, delta_)) return false;
  push(point_.jacobian(), delta_);
  for (std::size_t i = 0; i < spread_.size(); ++i) v_half_[i] += spread_[i];
  return true;
}

/// From (t, q_, v_), with force_ and point_.jacobian() there, to t + h. The accelerations, where
/// they are known, hold a first value of the constraints' forces: the iteration begins nearer to
/// its end.
bool MechanicalStepper::rattle(double t, double h, bool accelerations_known) {
  const std::size_t n = q_.size(), m = point_.gap().size();
  if (accelerations_known)
    for (std::size_t i = 0; i < n; ++i) v_half_[i] = y_[model_.acceleration[i]];
  else
    point_.apply_inverse_mass(point_.force(), v_half_);
  double size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    v_half_[i] = v_[i] + 0.5 * h * v_half_[i];
    q_next_[i] = q_[i] + h * v_half_[i];
    size = std::max(size, std::abs(q_next_[i]));
  }
  if (m > 0) {
    std::copy(point_.jacobian().begin(), point_.jacobian().end(), jacobian_start_.begin());
    double last = infinity;
    for (int pass = 0;; ++pass) {
      if (pass == most_position_steps || !point_.evaluate_constraints(t + h, q_next_, v_half_))
        return false;
      std::copy(point_.gap().begin(), point_.gap().end(), delta_.begin());
      if (!solve_for_multipliers(point_.jacobian(), jacobian_start_, h, delta_)) return false;
      push(jacobian_start_, delta_);
      double change = 0;
      for (std::size_t i = 0; i < n; ++i) {
        v_half_[i] += spread_[i];
        q_next_[i] = q_[i] + h * v_half_[i];
        change = std::max(change, std::abs(h * spread_[i]));
      }
      // At rounding, or as near to it as this matrix lets it come.
      if (change <= 2 * eps * size || (change < 1e-10 * size && change > 0.25 * last)) break;
      last = change;
    }
  }
  std::swap(q_, q_next_);
  if (!evaluate_forces(t + h, q_, v_half_)) return false;
  point_.apply_inverse_mass(point_.force(), spread_);
  for (std::size_t i = 0; i < n; ++i) v_half_[i] += 0.5 * h * spread_[i];
  if (!release_velocity(t + h)) return false;
  std::swap(v_, v_half_);
  return true;
}

void MechanicalStepper::prepare_kernels() {
  kernels_fit_ = model_.rattle && point_.diagonal_mass();
  if (!kernels_fit_) return;
  const std::size_t n = q_.size(), m = lambda_.size(), entries = model_.jacobian.size();
  onto_.resize(2 + 3 * n + entries);
  moved_.resize(2 * n + 1);
  along_.resize(2 + 4 * n + m);
  turned_.resize(2 * n + entries + m + 1);
  for (std::size_t i = 0; i < n; ++i) {
    onto_[2 + n + i] = along_[2 + n + i] = point_.inverse_masses()[i];
    along_[2 + 3 * n + i] = point_.inverse_masses()[i] * point_.row_factors()[i];
  }
  workspace_ = compile::AlignedDoubles(std::max(model_.rattle.onto.shape().workspace_size,
                                                model_.rattle.along.shape().workspace_size));
}

/// The kernel `along` of model_.rattle; G and M^-1 f there are kept.
void MechanicalStepper::run_second_half(double t, double half, const double* q, const double* v) {
  const std::size_t n = q_.size(), entries = model_.jacobian.size();
  along_[0] = t;
  along_[1] = half;
  std::copy_n(q, n, along_.data() + 2);
  std::copy_n(v, n, along_.data() + 2 + 2 * n);
  std::copy(row_sizes_.begin(), row_sizes_.end(), along_.data() + 2 + 4 * n);
  model_.rattle.along(along_.data(), constants_.data(), turned_.data(), workspace_.data());
  point_.set_jacobian({turned_.data() + n, entries});
  std::copy_n(turned_.data() + n + entries, n, free_.begin());
}

/// The same as `rattle` by compiled halves; where the elimination along the diagonal has no value,
/// as it was before and false.
bool MechanicalStepper::rattle_by_kernels(double t, double h, bool accelerations_known) {
  const std::size_t n = q_.size(), m = lambda_.size();
  double size = 0;
  double* const v = onto_.data() + 2 + 2 * n;
  onto_[0] = t + h;
  onto_[1] = h;
  for (std::size_t i = 0; i < n; ++i) {
    onto_[2 + i] = q_[i];
    v[i] = v_[i] + 0.5 * h * (accelerations_known ? y_[model_.acceleration[i]] : free_[i]);
    size = std::max(size, std::abs(q_[i] + h * v[i]));
  }
  std::copy(point_.jacobian().begin(), point_.jacobian().end(), v + n);
  for (int pass = 0;; ++pass) {
    if (pass == most_position_steps) return false;
    model_.rattle.onto(onto_.data(), constants_.data(), moved_.data(), workspace_.data());
    const double change = moved_.back();
    if (!(change <= std::numeric_limits<double>::max())) return false;
    std::copy_n(moved_.begin(), n, v);
    if (change <= last_change * size) break;
  }
  run_second_half(t + h, 0.5 * h, moved_.data() + n, v);
  if (!(turned_.back() > 0) || !all_finite(std::span(turned_).first(n))) return false;
  work_.rhs_calls += 1;
  work_.factorisations += 1;
  std::copy_n(along_.begin() + 2, n, q_.begin());
  std::copy_n(turned_.begin(), n, v_.begin());
  std::copy_n(turned_.end() - static_cast<std::ptrdiff_t>(m + 1), m, row_sizes_.begin());
  conditioning_ = std::sqrt(std::min(turned_.back(), 1.0));
  return true;
}

/// Half a kick by the constraints, the midpoint rule without them, half a kick: from (t, q_, v_),
/// with point_.jacobian() there, to t + h.
bool MechanicalStepper::midpoint(double t, double h) {
  const std::size_t n = q_.size(), m = point_.gap().size();
  std::copy(point_.jacobian().begin(), point_.jacobian().end(), jacobian_start_.begin());
  if (!point_.evaluate_masses(t, q_)) return false;
  Vector& momentum = spread_;  // at the start, after the half kick
  point_.apply_mass(v_, momentum);
  std::copy(v_.begin(), v_.end(), v_mid_.begin());
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  double size = 0, last = infinity;
  for (const double q : q_) size = std::max(size, std::abs(q));
  for (int pass = 0;; ++pass) {
    if (pass == 4 * most_position_steps) return false;
    for (std::size_t i = 0; i < n; ++i) q_next_[i] = q_[i] + 0.5 * h * v_mid_[i];
    if (!evaluate_forces(t + 0.5 * h, q_next_, v_mid_) ||
        (!model_.constant_mass && !point_.evaluate_masses(t + 0.5 * h, q_next_)))
      return false;
    for (std::size_t i = 0; i < n; ++i) momentum_[i] = momentum[i] + 0.5 * h * point_.force()[i];
    kick(jacobian_start_, lambda_, momentum_);
    point_.apply_inverse_mass(momentum_, v_half_);
    double change = 0;
    if (m > 0) {
      for (std::size_t i = 0; i < n; ++i) q_next_[i] = q_[i] + h * v_half_[i];
      if (!point_.evaluate_constraints(t + h, q_next_, v_half_)) return false;
      std::copy(point_.gap().begin(), point_.gap().end(), delta_.begin());
      if (!solve_for_multipliers(point_.jacobian(), jacobian_start_, h, delta_)) return false;
      for (std::size_t i = 0; i < m; ++i) lambda_[i] += delta_[i];
      std::fill(momentum_.begin(), momentum_.end(), 0.0);
      kick(jacobian_start_, delta_, momentum_);
      point_.apply_inverse_mass(momentum_, work_n_);
      for (std::size_t i = 0; i < n; ++i) v_half_[i] += work_n_[i];
    }
    for (std::size_t i = 0; i < n; ++i)
      change = std::max(change, std::abs(h * (v_half_[i] - v_mid_[i])));
    std::swap(v_half_, v_mid_);
    if (!(change < 1e100)) return false;
    if (change <= 2 * eps * size || (change < 1e-12 * size && change > 0.25 * last)) break;
    last = change;
  }
  for (std::size_t i = 0; i < n; ++i) q_[i] += h * v_mid_[i];
  for (std::size_t i = 0; i < n; ++i) momentum_[i] = momentum[i] + h * point_.force()[i];
  kick(jacobian_start_, lambda_, momentum_);
  if (!point_.evaluate_masses(t + h, q_)) return false;
  point_.apply_inverse_mass(momentum_, v_half_);
  if (!release_velocity(t + h)) return false;
  std::swap(v_, v_half_);
  return all_finite(v_);
}

/// Everything that follows from q_ and v_ at t, which stay as they are.
bool MechanicalStepper::complete(double t, std::span<double> y) {
  const std::span<const double> defined = point_.evaluate_definitions(t, q_, v_);
  const auto enter = [&] {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      y[model_.position[i]] = q_[i];
      y[model_.velocity[i]] = v_[i];
    }
    for (std::size_t k = 0; k < defined.size(); ++k) y[model_.defined[k]] = defined[k];
  };
  enter();
  if (finishes_) return completion_.complete_highest(t, y);
  if (!completion_.complete(t, y)) return false;
  enter();
  return true;
}

void MechanicalStepper::require_form(double t) {
  const std::string why = point_.why_not(t, q_);
  if (!why.empty())
    throw Error("I010", "the method '" + std::string(info_.name) +
                            "' is for mechanics, M(q) q'' = f - G' lambda with g(q) = 0, and " +
                            why + ". Use another method, such as taylor or auto.");
}

bool MechanicalStepper::evaluate_forces(double t, const Vector& q, const Vector& v) {
  ++work_.rhs_calls;
  return point_.evaluate_forces(t, q, v);
}

bool MechanicalStepper::start(double t, std::span<const double> y) {
  t_ = t;
  std::copy(y.begin(), y.end(), y_.begin());
  for (std::size_t i = 0; i < q_.size(); ++i) {
    q_[i] = y_[model_.position[i]];
    v_[i] = y_[model_.velocity[i]];
  }
  if (!checked_) require_form(t);
  checked_ = true;
  evaluated_ = false;
  if (!point_.evaluate_masses(t, q_)) return false;
  prepare_kernels();
  return complete(t, y_);
}

Attempt MechanicalStepper::attempt(double h, const Tolerances&) {
  Attempt attempt;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    q_[i] = y_[model_.position[i]];
    v_[i] = y_[model_.velocity[i]];
  }
  const bool by_midpoint = &info_ == &manifold_midpoint_info;
  const bool known = std::exchange(evaluated_, false);
  if (!known && kernels_fit_ && !by_midpoint) run_second_half(t_, 0, q_.data(), v_.data());
  if (!known && (!kernels_fit_ || by_midpoint) &&
      (!point_.evaluate_constraints(t_, q_, v_) || (!by_midpoint && !evaluate_forces(t_, q_, v_))))
    return attempt;
  const auto substep = [&](double t, double h_part, bool first) {
    if (by_midpoint) return midpoint(t, h_part);
    if (!kernels_fit_) return rattle(t, h_part, first);
    // Where the order of elimination does not serve, another may.
    return rattle_by_kernels(t, h_part, first) ||
           (point_.evaluate_constraints(t, q_, v_) && evaluate_forces(t, q_, v_) &&
            rattle(t, h_part, first) && (point_.apply_inverse_mass(point_.force(), free_), true));
  };
  double part = 0;  // of the step that is behind
  for (const double weight : weights_) {
    const double t = t_ + part * h;
    if (!substep(t, weight * h, part == 0)) {
      failure_ = "the constraints could not be solved for in a step of " + std::to_string(h) +
                 ". Give a shorter step";
      return attempt;
    }
    part += weight;
  }
  std::copy(y_.begin(), y_.end(), y_new_.begin());
  attempt.finite = complete(t_ + h, y_new_);
  return attempt;
}

void MechanicalStepper::accept(double t_new) {
  take(t_new);
  evaluated_ = true;
}

/// All that the next step reads: with gradients, forces or pivots found anew at the same point the
/// last digits would be others.
void MechanicalStepper::exchange(Archive& archive) {
  archive(t_, y_, checked_, evaluated_, conditioning_, row_sizes_, free_);
  point_.exchange(archive);
  completion_.exchange_completion(archive);
  if (archive.reading()) prepare_kernels();
}

/// The polynomial of degree 5 through positions, velocities and accelerations at both ends, then
/// onto the constraints.
bool MechanicalStepper::interpolate(double theta, std::span<double> y) {
  const double h = t_ - t_old_;
  const double s = theta, r = 1 - theta;
  const auto blend = [](double u, double w, double a, double va, double aa) {
    // Of one end: value, slope and curvature times u^3 and its companions; w = 1 - u.
    return u * u * u * (a * (1 + 3 * w + 6 * w * w) - va * (w + 3 * w * w) + 0.5 * aa * w * w);
  };
  std::copy(y_.begin(), y_.end(), y.begin());
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const auto qi = model_.position[i], vi = model_.velocity[i], ai = model_.acceleration[i];
    const auto at = [&](double x) {
      return blend(1 - x, x, y_old_[qi], -h * y_old_[vi], h * h * y_old_[ai]) +
             blend(x, 1 - x, y_[qi], h * y_[vi], h * h * y_[ai]);
    };
    q_[i] = at(s);
    // The slope of the polynomial, exactly, from its six conditions.
    const double d = y_[qi] - y_old_[qi];
    v_[i] = (30 * s * s * r * r * d) / h + y_old_[vi] * r * r * (1 + 2 * s - 15 * s * s) +
            y_[vi] * s * s * (1 + 2 * r - 15 * r * r) +
            0.5 * h * (y_old_[ai] * s * r * r * (2 - 5 * s) - y_[ai] * r * s * s * (2 - 5 * r));
    y[qi] = q_[i];
    y[vi] = v_[i];
  }
  const double t = t_old_ + theta * h;
  const std::span<const double> defined = point_.evaluate_definitions(t, q_, v_);
  for (std::size_t k = 0; k < defined.size(); ++k) y[model_.defined[k]] = defined[k];
  return completion_.complete(t, y);
}

}  // namespace alembert::integrate
