// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/one_by_one.hpp"

namespace alembert::structure {

std::vector<Index> rows_of_level(const StructuralPlan& plan, const SelectionPart& part,
                                 Index level) {
  std::vector<Index> rows;
  for (const Index r : part.rows)
    if (plan.differentiations[plan.selection_rows[r]] >= level) rows.push_back(r);
  return rows;
}

bool OneByOne::can_be_found(const SelectionPart& part, Index level) {
  const std::vector<Index> rows = rows_of_level(plan_, part, level);
  std::vector<std::vector<Index>> users;  // places among the rows
  for (const Index j : part.unknowns)
    if (chart_.n_dummies[j] >= level) {
      local_[j] = static_cast<Index>(users.size());
      users.emplace_back();
    }
  std::vector<Index> n_open(rows.size(), 0);
  for (Index i = 0; i < rows.size(); ++i)
    for (const Index j : plan_.selection_incidence[rows[i]])
      if (local_[j] != none) {
        ++n_open[i];
        users[local_[j]].push_back(i);
      }
  std::vector<Index> ready;
  for (Index i = 0; i < rows.size(); ++i)
    if (n_open[i] == 1) ready.push_back(i);
  std::size_t n_found = 0;
  for (; n_found < ready.size(); ++n_found) {
    const Index found = last_open(rows[ready[n_found]]);
    if (found == none) break;  // another row gave it already, or its coefficient may vanish
    for (const Index i : users[local_[found]])
      if (--n_open[i] == 1) ready.push_back(i);
    local_[found] = none;
  }
  for (const Index j : part.unknowns) local_[j] = none;
  return n_found == rows.size();
}

Index OneByOne::last_open(Index row) const {
  for (std::size_t k = plan_.selection_incidence.begin[row];
       k < plan_.selection_incidence.begin[row + 1]; ++k) {
    const Index j = plan_.selection_incidence.items[k];
    if (local_[j] == none) continue;
    return pool_.is_number(jacobian_[k]) && pool_.number_of(jacobian_[k]).value() != 0 ? j : none;
  }
  return none;
}

}  // namespace alembert::structure
