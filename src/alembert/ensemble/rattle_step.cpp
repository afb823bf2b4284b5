// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/rattle_step.hpp"

#include "alembert/base/error.hpp"
#include "alembert/compile/model/mechanical_model.hpp"
#include "alembert/ensemble/append_tape.hpp"
#include "alembert/ensemble/linear_elimination.hpp"

namespace alembert::ensemble {

using compile::MechanicalModel;
using compile::no_value;
using compile::Tape;
using compile::TapeBuilder;
using compile::TapeOp;
using compile::ValueId;

namespace {

using Values = std::vector<ValueId>;

/// What is left of kappa after each: its square.
constexpr int n_newton_steps = 4;

void require_separable(const compile::CompiledModel& model, const MechanicalModel& mechanics) {
  if (mechanics.constant_mass && !mechanics.forces_know_velocities) return;
  throw Error("B005",
              "the model '" + model.flat().name + "' has " +
                  (mechanics.constant_mass ? "forces that depend on velocities"
                                           : "a mass matrix that varies") +
                  ", and RATTLE in lanes takes forces of positions alone and constant masses. Use "
                  "rk4 or implicit_midpoint, which keep the constraints by projection.",
              model.flat().origin);
}

/// M q'' = f - B lambda, g = 0, written into one tape.
class Rattle {
 public:
  Rattle(const MechanicalModel& mechanics, TapeBuilder& builder, Pivots pivots, double h)
      : mechanics_(mechanics),
        builder_(builder),
        pivots_(pivots),
        n_(mechanics.n_positions),
        m_(mechanics.n_constraints),
        h_(h),
        parameters_(all_parameters(builder, mechanics.tapes.mass.n_parameters)) {}

  struct Point {
    Values q, v;
  };

  Point advanced(ValueId t, const Point& from) {
    const Values rate = accelerations(t, from.q);
    const std::vector<Values> reaction = reaction_accelerations(t, from.q);
    // q1 = q + h v + h^2/2 a - W kappa on the constraints, kappa = h^2/2 lambda.
    Values half(n_), base(n_);
    for (std::uint32_t i = 0; i < n_; ++i) {
      half[i] = plus(from.v[i], 0.5 * h_, rate[i]);
      base[i] = plus(from.q[i], h_, half[i]);
    }
    const ValueId end = builder_.apply(TapeOp::add, t, builder_.constant(h_));
    const Values kappa = position_multipliers(end, base, reaction);
    Point to{base, half};
    for (std::uint32_t k = 0; k < m_; ++k)
      for (std::uint32_t i = 0; i < n_; ++i) {
        if (reaction[k][i] == no_value) continue;
        const ValueId share = builder_.apply(TapeOp::mul, reaction[k][i], kappa[k]);
        to.v[i] = plus(to.v[i], -1 / h_, share);
        to.q[i] = builder_.apply(TapeOp::sub, to.q[i], share);
      }
    const Values end_rate = accelerations(end, to.q);
    for (std::uint32_t i = 0; i < n_; ++i) to.v[i] = plus(to.v[i], 0.5 * h_, end_rate[i]);
    take_velocities_along(end, to);
    return to;
  }

  /// The least margin of all eliminations, no_value where they cannot go wrong.
  ValueId margin() const { return margin_; }

 private:
  ValueId plus(ValueId y, double a, ValueId x) {
    return builder_.apply(TapeOp::fma, builder_.constant(a), x, y);
  }

  Values run(const Tape& tape, ValueId t, const Values& q, const Values& v) {
    Values inputs{t};
    inputs.insert(inputs.end(), q.begin(), q.end());
    inputs.insert(inputs.end(), v.begin(), v.end());
    return append(builder_, tape, inputs, parameters_);
  }
  Values at_rest(const Tape& tape, ValueId t, const Values& q) {
    return run(tape, t, q, Values(n_, builder_.constant(0)));
  }

  Entry entry(ValueId value) const {
    const double* number = builder_.constant_value(value);
    return number != nullptr && *number == 0 ? Entry{} : Entry{value, false};
  }

  Values solved(std::vector<Entry> matrix, std::vector<Entry> right) {
    const auto solution = eliminate(builder_, std::move(matrix), std::move(right));
    if (!solution)
      throw Error("B002",
                  "the constraints of the system leave no order of elimination: some "
                  "coordinate has no mass, or some constraint no coordinate.");
    take(solution->margin);
    return solution->x;
  }

  void take(ValueId margin) {
    if (margin == no_value) return;
    margin_ = margin_ == no_value ? margin : builder_.apply(TapeOp::min, margin_, margin);
  }

  /// M^-1 times a column; the factorisation is the same each time, and shared by the builder.
  Values over_mass(ValueId t, const Values& q, const Values& column) {
    std::vector<Entry> matrix, right;
    for (const ValueId value : at_rest(mechanics_.tapes.mass, t, q)) matrix.push_back(entry(value));
    for (const ValueId value : column) right.push_back(entry(value));
    return solved(std::move(matrix), std::move(right));
  }

  Values accelerations(ValueId t, const Values& q) {
    return over_mass(t, q, at_rest(mechanics_.tapes.forces, t, q));
  }

  /// Columns of W = M^-1 B; no_value is zero.
  std::vector<Values> reaction_accelerations(ValueId t, const Values& q) {
    const Values b = at_rest(mechanics_.tapes.reactions, t, q);
    std::vector<Values> columns(m_);
    for (std::uint32_t k = 0; k < m_; ++k) {
      Values column;
      for (std::uint32_t i = 0; i < n_; ++i) column.push_back(b[std::size_t{i} * m_ + k]);
      columns[k] = over_mass(t, q, column);
      for (ValueId& value : columns[k])
        if (entry(value).is_zero()) value = no_value;
    }
    return columns;
  }

  /// kappa with g(base - W kappa) = 0. It has the size of a displacement, so that its rounding is
  /// that of positions.
  Values position_multipliers(ValueId t, const Values& base, const std::vector<Values>& reaction) {
    if (m_ == 0) return {};
    Values captured{t};
    captured.insert(captured.end(), base.begin(), base.end());
    std::vector<Values> place(m_, Values(n_, no_value));  // inputs of the body
    for (std::uint32_t k = 0; k < m_; ++k)
      for (std::uint32_t i = 0; i < n_; ++i)
        if (reaction[k][i] != no_value) {
          place[k][i] = m_ + static_cast<std::uint32_t>(captured.size());
          captured.push_back(reaction[k][i]);
        }
    const Tape& constraints = mechanics_.tapes.constraints;
    TapeBuilder body(m_ + static_cast<std::uint32_t>(captured.size()), constraints.n_parameters);
    Values inputs = all_inputs(body, m_, 1 + n_);
    for (std::uint32_t k = 0; k < m_; ++k)
      for (std::uint32_t i = 0; i < n_; ++i)
        if (place[k][i] != no_value)
          inputs[1 + i] =
              body.apply(TapeOp::fnma, body.input(place[k][i]), body.input(k), inputs[1 + i]);
    inputs.resize(1 + 2 * n_, body.constant(0));
    const Values g =
        append(body, constraints, inputs, all_parameters(body, constraints.n_parameters));
    for (std::uint32_t k = 0; k < m_; ++k) body.output(g[k]);
    auto region = newton_region(std::move(body).finish());
    if (!region)
      throw Error("B004",
                  "RATTLE needs the derivatives of a function in a constraint that has none. "
                  "Use rk4.");
    region->captured = std::move(captured);
    region->guesses.assign(m_, builder_.constant(0));
    if (pivots_ == Pivots::by_structure)
      if (auto lines = unrolled(builder_, *region, n_newton_steps)) {
        take(lines->margin);
        return std::move(lines->x);
      }
    return builder_.solve(std::move(*region));
  }

  /// v - h/2 W mu with mu such that the constraints do not change.
  void take_velocities_along(ValueId t, Point& point) {
    if (m_ == 0) return;
    const std::vector<Values> reaction = reaction_accelerations(t, point.q);
    const Values outputs = run(mechanics_.tapes.constraints, t, point.q, point.v);
    std::vector<Entry> matrix(std::size_t{m_} * m_), right;
    for (std::uint32_t k = 0; k < m_; ++k) right.push_back(entry(outputs[m_ + k]));
    for (std::size_t e = 0; e < mechanics_.jacobian.size(); ++e) {
      const auto [row, column] = mechanics_.jacobian[e];
      const ValueId gradient = outputs[2 * m_ + e];
      for (std::uint32_t k = 0; k < m_; ++k) {
        if (reaction[k][column] == no_value) continue;
        Entry& sum = matrix[std::size_t{row} * m_ + k];
        sum.value = sum.is_zero()
                        ? builder_.apply(TapeOp::mul, gradient, reaction[k][column])
                        : builder_.apply(TapeOp::fma, gradient, reaction[k][column], sum.value);
      }
    }
    const Values mu = solved(std::move(matrix), std::move(right));
    for (std::uint32_t k = 0; k < m_; ++k)
      for (std::uint32_t i = 0; i < n_; ++i)
        if (reaction[k][i] != no_value)
          point.v[i] = builder_.apply(TapeOp::fnma, reaction[k][i], mu[k], point.v[i]);
  }

  const MechanicalModel& mechanics_;
  TapeBuilder& builder_;
  Pivots pivots_;
  std::uint32_t n_, m_;
  double h_;
  Values parameters_;
  ValueId margin_ = no_value;
};

bool reads_time(const MechanicalModel::Tapes& tapes) {
  return ensemble::reads_time(tapes.constraints) || ensemble::reads_time(tapes.forces) ||
         ensemble::reads_time(tapes.mass) || ensemble::reads_time(tapes.reactions);
}

}  // namespace

StepTape make_rattle_step(const compile::CompiledModel& model, Pivots pivots, double h) {
  const MechanicalModel& mechanics = model.mechanics();
  require_separable(model, mechanics);
  const std::uint32_t n = mechanics.n_positions;
  StepTape step;
  step.n_states = 2 * n;
  step.has_time = reads_time(mechanics.tapes);
  step.has_margin = pivots == Pivots::by_structure;
  step.width = step.n_states + step.has_time + step.has_margin;
  for (const auto* places : {&mechanics.position, &mechanics.velocity})
    for (const std::uint32_t place : *places)
      step.names.push_back(model.variable_names()[model.direct_chart().states[place]]);
  TapeBuilder builder(step.width, mechanics.tapes.mass.n_parameters);
  Rattle rattle(mechanics, builder, pivots, h);
  const ValueId t = step.has_time ? builder.input(2 * n) : builder.constant(0);
  const Rattle::Point end =
      rattle.advanced(t, {all_inputs(builder, 0, n), all_inputs(builder, n, n)});
  for (const Values* values : {&end.q, &end.v})
    for (const ValueId value : *values) builder.output(value);
  if (step.has_time) builder.output(builder.apply(TapeOp::add, t, builder.constant(h)));
  if (step.has_margin) {
    const ValueId before = builder.input(step.width - 1), margin = rattle.margin();
    builder.output(margin == no_value ? before : builder.apply(TapeOp::min, before, margin));
  }
  step.tape = std::move(builder).finish();
  return step;
}

}  // namespace alembert::ensemble
