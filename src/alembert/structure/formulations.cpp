// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/formulations.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"

namespace alembert::structure {

MassMatrixForm mass_matrix_form(const DifferentiatedSystem& differentiated,
                                const ReducedSystem& reduced) {
  MassMatrixForm form;
  form.unknowns = reduced.states;
  form.n_differential = static_cast<Index>(reduced.states.size());
  for (const Index v : reduced.derivatives) form.right_side.push_back(differentiated.variables[v]);
  for (const Block& block : reduced.blocks) {
    form.unknowns.insert(form.unknowns.end(), block.tears.begin(), block.tears.end());
    for (const Index e : block.residuals) form.right_side.push_back(differentiated.residuals[e]);
    form.assignments.insert(form.assignments.end(), block.assignments.begin(),
                            block.assignments.end());
  }
  form.mass.assign(form.unknowns.size(), 0.0);
  std::fill_n(form.mass.begin(), form.n_differential, 1.0);
  return form;
}

ImplicitForm implicit_form(const StructuralPlan& plan, const DifferentiatedSystem& differentiated,
                           const ReducedSystem& reduced) {
  const Structure& s = plan.structure;
  std::vector<char> is_state(s.variables.size(), 0);
  std::vector<Index> rate_of(s.variables.size(), none);  // state whose derivative it is
  for (std::size_t k = 0; k < reduced.states.size(); ++k) is_state[reduced.states[k]] = 1;
  for (std::size_t k = 0; k < reduced.states.size(); ++k)
    rate_of[reduced.derivatives[k]] = reduced.states[k];

  ImplicitForm form;
  std::vector<Index> place(s.variables.size(), none);
  for (Index v = 0; v < s.variables.size(); ++v) {
    if (!is_state[v] && rate_of[v] != none) continue;  // is y' of a state
    place[v] = form.size();
    form.unknowns.push_back(v);
  }
  form.rates.resize(form.unknowns.size());
  form.differential.assign(form.unknowns.size(), 0);
  for (std::size_t k = 0; k < reduced.states.size(); ++k) {
    const Index state = reduced.states[k];
    const Index derivative = reduced.derivatives[k];
    form.differential[place[state]] = 1;
    if (is_state[derivative])
      form.links.push_back({place[state], place[derivative]});
    else
      form.rates[place[state]] = differentiated.variables[derivative];
  }
  form.residuals = differentiated.residuals;
  std::vector<Index> row;
  for (Index e = 0; e < s.equations.size(); ++e) {
    row.clear();
    for (const Index v : s.incidence[e])
      row.push_back(place[v] != none ? place[v] : place[rate_of[v]]);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    form.incidence.items.insert(form.incidence.items.end(), row.begin(), row.end());
    form.incidence.end_list();
  }
  ensure(form.residuals.size() + form.links.size() == form.unknowns.size(),
         "a fully implicit system is square");
  return form;
}

OpenSlopeForm open_slope_form(const ReducedSystem& reduced, Index n_variables) {
  const auto n_states = static_cast<Index>(reduced.states.size());
  std::vector<Index> state_of(n_variables, none);  // by its slope, where a block gives that
  for (Index i = 0; i < n_states; ++i) state_of[reduced.derivatives[i]] = i;
  for (const Index v : reduced.states) state_of[v] = none;
  OpenSlopeForm form{{}, std::vector<Index>(n_states, none)};
  for (const Block& block : reduced.blocks) {
    const std::vector<Index> unknowns = block.unknowns();
    const bool opens = block.kind != Block::Kind::assign &&
                       std::ranges::all_of(unknowns, [&](Index v) { return state_of[v] != none; });
    form.is_open.push_back(opens);
    if (!opens) continue;
    const std::vector<Index> equations = block.equations();
    for (std::size_t k = 0; k < unknowns.size(); ++k)
      form.equation_of[state_of[unknowns[k]]] = equations[k];
  }
  return form;
}

}  // namespace alembert::structure
