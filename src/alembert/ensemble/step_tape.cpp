// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/step_tape.hpp"

#include "alembert/base/error.hpp"
#include "alembert/compile/tape_derivative.hpp"
#include "alembert/ensemble/append_tape.hpp"
#include "alembert/ensemble/linear_elimination.hpp"
#include "alembert/integrate/tableaus/rodas5p.hpp"
#include "alembert/integrate/tableaus/tsit5.hpp"

namespace alembert::ensemble {

using compile::no_value;
using compile::SolveRegion;
using compile::Tape;
using compile::TapeBuilder;
using compile::TapeOp;
using compile::ValueId;

namespace {

/// Calls of the right-hand side and sums of vectors, in one tape.
class Writer {
 public:
  Writer(const OdeTape& ode, std::uint32_t n_inputs)
      : ode_(ode),
        builder(n_inputs, ode.tape.n_parameters),
        parameters_(all_parameters(builder, ode.tape.n_parameters)) {}

  /// Iterations inside go on from `memory`, which then is what they found.
  std::vector<ValueId> rhs(ValueId t, const std::vector<ValueId>& y) {
    std::vector<ValueId> inputs{t};
    inputs.insert(inputs.end(), y.begin(), y.end());
    inputs.insert(inputs.end(), memory.begin(), memory.end());
    std::vector<ValueId> f = append(builder, ode_.tape, inputs, parameters_);
    if (ode_.has_margin) take_margin(f);
    memory.assign(f.end() - ode_.n_memory(), f.end());
    f.resize(ode_.n_states);
    return f;
  }
  /// y itself where there is nothing to keep.
  std::vector<ValueId> projected(ValueId t, const std::vector<ValueId>& y) {
    if (!ode_.is_projected()) return y;
    std::vector<ValueId> inputs{t};
    inputs.insert(inputs.end(), y.begin(), y.end());
    std::vector<ValueId> there = append(builder, ode_.projection, inputs, parameters_);
    if (there.size() > y.size()) take_margin(there);
    return there;
  }

  ValueId number(double value) { return builder.constant(value); }
  /// y + a x
  ValueId plus(ValueId y, ValueId a, ValueId x) { return builder.apply(TapeOp::fma, a, x, y); }
  std::vector<ValueId> plus(const std::vector<ValueId>& y, ValueId a,
                            const std::vector<ValueId>& x) {
    std::vector<ValueId> sum;
    for (std::size_t i = 0; i < y.size(); ++i) sum.push_back(plus(y[i], a, x[i]));
    return sum;
  }
  /// sum_k weights[k] * vectors[k], component by component; zero weights are left out.
  std::vector<ValueId> combination(std::span<const double> weights,
                                   const std::vector<std::vector<ValueId>>& vectors) {
    std::vector<ValueId> sum;
    for (std::size_t k = 0; k < vectors.size() && k < weights.size(); ++k) {
      if (weights[k] == 0) continue;
      if (sum.empty()) {
        for (const ValueId x : vectors[k])
          sum.push_back(builder.apply(TapeOp::mul, number(weights[k]), x));
      } else {
        sum = plus(sum, number(weights[k]), vectors[k]);
      }
    }
    return sum;
  }
  std::vector<ValueId> inputs(std::uint32_t first, std::uint32_t n) {
    return all_inputs(builder, first, n);
  }
  const std::vector<ValueId>& parameters() const { return parameters_; }

  const OdeTape& ode_;
  TapeBuilder builder;
  ValueId margin = no_value;
  std::vector<ValueId> memory;  // [n_memory]

 private:
  /// The last of the values.
  void take_margin(std::vector<ValueId>& values) {
    margin = margin == no_value ? values.back() : builder.apply(TapeOp::min, margin, values.back());
    values.pop_back();
  }

  std::vector<ValueId> parameters_;
};

void require_positions(const OdeTape& ode, FixedMethod method) {
  if (!ode.velocity_of.empty()) return;
  throw Error("B003", "the method '" + std::string(to_string(method)) +
                          "' moves positions by velocities, and the states are not pairs of them. "
                          "Use rk4 or an adaptive method.");
}

/// Positions move along with their velocities; `which` tells positions from the rest.
std::vector<ValueId> drifted(Writer& w, const std::vector<ValueId>& y, ValueId h) {
  std::vector<ValueId> moved = y;
  const auto& velocity_of = w.ode_.velocity_of;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (velocity_of[i] < y.size()) moved[i] = w.plus(y[i], h, y[velocity_of[i]]);
  return moved;
}

/// Velocities change by the accelerations f.
std::vector<ValueId> kicked(Writer& w, const std::vector<ValueId>& y, ValueId h,
                            const std::vector<ValueId>& f) {
  std::vector<ValueId> moved = y;
  const auto& velocity_of = w.ode_.velocity_of;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (velocity_of[i] >= y.size()) moved[i] = w.plus(y[i], h, f[i]);
  return moved;
}

std::vector<ValueId> rk4(Writer& w, ValueId t, const std::vector<ValueId>& y, double h) {
  const ValueId half = w.builder.apply(TapeOp::add, t, w.number(0.5 * h));
  const ValueId end = w.builder.apply(TapeOp::add, t, w.number(h));
  const auto k1 = w.rhs(t, y);
  const auto k2 = w.rhs(half, w.plus(y, w.number(0.5 * h), k1));
  const auto k3 = w.rhs(half, w.plus(y, w.number(0.5 * h), k2));
  const auto k4 = w.rhs(end, w.plus(y, w.number(h), k3));
  auto sum = w.plus(k1, w.number(2), k2);
  sum = w.plus(sum, w.number(2), k3);
  for (std::size_t i = 0; i < y.size(); ++i) sum[i] = w.builder.apply(TapeOp::add, sum[i], k4[i]);
  return w.plus(y, w.number(h / 6), sum);
}

/// A Newton region for the middle u of the step: u - y - h/2 f(t + h/2, u) = 0.
std::vector<ValueId> implicit_midpoint(Writer& w, ValueId t, const std::vector<ValueId>& y,
                                       double h) {
  const auto n = static_cast<std::uint32_t>(y.size());
  const OdeTape& ode = w.ode_;
  const std::uint32_t n_inputs = 2 * n + 1 + ode.n_memory();  // [u, y, t, memory]
  Writer body(ode, n_inputs);
  const auto u = body.inputs(0, n), y0 = body.inputs(n, n);
  body.memory = body.inputs(2 * n + 1, ode.n_memory());
  const ValueId middle =
      body.builder.apply(TapeOp::add, body.builder.input(2 * n), body.number(0.5 * h));
  const auto f = body.rhs(middle, u);
  for (std::uint32_t i = 0; i < n; ++i)
    body.builder.output(body.builder.apply(TapeOp::fnma, body.number(0.5 * h), f[i],
                                           body.builder.apply(TapeOp::sub, u[i], y0[i])));
  auto region = newton_region(std::move(body.builder).finish());
  if (!region)
    throw Error("B004",
                "implicit_midpoint needs the derivatives of a function that has none. Use "
                "rk4.");
  region->captured = y;
  region->captured.push_back(t);
  region->captured.insert(region->captured.end(), w.memory.begin(), w.memory.end());
  region->guesses = y;
  const auto found = w.builder.solve(std::move(*region));
  // What iterations inside find at the middle is where the next step's begin.
  if (ode.n_memory() > 0) w.rhs(w.builder.apply(TapeOp::add, t, w.number(0.5 * h)), found);
  // y + h f(u) = 2 u - y
  std::vector<ValueId> next;
  for (std::uint32_t i = 0; i < n; ++i)
    next.push_back(w.builder.apply(TapeOp::fms, w.number(2), found[i], y[i]));
  return next;
}

/// The root of the mean of (e_i / (absolute + relative max(|y_i|, |z_i|)))^2.
ValueId error_norm(Writer& w, const std::vector<ValueId>& error, const std::vector<ValueId>& y,
                   const std::vector<ValueId>& z, double relative, double absolute) {
  TapeBuilder& b = w.builder;
  ValueId sum = no_value;
  for (std::size_t i = 0; i < error.size(); ++i) {
    const ValueId size =
        b.apply(TapeOp::max, b.apply(TapeOp::abs, y[i]), b.apply(TapeOp::abs, z[i]));
    const ValueId scale = b.apply(TapeOp::fma, b.constant(relative), size, b.constant(absolute));
    const ValueId share = b.apply(TapeOp::div, error[i], scale);
    sum = sum == no_value ? b.apply(TapeOp::mul, share, share)
                          : b.apply(TapeOp::fma, share, share, sum);
  }
  if (sum == no_value) return b.constant(0);
  return b.apply(TapeOp::sqrt,
                 b.apply(TapeOp::mul, sum, b.constant(1 / static_cast<double>(error.size()))));
}

/// `f`: the derivatives at the end, where they are known already.
AdaptiveStepTape finished(Writer& w, ValueId t, ValueId h, std::vector<ValueId> y, ValueId error,
                          std::vector<ValueId> f) {
  const ValueId end = w.builder.apply(TapeOp::add, t, h);
  if (w.ode_.is_projected()) {
    y = w.projected(end, y);
    f.clear();
  }
  if (f.empty()) f = w.rhs(end, y);
  for (const ValueId value : y) w.builder.output(value);
  w.builder.output(error);
  for (const ValueId value : f) w.builder.output(value);
  for (const ValueId value : w.memory) w.builder.output(value);
  AdaptiveStepTape step;
  step.n_states = static_cast<std::uint32_t>(y.size());
  step.has_margin = w.margin != no_value;
  if (step.has_margin) w.builder.output(w.margin);
  step.tape = std::move(w.builder).finish();
  return step;
}

}  // namespace

std::string_view to_string(FixedMethod method) {
  switch (method) {
    case FixedMethod::euler: return "euler";
    case FixedMethod::semi_implicit_euler: return "semi_implicit_euler";
    case FixedMethod::verlet: return "verlet";
    case FixedMethod::rk4: return "rk4";
    case FixedMethod::implicit_midpoint: return "implicit_midpoint";
  }
  ensure(false, "unknown method");
  return {};
}

StepTape make_step(const OdeTape& ode, FixedMethod method, double h) {
  StepTape step;
  step.n_states = ode.n_states;
  step.names = ode.names;
  step.memory = ode.memory;
  step.has_time = reads_time(ode.tape) || reads_time(ode.projection);
  step.has_margin = (ode.has_margin && method != FixedMethod::implicit_midpoint) ||
                    ode.projection.outputs.size() > ode.n_states;
  const std::uint32_t n_values = step.n_states + ode.n_memory();
  step.width = n_values + step.has_time + step.has_margin;
  Writer w(ode, step.width);
  const auto y = w.inputs(0, ode.n_states);
  w.memory = w.inputs(ode.n_states, ode.n_memory());
  const ValueId t = step.has_time ? w.builder.input(n_values) : w.number(0);
  std::vector<ValueId> next;
  switch (method) {
    case FixedMethod::euler: next = w.plus(y, w.number(h), w.rhs(t, y)); break;
    case FixedMethod::semi_implicit_euler:
      require_positions(ode, method);
      next = drifted(w, kicked(w, y, w.number(h), w.rhs(t, y)), w.number(h));
      break;
    case FixedMethod::verlet: {
      require_positions(ode, method);
      const auto middle = drifted(w, y, w.number(0.5 * h));
      const ValueId half = w.builder.apply(TapeOp::add, t, w.number(0.5 * h));
      next = drifted(w, kicked(w, middle, w.number(h), w.rhs(half, middle)), w.number(0.5 * h));
      break;
    }
    case FixedMethod::rk4: next = rk4(w, t, y, h); break;
    case FixedMethod::implicit_midpoint: next = implicit_midpoint(w, t, y, h); break;
  }
  const ValueId end = w.builder.apply(TapeOp::add, t, w.number(h));
  for (const ValueId value : w.projected(end, next)) w.builder.output(value);
  for (const ValueId value : w.memory) w.builder.output(value);
  if (step.has_time) w.builder.output(end);
  if (step.has_margin)
    w.builder.output(w.builder.apply(TapeOp::min, w.builder.input(step.width - 1), w.margin));
  step.tape = std::move(w.builder).finish();
  return step;
}

AdaptiveStepTape make_tsit5_step(const OdeTape& ode, double relative, double absolute) {
  using Method = integrate::tableaus::Tsit5;
  const std::uint32_t n = ode.n_states;
  Writer w(ode, 2 * n + 2 + ode.n_memory());
  const auto y = w.inputs(0, n);
  w.memory = w.inputs(2 * n + 2, ode.n_memory());
  const ValueId t = w.builder.input(n), h = w.builder.input(n + 1);
  std::vector<std::vector<ValueId>> k{w.inputs(n + 2, n)};
  std::vector<ValueId> next;
  for (std::uint32_t s = 1; s < Method::n_stages; ++s) {
    next = w.plus(y, h, w.combination(std::span(Method::a[s]).first(s), k));
    k.push_back(w.rhs(w.plus(t, w.number(Method::c[s]), h), next));
  }
  std::vector<ValueId> error = w.combination(Method::error, k);
  for (ValueId& e : error) e = w.builder.apply(TapeOp::mul, h, e);
  return finished(w, t, h, next, error_norm(w, error, y, next, relative, absolute), k.back());
}

AdaptiveStepTape make_rodas5p_step(const OdeTape& ode, double relative, double absolute) {
  using Method = integrate::tableaus::Rodas5p;
  const std::uint32_t n = ode.n_states;
  Writer w(ode, 2 * n + 2 + ode.n_memory());
  TapeBuilder& b = w.builder;
  const auto y = w.inputs(0, n);
  w.memory = w.inputs(2 * n + 2, ode.n_memory());
  const ValueId t = b.input(n), h = b.input(n + 1);
  // J and f_t by the tape's own derivatives; columns [y..., t].
  std::vector<std::uint32_t> columns;
  for (std::uint32_t i = 0; i < n; ++i) columns.push_back(1 + i);
  columns.push_back(0);
  Tape derivatives = ode.tape;
  derivatives.outputs.resize(n);
  const compile::ColumnSparsity sparsity = compile::tape_sparsity(derivatives, columns);
  const auto jacobian = compile::tape_jacobian(derivatives, columns, sparsity);
  if (!jacobian)
    throw Error("B004", "rodas5p needs the derivatives of a function that has none. Use tsit5.");
  std::vector<ValueId> inputs{t};
  inputs.insert(inputs.end(), y.begin(), y.end());
  inputs.insert(inputs.end(), w.memory.begin(), w.memory.end());
  const auto entries = append(b, *jacobian, inputs, w.parameters());
  const ValueId inverse_h = b.apply(TapeOp::div, b.constant(1), h);
  const ValueId diagonal = b.apply(TapeOp::mul, b.constant(1 / Method::gamma), inverse_h);
  std::vector<Entry> matrix(std::size_t{n} * n);
  std::vector<ValueId> by_time(n, no_value);
  for (std::uint32_t c = 0; c <= n; ++c)
    for (std::uint32_t e = sparsity.column_start[c]; e < sparsity.column_start[c + 1]; ++e) {
      const std::uint32_t row = sparsity.row[e];
      if (c == n)
        by_time[row] = entries[e];
      else
        matrix[std::size_t{row} * n + c] = {entries[e], true};
    }
  for (std::uint32_t i = 0; i < n; ++i) {
    Entry& d = matrix[std::size_t{i} * n + i];
    d = {d.is_zero() ? diagonal : b.apply(TapeOp::sub, diagonal, d.value), false};
  }
  std::vector<std::vector<ValueId>> u;
  std::vector<ValueId> next = y;
  for (std::uint32_t s = 0; s < Method::n_stages; ++s) {
    if (s > 0) {
      const auto sum = w.combination(std::span(Method::a[s]).first(s), u);
      for (std::uint32_t i = 0; i < n; ++i) next[i] = b.apply(TapeOp::add, y[i], sum[i]);
    }
    auto right = s == 0 && !ode.has_margin ? w.rhs(t, y)
                                           : w.rhs(w.plus(t, b.constant(Method::c[s]), h), next);
    if (s > 0) right = w.plus(right, inverse_h, w.combination(std::span(Method::C[s]).first(s), u));
    const ValueId shift = b.apply(TapeOp::mul, b.constant(Method::d[s]), h);
    for (std::uint32_t i = 0; i < n; ++i)
      if (by_time[i] != no_value && Method::d[s] != 0)
        right[i] = w.plus(right[i], shift, by_time[i]);
    // The factorisation is the same each time, and shared by the builder.
    std::vector<Entry> sides;
    for (const ValueId value : right) sides.push_back({value, false});
    auto solution = eliminate(b, matrix, std::move(sides));
    ensure(solution.has_value(), "a diagonal with 1/(h gamma) has pivots");
    if (s == 0 && solution->margin != no_value)
      w.margin = w.margin == no_value ? solution->margin
                                      : b.apply(TapeOp::min, w.margin, solution->margin);
    u.push_back(std::move(solution->x));
  }
  std::vector<ValueId> end;
  for (std::uint32_t i = 0; i < n; ++i) end.push_back(b.apply(TapeOp::add, next[i], u.back()[i]));
  return finished(w, t, h, end, error_norm(w, u.back(), y, end, relative, absolute), {});
}

}  // namespace alembert::ensemble
