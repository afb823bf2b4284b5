// SPDX-License-Identifier: Apache-2.0
// Test support; see random_tape.hpp.
#include "random_tape.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <sstream>

#include "alembert/compile/elementary.hpp"
#include "alembert/compile/region_solver.hpp"

namespace alembert::compile::native::test {
namespace {

double mix(const double* arguments, const void* context) {
  const double scale = *static_cast<const double*>(context);
  return std::fma(arguments[0], scale, arguments[1]) - arguments[2];
}

void mix_many(const double* arguments, double* values, const void*) {
  for (int k = 0; k < 3; ++k) values[k] = arguments[k] - 0.5 * arguments[(k + 1) % 3];
}

class Generator {
 public:
  Generator(const RandomTapeOptions& options, std::mt19937_64& random)
      : options_(options), random_(random), builder_(options.n_inputs, options.n_parameters) {}

  Tape run() {
    for (std::uint32_t i = 0; i < options_.n_inputs; ++i) numbers_.push_back(builder_.input(i));
    for (std::uint32_t i = 0; i < options_.n_parameters; ++i)
      numbers_.push_back(builder_.parameter(i));
    for (const double value : {0.0, -0.0, 1.0, -2.5, 0.3, 1e-3})
      numbers_.push_back(builder_.constant(value));
    for (std::uint32_t i = 0; i < options_.n_operations; ++i) step();
    for (std::uint32_t i = 0; i < options_.n_outputs; ++i)
      builder_.output(i % 3 != 2 ? any_number() : number());
    return std::move(builder_).finish();
  }

 private:
  std::uint32_t below(std::size_t n) {
    return static_cast<std::uint32_t>(random_() % static_cast<std::uint64_t>(n));
  }
  ValueId any_number() { return numbers_[below(numbers_.size())]; }
  ValueId number() {
    if (below(8) == 0) return any_number();
    const std::size_t near = std::min<std::size_t>(numbers_.size(), options_.reach);
    return numbers_[numbers_.size() - 1 - below(near)];
  }
  ValueId condition() {
    return conditions_[conditions_.size() - 1 -
                       below(std::min<std::size_t>(conditions_.size(), 12))];
  }

  void step() {
    const std::uint32_t kind = below(100);
    if (options_.calls && kind < 3) return call();
    if (options_.regions && kind == 3) return solve();
    if (options_.elementary && kind >= 4 && kind < 10) return elementary();
    if (options_.conditions && kind >= 10 && kind < 25) return compare();
    if (!conditions_.empty() && kind >= 25 && kind < 35) {
      numbers_.push_back(kind < 28
                             ? builder_.apply(TapeOp::number, condition())
                             : builder_.apply(TapeOp::select, condition(), number(), number()));
      return;
    }
    if (kind >= 35 && kind < 60) return tame();
    const auto first = static_cast<std::uint32_t>(TapeOp::add);
    const auto last = static_cast<std::uint32_t>(TapeOp::sign);
    // Mostly sums and products; the rest now and then.
    const std::uint32_t range = below(4) == 0 ? last - first + 1 : 8;
    const auto op = static_cast<TapeOp>(first + below(range));
    numbers_.push_back(builder_.apply(op, number(), number(), number()));
  }

  /// Without this nearly all values soon are infinite or NaN, which would agree too easily.
  void tame() {
    const ValueId x = number();
    const ValueId size = builder_.apply(TapeOp::abs, x);
    const ValueId small = builder_.apply(TapeOp::less, size, builder_.constant(20.0));
    if (builder_.constant_value(small)) return;
    numbers_.push_back(builder_.apply(TapeOp::select, small, x, builder_.constant(0.3)));
  }

  void elementary() {
    const auto first = static_cast<std::uint32_t>(TapeOp::sin);
    const auto last = static_cast<std::uint32_t>(TapeOp::pow);
    numbers_.push_back(
        builder_.apply(static_cast<TapeOp>(first + below(last - first + 1)), number(), number()));
  }

  void compare() {
    const auto op = static_cast<TapeOp>(static_cast<std::uint32_t>(TapeOp::less) + below(7));
    ValueId made;
    if (op < TapeOp::logical_and || conditions_.empty()) {
      made = builder_.apply(op < TapeOp::logical_and ? op : TapeOp::less, number(), number());
    } else if (op == TapeOp::logical_not) {
      made = builder_.apply(op, condition());
    } else {
      made = builder_.apply(op, condition(), condition());
    }
    // Folding may have left a number.
    if (!builder_.constant_value(made)) conditions_.push_back(made);
  }

  void call() {
    static const auto scale = std::make_shared<const double>(1.5);
    const ValueId arguments[3] = {number(), number(), number()};
    if (below(2) == 0) {
      numbers_.push_back(builder_.call({"mix", &mix, scale}, arguments));
      return;
    }
    const ForeignFunction function{.name = "mix_many", .outputs = &mix_many, .n_outputs = 3};
    for (const std::uint32_t k : {2u, 0u})
      numbers_.push_back(builder_.call_output(function, arguments, k));
  }

  void solve() {
    SolveRegion region = below(2) == 0 ? linear_region() : newton_region();
    for (const ValueId value : builder_.solve(std::move(region))) numbers_.push_back(value);
  }

  /// (2 + c0 c0) u0 + u1 = c1;  u0 - 3 u1 = p0.
  SolveRegion linear_region() {
    TapeBuilder body(4, options_.n_parameters);
    const ValueId u0 = body.input(0), u1 = body.input(1), c0 = body.input(2), c1 = body.input(3);
    const ValueId j00 = body.apply(TapeOp::fma, c0, c0, body.constant(2.0));
    body.output(body.apply(TapeOp::sub, body.apply(TapeOp::fma, j00, u0, u1), c1));
    body.output(body.apply(TapeOp::sub, body.apply(TapeOp::fma, body.constant(-3.0), u1, u0),
                           body.parameter(0)));
    body.output(j00);
    for (const double entry : {1.0, 1.0, -3.0}) body.output(body.constant(entry));
    SolveRegion region;
    region.n_unknowns = 2;
    region.captured = {number(), number()};
    region.jacobian_rows = {0, 0, 1, 1};
    region.jacobian_columns = {0, 1, 0, 1};
    region.body = std::move(body).finish();
    return region;
  }

  /// u^3 + u = c.
  SolveRegion newton_region() {
    TapeBuilder body(2, options_.n_parameters);
    const ValueId u = body.input(0), c = body.input(1), uu = body.apply(TapeOp::mul, u, u);
    body.output(body.apply(TapeOp::sub, body.apply(TapeOp::fma, uu, u, u), c));
    body.output(body.apply(TapeOp::fma, body.constant(3.0), uu, body.constant(1.0)));
    SolveRegion region;
    region.kind = SolveRegion::Kind::newton;
    region.n_unknowns = 1;
    region.captured = {number()};
    region.guesses = {number()};
    region.jacobian_rows = {0};
    region.jacobian_columns = {0};
    region.body = std::move(body).finish();
    return region;
  }

  const RandomTapeOptions& options_;
  std::mt19937_64& random_;
  TapeBuilder builder_;
  std::vector<ValueId> numbers_;
  std::vector<ValueId> conditions_;
};

/// A kernel that runs a region's body by `reference`.
Kernel reference_kernel(const Tape& body) {
  const auto run = [](const void* self, const double* inputs, const double* parameters,
                      double* outputs, double*, std::size_t) {
    const Tape& tape = *static_cast<const Tape*>(self);
    const std::vector<double> result =
        reference(tape, {inputs, tape.n_inputs}, {parameters, tape.n_parameters});
    std::copy(result.begin(), result.end(), outputs);
  };
  return {{.n_inputs = body.n_inputs,
           .n_parameters = body.n_parameters,
           .n_outputs = static_cast<std::uint32_t>(body.outputs.size())},
          run,
          std::make_shared<Tape>(body)};
}

std::vector<double> solve_reference(const SolveRegion& region, const std::vector<double>& values,
                                    std::span<const double> parameters) {
  const Kernel body = reference_kernel(region.body);
  std::vector<double> captured, guesses, unknowns(region.n_unknowns);
  for (const ValueId id : region.captured) captured.push_back(values[id]);
  for (const ValueId id : region.guesses) guesses.push_back(values[id]);
  AlignedDoubles work(region_workspace(region, body));
  solve_region(region, body, captured.data(), guesses.empty() ? nullptr : guesses.data(),
               parameters.data(), unknowns.data(), work.data());
  return unknowns;
}

}  // namespace

Tape random_tape(const RandomTapeOptions& options, std::mt19937_64& random) {
  return Generator(options, random).run();
}

std::vector<double> random_numbers(std::size_t n, std::mt19937_64& random) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  static constexpr double special[] = {0.0, -0.0, inf, -inf, nan, 1e-310, -4e-320, 1e300, -1e305};
  std::uniform_real_distribution<double> ordinary(-3.0, 3.0);
  std::vector<double> numbers(n);
  for (double& number : numbers)
    number = random() % 60 == 0 ? special[random() % std::size(special)] : ordinary(random);
  return numbers;
}

std::vector<double> reference(const Tape& tape, std::span<const double> inputs,
                              std::span<const double> parameters) {
  std::vector<double> values(tape.code.size());
  std::vector<std::vector<double>> solved(tape.code.size());
  for (std::size_t i = 0; i < tape.code.size(); ++i) {
    const Instruction& in = tape.code[i];
    switch (in.op) {
      case TapeOp::input: values[i] = inputs[in.a]; break;
      case TapeOp::parameter: values[i] = parameters[in.a]; break;
      case TapeOp::constant: values[i] = tape.constants[in.a]; break;
      case TapeOp::solve:
        solved[i] = solve_reference(tape.regions[in.a], values, parameters);
        break;
      case TapeOp::result: values[i] = solved[in.a][in.b]; break;
      case TapeOp::call:
      case TapeOp::call_many: {
        const Call& call = tape.calls[in.a];
        std::vector<double> arguments;
        for (const ValueId id : call.arguments) arguments.push_back(values[id]);
        const ForeignFunction& function = tape.functions[call.function];
        if (in.op == TapeOp::call) {
          values[i] = function.function(arguments.data(), function.context.get());
        } else {
          solved[i].resize(function.n_outputs);
          function.outputs(arguments.data(), solved[i].data(), function.context.get());
        }
        break;
      }
      default: {
        const int n = n_value_operands(in.op);
        values[i] =
            evaluate(in.op, values[in.a], n > 1 ? values[in.b] : 0.0, n > 2 ? values[in.c] : 0.0);
      }
    }
  }
  std::vector<double> outputs;
  for (const ValueId id : tape.outputs) outputs.push_back(values[id]);
  return outputs;
}

bool same_bits(double x, double y) {
  if (std::isnan(x)) return std::isnan(y);
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

std::string first_difference(const Tape& tape, const Kernel& kernel, std::size_t n_groups,
                             std::mt19937_64& random) {
  const Kernel::Shape& shape = kernel.shape();
  const std::size_t lanes = shape.lanes;
  const std::vector<double> inputs = random_numbers(n_groups * shape.n_inputs * lanes, random);
  const std::vector<double> parameters = random_numbers(
      shape.n_parameters * (shape.parameters_per_lane ? n_groups * lanes : 1), random);
  std::vector<double> outputs(n_groups * shape.n_outputs * lanes, 7.0);
  AlignedDoubles workspace(shape.workspace_size);
  kernel(inputs.data(), parameters.data(), outputs.data(), workspace.data(), n_groups);

  std::vector<double> x(shape.n_inputs), p(shape.n_parameters);
  for (std::size_t i = 0; i < n_groups * lanes; ++i) {
    const std::size_t group = i / lanes, lane = i % lanes;
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k] = inputs[(group * shape.n_inputs + k) * lanes + lane];
    for (std::size_t k = 0; k < p.size(); ++k)
      p[k] = shape.parameters_per_lane ? parameters[(group * shape.n_parameters + k) * lanes + lane]
                                       : parameters[k];
    const std::vector<double> expected = reference(tape, x, p);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const double found = outputs[(group * shape.n_outputs + k) * lanes + lane];
      if (same_bits(expected[k], found)) continue;
      std::ostringstream text;
      text.precision(17);
      text << "group " << group << " lane " << lane << " output " << k << ": " << found
           << " instead of " << expected[k] << " in a tape of " << tape.code.size();
      return text.str();
    }
  }
  return {};
}

}  // namespace alembert::compile::native::test
