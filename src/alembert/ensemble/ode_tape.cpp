// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/ode_tape.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "alembert/base/error.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/ensemble/linear_elimination.hpp"
#include "alembert/symbolic/matrix.hpp"

namespace alembert::ensemble {

using compile::Instruction;
using compile::no_value;
using compile::SolveRegion;
using compile::Tape;
using compile::TapeBuilder;
using compile::TapeOp;
using compile::ValueId;

namespace {

/// A dense linear region over the entries given.
std::vector<ValueId> solve_by_size(TapeBuilder& builder, std::uint32_t n_parameters,
                                   const std::vector<ValueId>& a, const std::vector<ValueId>& b) {
  const auto n = static_cast<std::uint32_t>(b.size());
  SolveRegion region;
  region.kind = SolveRegion::Kind::linear;
  region.n_unknowns = n;
  for (const std::vector<ValueId>* list : {&a, &b})
    for (const ValueId value : *list)
      if (value != no_value) region.captured.push_back(value);
  TapeBuilder body(n + static_cast<std::uint32_t>(region.captured.size()), n_parameters);
  std::uint32_t next = n;
  std::vector<ValueId> rows(n, no_value), entries;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) {
      if (a[i * n + j] == no_value) continue;
      const ValueId entry = body.input(next++), unknown = body.input(j);
      rows[i] = rows[i] == no_value ? body.apply(TapeOp::mul, entry, unknown)
                                    : body.apply(TapeOp::fma, entry, unknown, rows[i]);
      region.jacobian_rows.push_back(i);
      region.jacobian_columns.push_back(j);
      entries.push_back(entry);
    }
  for (std::uint32_t i = 0; i < n; ++i)
    body.output(b[i] == no_value ? rows[i] : body.apply(TapeOp::sub, rows[i], body.input(next++)));
  for (const ValueId entry : entries) body.output(entry);
  region.body = std::move(body).finish();
  return builder.solve(std::move(region));
}

using symbolic::ExprId;
using symbolic::ExprPool;
using symbolic::Number;
using symbolic::Op;

Number coefficient(const ExprPool& pool, ExprId term) {
  if (pool.is_number(term)) return pool.number_of(term);
  if (pool.op(term) == Op::mul)
    for (const ExprId factor : pool.children(term))
      if (pool.is_number(factor)) return pool.number_of(factor);
  return Number(1);
}

std::vector<ExprId> terms_of(const ExprPool& pool, ExprId expression) {
  if (pool.op(expression) != Op::add) return {expression};
  const auto terms = pool.children(expression);
  return {terms.begin(), terms.end()};
}

/// The number that all terms have as coefficient, up to the sign; 1 where they differ.
Number content(const ExprPool& pool, ExprId expression) {
  Number common(1);
  bool first = true;
  for (const ExprId term : terms_of(pool, expression)) {
    Number size = coefficient(pool, term);
    if (size.is_negative()) size = -size;
    if (!first && !(size == common)) return Number(1);
    common = size;
    first = false;
  }
  return common;
}

ExprId scaled(ExprPool& pool, ExprId expression, const Number& factor) {
  std::vector<ExprId> terms = terms_of(pool, expression);
  for (ExprId& term : terms) term = pool.mul(pool.number(factor), term);
  return pool.add(terms);
}

/// Takes numbers like the 2 in 2 x out of the rows of constraints, and of the columns of their
/// multipliers, which only scales the multipliers.
void scale_constraints(ConstrainedSystem& system) {
  ExprPool& pool = system.pool;
  const std::size_t size = system.right.size();
  for (std::size_t i = system.q.size(); i < size; ++i) {
    std::optional<Number> common;
    bool same = true;
    for (std::size_t j = 0; j < size; ++j) {
      const ExprId entry = system.matrix[i * size + j];
      if (pool.is_zero(entry)) continue;
      const Number number = content(pool, entry);
      same = same && (!common || *common == number);
      common = number;
    }
    if (!common || !same || common->is_one() || common->is_zero()) continue;
    const Number factor = Number(1) / *common;
    system.right[i] = scaled(pool, system.right[i], factor);
    for (std::size_t j = 0; j < size; ++j) {
      system.matrix[i * size + j] = scaled(pool, system.matrix[i * size + j], factor);
      system.matrix[j * size + i] = scaled(pool, system.matrix[j * size + i], factor);
    }
  }
}

/// Values of expressions, of which one may serve for its negative too.
class SignedLowering {
 public:
  SignedLowering(ExprPool& pool, TapeBuilder& builder, compile::Lowering& lowering)
      : pool_(pool), builder_(builder), lowering_(lowering) {}

  std::vector<Entry> lower(const std::vector<ExprId>& expressions) {
    std::vector<Entry> entries(expressions.size());
    std::vector<ExprId> chosen(expressions.size());
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      const ExprId opposite = scaled(pool_, expressions[i], Number(-1));
      entries[i].negative = !seen_.contains(expressions[i]) && seen_.contains(opposite);
      chosen[i] = entries[i].negative ? opposite : expressions[i];
      seen_.insert(chosen[i]);
    }
    const std::vector<ValueId> values = lowering_.lower(chosen);
    for (std::size_t i = 0; i < values.size(); ++i)
      entries[i] = pool_.is_zero(expressions[i]) ? Entry{} : Entry{values[i], entries[i].negative};
    return entries;
  }

  /// Sums whose terms are gathered by their coefficients: c (a b + d e) is three operations, where
  /// c a b + c d e would be four.
  std::vector<Entry> lower_sums(const std::vector<ExprId>& expressions) {
    std::vector<Entry> entries;
    for (const ExprId expression : expressions)
      entries.push_back(pool_.is_zero(expression) ? Entry{} : Entry{sum(expression), false});
    return entries;
  }

 private:
  struct Group {
    Number coefficient;  // positive
    ValueId sum = no_value;
  };

  ValueId sum(ExprId expression) {
    ValueId total = no_value;
    std::vector<Group> groups;
    for (const ExprId term : terms_of(pool_, expression)) {
      const Number number = coefficient(pool_, term);
      const Number size = number.is_negative() ? -number : number;
      if (pool_.is_number(term)) {
        total = added(total, lowering_.lower(term));
        continue;
      }
      const ExprId rest = pool_.mul(pool_.number(Number(1) / number), term);
      auto group = std::find_if(groups.begin(), groups.end(),
                                [&](const Group& g) { return g.coefficient == size; });
      if (group == groups.end()) group = groups.insert(groups.end(), {size});
      group->sum = with_term(group->sum, rest, number.is_negative());
    }
    for (const Group& group : groups) {
      if (group.coefficient.is_one())
        total = added(total, group.sum);
      else if (total == no_value)
        total =
            builder_.apply(TapeOp::mul, builder_.constant(group.coefficient.value()), group.sum);
      else
        total = builder_.apply(TapeOp::fma, builder_.constant(group.coefficient.value()), group.sum,
                               total);
    }
    return total;
  }

  ValueId added(ValueId a, ValueId b) {
    return a == no_value ? b : builder_.apply(TapeOp::add, a, b);
  }

  /// The two factors of a product or a square; else the term alone.
  std::vector<ExprId> factors_of(ExprId term) const {
    const auto children = pool_.children(term);
    if (pool_.op(term) == Op::mul && children.size() == 2) return {children[0], children[1]};
    if (pool_.op(term) == Op::pow && pool_.is_number(children[1]) &&
        pool_.number_of(children[1]) == Number(2))
      return {children[0], children[0]};
    return {term};
  }

  ValueId with_term(ValueId sum, ExprId term, bool negative) {
    const std::vector<ExprId> factors = factors_of(term);
    std::vector<ValueId> values = lowering_.lower(factors);
    if (sum == no_value) {
      const ValueId value =
          values.size() == 2 ? builder_.apply(TapeOp::mul, values[0], values[1]) : values[0];
      return negative ? builder_.apply(TapeOp::neg, value) : value;
    }
    if (values.size() == 2)
      return builder_.apply(negative ? TapeOp::fnma : TapeOp::fma, values[0], values[1], sum);
    return builder_.apply(negative ? TapeOp::sub : TapeOp::add, sum, values[0]);
  }

  ExprPool& pool_;
  TapeBuilder& builder_;
  compile::Lowering& lowering_;
  std::unordered_set<ExprId> seen_;  // looked up, never iterated
};

}  // namespace

std::vector<std::uint32_t> velocities_in(const Tape& tape, std::uint32_t n_states) {
  std::vector<std::uint32_t> velocity_of(n_states, n_states);
  std::vector<std::uint32_t> n_positions(n_states, 0);
  for (std::uint32_t i = 0; i < n_states; ++i) {
    const Instruction& made_by = tape.code[tape.outputs[i]];
    if (made_by.op != TapeOp::input || made_by.a == 0 || made_by.a > n_states) continue;
    velocity_of[i] = made_by.a - 1;
    ++n_positions[made_by.a - 1];
  }
  for (std::uint32_t i = 0; i < n_states; ++i) {
    const bool is_position = velocity_of[i] < n_states;
    if (n_positions[i] != (is_position ? 0u : 1u)) return {};
  }
  return velocity_of;
}

ConstrainedSystem constrained_system(symbolic::ExprPool& pool, const std::vector<symbolic::Expr>& q,
                                     const std::vector<symbolic::Expr>& v,
                                     const std::vector<symbolic::Expr>& parameters,
                                     const symbolic::Matrix& matrix,
                                     const std::vector<symbolic::Expr>& right) {
  const auto ids = [&](const std::vector<symbolic::Expr>& expressions) {
    std::vector<symbolic::ExprId> result;
    for (const symbolic::Expr& expression : expressions) result.push_back(expression.id_in(pool));
    return result;
  };
  ConstrainedSystem system{pool, ids(q), ids(v), ids(parameters), {}, ids(right)};
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.columns(); ++j)
      system.matrix.push_back(matrix(i, j).id_in(pool));
  return system;
}

OdeTape ode_tape(const ConstrainedSystem& system, Pivots pivots) {
  const auto n = static_cast<std::uint32_t>(system.q.size());
  const auto size = static_cast<std::uint32_t>(system.right.size());
  ensure(system.v.size() == n && system.matrix.size() == std::size_t{size} * size && size >= n,
         "the matrix of a constrained system has its size");
  const auto n_parameters = static_cast<std::uint32_t>(system.parameters.size());
  TapeBuilder builder(1 + 2 * n, n_parameters);
  compile::Lowering lowering(system.pool, builder);
  lowering.bind(system.pool.time(), builder.input(0));
  for (std::uint32_t i = 0; i < n; ++i) {
    lowering.bind(system.q[i], builder.input(1 + i));
    lowering.bind(system.v[i], builder.input(1 + n + i));
  }
  for (std::uint32_t i = 0; i < n_parameters; ++i)
    lowering.bind(system.parameters[i], builder.parameter(i));
  OdeTape result;
  result.n_states = 2 * n;
  for (std::uint32_t i = 0; i < n; ++i) builder.output(builder.input(1 + n + i));
  if (pivots == Pivots::by_structure) {
    ConstrainedSystem simple = system;
    scale_constraints(simple);
    SignedLowering entries(simple.pool, builder, lowering);
    const std::vector<Entry> a = entries.lower(simple.matrix);
    const auto solution = eliminate(builder, a, entries.lower_sums(simple.right));
    if (!solution)
      throw Error("B002",
                  "the constraints of the system leave no order of elimination: some "
                  "coordinate has no mass, or some constraint no coordinate.");
    for (std::uint32_t i = 0; i < n; ++i) builder.output(solution->x[i]);
    result.has_margin = solution->margin != no_value;
    if (result.has_margin) builder.output(solution->margin);
  } else {
    const auto entries = [&](const std::vector<ExprId>& expressions) {
      std::vector<ValueId> values = lowering.lower(expressions);
      for (std::size_t i = 0; i < values.size(); ++i)
        if (system.pool.is_zero(expressions[i])) values[i] = no_value;
      return values;
    };
    const auto x =
        solve_by_size(builder, n_parameters, entries(system.matrix), entries(system.right));
    for (std::uint32_t i = 0; i < n; ++i) builder.output(x[i]);
  }
  result.tape = std::move(builder).finish();
  for (std::uint32_t i = 0; i < 2 * n; ++i) {
    result.names.push_back(system.pool.symbol_text(i < n ? system.q[i] : system.v[i - n]));
  }
  result.velocity_of = velocities_in(result.tape, result.n_states);
  return result;
}

}  // namespace alembert::ensemble
