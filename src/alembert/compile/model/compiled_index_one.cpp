// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/compiled_index_one.hpp"

#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/chart_tape.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/structure/coefficients.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::compile {

using symbolic::ExprId;

const CompiledIndexOne& CompiledModel::index_one(structure::Damping damping,
                                                 structure::Settle settle) const {
  const std::lock_guard lock(mutex_);
  auto& entry = index_one_[{damping, settle}];
  if (entry) return *entry;
  const auto rows = structure::settle_rows(simplified_.flat, plan_, differentiated_, settle);
  auto differentiated = std::make_shared<const structure::DifferentiatedSystem>(
      structure::damped(simplified_.flat, plan_, differentiated_, rows, damping));
  structure::IndexOneForm form =
      structure::index_one_form(simplified_.flat, plan_, *differentiated, rows);
  auto made = std::make_unique<CompiledIndexOne>();
  made->chart = compile_chart(std::move(form.reduced), std::move(differentiated));
  made->invariants = std::move(form.invariants);
  const Tape tape = invariants_tape(*made);
  made->residuals = make_kernel(tape, backend_);
  std::vector<std::uint32_t> columns;
  for (const std::uint32_t state : made->chart.states) columns.push_back(1 + state);
  made->sparsity = tape_sparsity(tape, columns);
  if (const auto jacobian = tape_jacobian(tape, columns, made->sparsity))
    made->jacobian = make_kernel(*jacobian, backend_);
  entry = std::move(made);
  return *entry;
}

Tape CompiledModel::invariants(const CompiledIndexOne& form) const {
  const std::lock_guard lock(mutex_);
  return invariants_tape(form);
}

Tape CompiledModel::invariants_tape(const CompiledIndexOne& form) const {
  std::vector<ExprId> residuals;
  for (const auto e : form.invariants) residuals.push_back(differentiated_.residuals[e]);
  return chart_tape(tape_request(form.chart), residuals);
}

namespace {

/// unknown = value, of those that stay and of earlier ones.
struct Given {
  structure::Index unknown;
  ExprId value;
};

/// Which unknowns the rows of a block give, one after the other: each row a straight line in an
/// unknown that no earlier one of them has, with a slope that is a number. What is left of the rows
/// goes to `rows`, of the unknowns to `open`.
class OneByOne {
 public:
  OneByOne(const flat::FlatSystem& flat, const structure::DifferentiatedSystem& differentiated)
      : flat_(flat), differentiated_(differentiated), reader_(flat) {}

  void take(const structure::Block& block, std::span<const structure::Index> equations) {
    std::vector<structure::Index> unknowns = block.unknowns();
    for (const auto v : unknowns) unknown_of_[differentiated_.variables[v]] = v;
    for (const auto e : equations)
      if (const auto u = give(differentiated_.residuals[e]))
        std::erase(unknowns, *u);
      else
        rows.push_back(differentiated_.residuals[e]);
    open.insert(open.end(), unknowns.begin(), unknowns.end());
    unknown_of_.clear();
  }

  std::vector<Given> given;
  std::vector<structure::Index> open;
  std::vector<ExprId> rows;

 private:
  std::optional<structure::Index> give(ExprId residual) {
    const std::vector<ExprId> all = free_symbols(*flat_.pool, residual);
    std::vector<ExprId> own;
    for (const ExprId symbol : all)
      if (unknown_of_.contains(symbol) && !seen_.contains(symbol)) own.push_back(symbol);
    const std::vector<structure::Coefficient> coefficients = reader_.read(residual, own);
    std::size_t best = own.size();
    for (std::size_t k = 0; k < own.size(); ++k)
      if (const double size = std::abs(coefficients[k].safe_value);
          size > 0 && (best == own.size() || size > std::abs(coefficients[best].safe_value)))
        best = k;
    if (best == own.size()) return std::nullopt;
    symbolic::ExprPool& pool = *flat_.pool;
    const ExprId rest = substitute(pool, residual, {{own[best], pool.integer(0)}});
    const structure::Index unknown = unknown_of_[own[best]];
    given.push_back({unknown, pool.neg(pool.div(rest, coefficients[best].slope))});
    seen_.insert(all.begin(), all.end());
    return unknown;
  }

  const flat::FlatSystem& flat_;
  const structure::DifferentiatedSystem& differentiated_;
  structure::CoefficientReader reader_;
  std::unordered_map<ExprId, structure::Index> unknown_of_;  // of the block
  std::unordered_set<ExprId> seen_;                          // in rows that gave one
};

}  // namespace

const CompiledIndexTwo& CompiledModel::index_two() const {
  const CompiledIndexOne& one = index_one();
  const std::lock_guard lock(mutex_);
  if (index_two_) return *index_two_;
  auto made = std::make_unique<CompiledIndexTwo>();
  const structure::Structure& s = plan_.structure;

  // An equation of a block stays unless it is the highest version of a constraint whose lower
  // versions are invariants: those take its place.
  std::vector<char> constrained(s.n_sources, 0);
  for (const auto e : one.invariants) constrained[s.equations[e].source] = 1;
  OneByOne one_by_one(simplified_.flat, differentiated_);
  for (const auto& block : one.chart.reduced.blocks) {
    std::vector<structure::Index> equations = block.equations();
    std::erase_if(equations, [&](auto e) { return constrained[s.equations[e].source] != 0; });
    one_by_one.take(block, equations);
  }
  std::vector<structure::Index> order = one.chart.reduced.states;  // of z
  made->n_states = static_cast<std::uint32_t>(order.size());
  order.insert(order.end(), one_by_one.open.begin(), one_by_one.open.end());
  std::vector<ExprId> rows;
  for (const auto v : one.chart.reduced.derivatives) rows.push_back(differentiated_.variables[v]);
  rows.insert(rows.end(), one_by_one.rows.begin(), one_by_one.rows.end());
  for (std::uint32_t i = 0; i < one.invariants.size(); ++i) {
    const auto e = one.invariants[i];
    rows.push_back(differentiated_.residuals[e]);
    if (s.equations[e].order + 1 < plan_.differentiations[s.equations[e].source])
      made->multiplied.push_back(i);
  }

  const auto n_inputs = static_cast<std::uint32_t>(1 + order.size());
  TapeBuilder builder(n_inputs, static_cast<std::uint32_t>(constants_.symbols.size()));
  Lowering lowering(*flat().pool, builder);
  lowering.bind(flat().pool->time(), builder.input(0));
  for (std::uint32_t i = 0; i < constants_.symbols.size(); ++i)
    lowering.bind(constants_.symbols[i], builder.parameter(i));
  std::vector<std::uint32_t> columns;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    lowering.bind(differentiated_.variables[order[k]], builder.input(1 + k));
    made->variables.push_back(place_[order[k]]);
    columns.push_back(1 + k);
  }
  for (const Given& given : one_by_one.given)
    lowering.bind(differentiated_.variables[given.unknown], lowering.lower(given.value));
  for (const ValueId value : lowering.lower(rows)) builder.output(value);
  const Tape tape = std::move(builder).finish();
  made->right_side = make_kernel(tape, backend_);
  made->sparsity = tape_sparsity(tape, columns);
  if (const auto jacobian = tape_jacobian(tape, columns, made->sparsity))
    made->jacobian = make_kernel(*jacobian, backend_);
  index_two_ = std::move(made);
  return *index_two_;
}

}  // namespace alembert::compile
