// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/compiled_index_one.hpp"

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/chart_tape.hpp"
#include "alembert/compile/model/compiled_model.hpp"

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

const CompiledIndexTwo& CompiledModel::index_two() const {
  const CompiledIndexOne& one = index_one();
  const std::lock_guard lock(mutex_);
  if (index_two_) return *index_two_;
  auto made = std::make_unique<CompiledIndexTwo>();
  const structure::Structure& s = plan_.structure;
  std::vector<std::uint32_t> place_in_z(s.variables.size());
  std::vector<structure::Index> order;  // of z: variables of the structure
  for (const auto v : one.chart.reduced.states) order.push_back(v);
  made->n_states = static_cast<std::uint32_t>(order.size());
  for (const auto& block : one.chart.reduced.blocks)
    for (const auto v : block.unknowns()) order.push_back(v);
  std::vector<ExprId> inputs{flat().pool->time()};
  std::vector<std::uint32_t> columns;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    place_in_z[order[k]] = k;
    made->variables.push_back(place_[order[k]]);
    inputs.push_back(differentiated_.variables[order[k]]);
    columns.push_back(1 + k);
  }
  for (const auto v : one.chart.reduced.derivatives) made->derivative.push_back(place_in_z[v]);

  // An equation of a block stays unless it is the highest version of a constraint whose lower
  // versions are invariants: those take its place.
  std::vector<char> constrained(s.n_sources, 0);
  for (const auto e : one.invariants) constrained[s.equations[e].source] = 1;
  std::vector<ExprId> rows;
  for (const auto& block : one.chart.reduced.blocks)
    for (const auto e : block.equations())
      if (!constrained[s.equations[e].source]) rows.push_back(differentiated_.residuals[e]);
  for (std::uint32_t i = 0; i < one.invariants.size(); ++i) {
    const auto e = one.invariants[i];
    rows.push_back(differentiated_.residuals[e]);
    if (s.equations[e].order + 1 < plan_.differentiations[s.equations[e].source])
      made->multiplied.push_back(i);
  }
  const Tape tape = lower(*flat().pool, inputs, constants_.symbols, rows);
  made->algebraic = make_kernel(tape, backend_);
  made->sparsity = tape_sparsity(tape, columns);
  if (const auto jacobian = tape_jacobian(tape, columns, made->sparsity))
    made->jacobian = make_kernel(*jacobian, backend_);
  index_two_ = std::move(made);
  return *index_two_;
}

}  // namespace alembert::compile
