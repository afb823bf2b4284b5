// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/mechanical_model.hpp"

#include <algorithm>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::compile {

using symbolic::ExprId;

namespace {

/// Places of derivatives of an unknown, from order 0 on.
using Chain = std::vector<std::uint32_t>;

std::vector<Chain> chains_of(const flat::FlatSystem& flat, const structure::StructuralPlan& plan) {
  std::vector<Chain> chains(flat.unknowns.size());
  for (std::size_t j = 0; j < chains.size(); ++j) chains[j].resize(plan.highest_order[j] + 1);
  for (std::uint32_t v = 0; v < plan.structure.variables.size(); ++v)
    chains[plan.structure.variables[v].unknown][plan.structure.variables[v].order] = v;
  return chains;
}

/// rates: derivatives of the positions.
void enter_places(MechanicalModel& model, const structure::MechanicalForm& form,
                  std::span<const ExprId> rates, const std::vector<Chain>& chains) {
  for (const auto j : form.positions) {
    model.position.push_back(chains[j][0]);
    model.velocity.push_back(chains[j][1]);
  }
  model.named_velocity = model.velocity;
  std::vector<const Chain*> chain_of_velocity(form.positions.size(), nullptr);
  for (const auto& definition : form.definitions)
    if (const auto rate = std::ranges::find(rates, definition.value); rate != rates.end()) {
      const auto i = static_cast<std::size_t>(rate - rates.begin());
      model.named_velocity[i] = chains[definition.unknown][0];
      if (chains[definition.unknown].size() > 1) chain_of_velocity[i] = &chains[definition.unknown];
    }
  // Where no constraint was differentiated, only the velocity's own name has a derivative.
  for (std::size_t i = 0; i < form.positions.size(); ++i) {
    const Chain& chain = chains[form.positions[i]];
    ensure(chain.size() > 2 || chain_of_velocity[i] != nullptr, "positions have accelerations");
    model.acceleration.push_back(chain.size() > 2 ? chain[2] : (*chain_of_velocity[i])[1]);
  }
  for (const auto j : form.multipliers) model.multiplier.push_back(chains[j][0]);
}

/// f + (dM/dt) q'
std::vector<ExprId> forces_of(symbolic::ExprPool& pool, const structure::MechanicalForm& form,
                              std::span<const ExprId> rates) {
  const std::size_t n = form.positions.size();
  std::vector<ExprId> forces;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<ExprId> terms{form.force[i]};
    if (!form.constant_mass)
      for (std::size_t k = 0; k < n; ++k)
        terms.push_back(pool.mul(time_derivative(pool, form.mass[i * n + k]), rates[k]));
    forces.push_back(pool.add(terms));
  }
  return forces;
}

/// What follows from known symbols alone, and its derivatives as far as they do. Their places are
/// appended to `defined`.
std::vector<ExprId> definitions_of(symbolic::ExprPool& pool, const structure::MechanicalForm& form,
                                   const std::vector<Chain>& chains, std::vector<ExprId> known,
                                   std::vector<std::uint32_t>& defined) {
  std::ranges::sort(known);
  const auto is_known = [&](ExprId symbol) { return std::ranges::binary_search(known, symbol); };
  std::vector<ExprId> values;
  for (const auto& definition : form.definitions) {
    ExprId value = definition.value;
    for (const std::uint32_t at : chains[definition.unknown]) {
      if (!std::ranges::all_of(free_symbols(pool, value), is_known)) break;
      defined.push_back(at);
      values.push_back(value);
      value = time_derivative(pool, value);
    }
  }
  return values;
}

}  // namespace

MechanicalModel::MechanicalModel(const flat::FlatSystem& flat, std::span<const ExprId> residuals,
                                 const structure::StructuralPlan& plan,
                                 std::span<const ExprId> constants, Backend backend) {
  symbolic::ExprPool& pool = *flat.pool;
  const structure::MechanicalForm form = structure::mechanical_form(flat, residuals);
  n_positions = static_cast<std::uint32_t>(form.positions.size());
  n_constraints = static_cast<std::uint32_t>(form.constraints.size());
  constant_mass = form.constant_mass;
  forces_know_velocities = form.forces_know_velocities;

  std::vector<ExprId> q, rates;
  for (const auto j : form.positions) {
    q.push_back(flat.unknowns[j].symbol);
    rates.push_back(pool.derivative_symbol(q.back()));
  }
  const std::vector<Chain> chains = chains_of(flat, plan);
  enter_places(*this, form, rates, chains);

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
  tapes.forces = tape(forces_of(pool, form, rates));
  tapes.mass = tape(form.mass);
  tapes.reactions = tape(form.reaction);
  constraints = make_kernel(tapes.constraints, backend);
  forces = make_kernel(tapes.forces, backend);
  mass = make_kernel(tapes.mass, backend);
  reactions = make_kernel(tapes.reactions, backend);

  std::vector<ExprId> known = inputs;
  known.insert(known.end(), constants.begin(), constants.end());
  definitions =
      make_kernel(tape(definitions_of(pool, form, chains, std::move(known), defined)), backend);
  if (constant_mass && !forces_know_velocities)
    rattle = make_rattle_kernels({pool, q, rates, constants, form.constraints, matrix, form.force},
                                 size_memory, backend);
}

}  // namespace alembert::compile
