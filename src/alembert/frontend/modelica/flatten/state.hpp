// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. What the parts of the flattener share while a model is put
// together.
#pragma once

#include <string>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/frontend/modelica/evaluate/evaluator.hpp"
#include "alembert/frontend/modelica/flatten/clock_records.hpp"
#include "alembert/frontend/modelica/flatten/components.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"

namespace alembert::modelica {

/// An equation between two scalars on its way into the flat system.
struct ScalarEquation {
  ExprId left;
  ExprId right;
  bool discrete = false;  ///< between Booleans, Integers or enumerations
  Place place;
  ExprId clock = {};  ///< of the when-equation in which it stands, if that has one
};

struct FlattenState {
  InstanceTree& tree;
  Evaluator& evaluator;
  symbolic::ExprPool& pool;
  flat::FlatSystem& system;
  Components components = {};
  ClockRecords clocks = {};
  std::vector<ExprId> final_parameters = {};  ///< nobody may set them
  std::size_t n_implicit = 0;   ///< implicit `inner` components that `components` has already
  bool is_open = false;         ///< connectors of the model itself will be connected by others
  Instance* current = nullptr;  ///< the component whose equations are being read

  Origin origin(Place place) const {
    return origin_of(place, current ? current->full_name() : std::string());
  }

  /// All components of the model, as it is now.
  void walk() {
    components = walk_model(tree.model());
    n_implicit = 0;
    take_implicit_inners();
  }

  /// `inner` components that nobody declared come about while others are looked at; they are added
  /// to `components`.
  void take_implicit_inners() {
    for (; n_implicit < tree.implicit_inners().size(); ++n_implicit)
      walk_component(*tree.implicit_inners()[n_implicit], components);
  }

  /// Puts the equation where it belongs.
  void add(const ScalarEquation& equation) {
    auto& list = equation.discrete ? system.discrete_equations : system.equations;
    if (equation.clock.valid())
      (equation.discrete ? clocks.discrete_in_when : clocks.in_when)
          .emplace_back(list.size(), equation.clock);
    list.push_back(
        {.left = equation.left, .right = equation.right, .origin = origin(equation.place)});
  }
};

}  // namespace alembert::modelica
