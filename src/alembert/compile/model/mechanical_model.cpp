// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/mechanical_model.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::compile {

using symbolic::ExprId;

MechanicalModel::MechanicalModel(const flat::FlatSystem& flat, std::span<const ExprId> residuals,
                                 const structure::StructuralPlan& plan,
                                 std::span<const ExprId> constants, Backend backend) {
  symbolic::ExprPool& pool = *flat.pool;
  const structure::MechanicalForm form = structure::mechanical_form(flat, residuals);
  n_positions = static_cast<std::uint32_t>(form.positions.size());
  n_constraints = static_cast<std::uint32_t>(form.constraints.size());
  constant_mass = form.constant_mass;
  forces_know_velocities = form.forces_know_velocities;

  std::vector<std::vector<std::uint32_t>> place(flat.unknowns.size());
  for (std::size_t j = 0; j < place.size(); ++j) place[j].resize(plan.highest_order[j] + 1);
  for (std::uint32_t v = 0; v < plan.structure.variables.size(); ++v)
    place[plan.structure.variables[v].unknown][plan.structure.variables[v].order] = v;

  std::vector<ExprId> q, rates;
  for (const auto j : form.positions) {
    q.push_back(flat.unknowns[j].symbol);
    rates.push_back(pool.derivative_symbol(q.back()));
    position.push_back(place[j][0]);
    velocity.push_back(place[j][1]);
  }
  named_velocity = velocity;
  std::vector<const std::vector<std::uint32_t>*> chain_of_velocity(n_positions, nullptr);
  for (const auto& definition : form.definitions)
    if (const auto rate = std::ranges::find(rates, definition.value); rate != rates.end()) {
      const auto i = static_cast<std::size_t>(rate - rates.begin());
      named_velocity[i] = place[definition.unknown][0];
      if (place[definition.unknown].size() > 1) chain_of_velocity[i] = &place[definition.unknown];
    }
  // Where no constraint was differentiated, only the velocity's own name has a derivative.
  for (std::size_t i = 0; i < n_positions; ++i) {
    const std::vector<std::uint32_t>& chain = place[form.positions[i]];
    ensure(chain.size() > 2 || chain_of_velocity[i] != nullptr, "positions have accelerations");
    acceleration.push_back(chain.size() > 2 ? chain[2] : (*chain_of_velocity[i])[1]);
  }
  for (const auto j : form.multipliers) multiplier.push_back(place[j][0]);

  std::vector<ExprId> inputs{pool.time()};
  inputs.insert(inputs.end(), q.begin(), q.end());
  inputs.insert(inputs.end(), rates.begin(), rates.end());
  const auto tape = [&](std::span<const ExprId> outputs) {
    return lower(pool, inputs, constants, outputs);
  };

  std::vector<ExprId> constraint_outputs = form.constraints;
  for (const ExprId g : form.constraints) constraint_outputs.push_back(time_derivative(pool, g));
  const symbolic::SparseExprMatrix matrix = symbolic::jacobian(pool, form.constraints, q);
  for (std::uint32_t i = 0; i < n_constraints; ++i)
    for (auto e = matrix.row_start[i]; e < matrix.row_start[i + 1]; ++e) {
      jacobian.push_back({i, matrix.column[e]});
      constraint_outputs.push_back(matrix.value[e]);
    }
  tapes.constraints = tape(constraint_outputs);

  std::vector<ExprId> force_outputs;
  for (std::size_t i = 0; i < n_positions; ++i) {
    std::vector<ExprId> terms{form.force[i]};
    if (!constant_mass)
      for (std::size_t k = 0; k < n_positions; ++k)
        terms.push_back(pool.mul(time_derivative(pool, form.mass[i * n_positions + k]), rates[k]));
    force_outputs.push_back(pool.add(terms));
  }
  tapes.forces = tape(force_outputs);
  tapes.mass = tape(form.mass);
  tapes.reactions = tape(form.reaction);

  std::vector<ExprId> known_symbols = inputs;
  known_symbols.insert(known_symbols.end(), constants.begin(), constants.end());
  std::sort(known_symbols.begin(), known_symbols.end());
  std::vector<ExprId> definition_outputs;
  for (const auto& definition : form.definitions) {
    ExprId value = definition.value;
    for (const std::uint32_t at : place[definition.unknown]) {
      const auto symbols = free_symbols(pool, value);
      if (!std::ranges::all_of(symbols, [&](ExprId s) {
            return std::binary_search(known_symbols.begin(), known_symbols.end(), s);
          }))
        break;
      defined.push_back(at);
      definition_outputs.push_back(value);
      value = time_derivative(pool, value);
    }
  }
  constraints = make_kernel(tapes.constraints, backend);
  forces = make_kernel(tapes.forces, backend);
  mass = make_kernel(tapes.mass, backend);
  reactions = make_kernel(tapes.reactions, backend);
  definitions = make_kernel(tape(definition_outputs), backend);
  if (constant_mass && !forces_know_velocities)
    rattle = make_rattle_kernels({pool, q, rates, constants, form.constraints, matrix, form.force},
                                 size_memory, backend);
}

}  // namespace alembert::compile
