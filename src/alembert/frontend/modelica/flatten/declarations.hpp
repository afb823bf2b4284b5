// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Declarations. In: components of simple types. Out: unknowns,
// discrete variables and parameters with their attributes, and the equations of bindings.
//
// stateSelect becomes a priority: never -1000, avoid -1, default 0, prefer 1, always 1000. A
// constant gets no entry: its value stands where it is used. A String is no quantity of the flat
// system. An input of the model itself that nothing determines is a parameter, whose value is its
// start.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alembert/frontend/modelica/flatten/equations.hpp"
#include "alembert/frontend/modelica/flatten/state.hpp"

namespace alembert::modelica {

/// An input of the model itself without a value.
bool is_free_input(Instance& variable);

class Declarations {
 public:
  Declarations(FlattenState& state, Equations& equations) : state_(state), equations_(equations) {}

  /// An unknown or discrete variable, with the equation of its binding.
  void add_variable(Instance& variable);
  /// Error M310 if the value of a constant depends on a parameter.
  void require_constant_value(Instance& constant);
  /// Reads a parameter. Which parameters the structure of the model depends on is known only when
  /// everything has been read, so they get their values in `add_parameters`.
  void read_parameter(Instance& parameter);
  void add_parameters();

  /// The attribute displayUnit of everything that was added, by name.
  std::map<std::string, std::string, std::less<>> take_display_units() {
    return std::move(display_units_);
  }

 private:
  struct ReadParameter {
    Instance* instance;
    Value symbols;
    std::optional<Value> value;
  };

  void require_when(Instance& variable);
  /// The attribute for each scalar of a component with this many; empty if it is not given.
  std::vector<ExprId> attribute(Instance& component, const char* name, std::size_t n_scalars);
  std::vector<char> flags(Instance& component, const char* name, std::size_t n_scalars);
  /// Error M202 where an Integer shall start with 2.5, and the like.
  void check_start_type(Instance& component, const Value& value, Place place);
  /// What is nearest to zero, of a variable that is fixed at the start and says no value.
  std::vector<ExprId> fallback_starts(Instance& variable, std::size_t n_scalars);
  /// The attribute start, which single entries may get from outside as well.
  std::vector<ExprId> starts(Instance& component, std::size_t n_scalars);
  /// Whether a fixed start is no more than a default of its class, which gives way where equations
  /// or other starts leave no room: the class says so (annotation `__Alembert(starts_yield =
  /// true)`), and nobody else said a part of it.
  bool start_yields(Instance& variable, std::span<const ExprId> starts);
  /// Whether all parameters of this component that the values depend on are as its class has them.
  bool are_defaults(Instance& owner, std::span<const ExprId> values);
  std::vector<std::optional<double>> numbers(Instance& component, const char* name,
                                             std::size_t n_scalars);
  std::string unit(Instance& component) { return text_attribute(component, "unit"); }
  std::string text_attribute(Instance& component, const char* name);
  /// Warning M340, once for each declaration, for one that does not measure what the unit does.
  void note_display_unit(Instance& component, std::size_t n_scalars);
  std::vector<double> state_priorities(Instance& component, std::size_t n_scalars);
  std::string description(Instance& component);
  void add_parameter(const ReadParameter& parameter);
  /// variable = value of its declaration, if there is one.
  void add_binding(Instance& variable, const Value& symbols);

  FlattenState& state_;
  Equations& equations_;
  std::vector<ReadParameter> parameters_;
  std::map<std::string, std::string, std::less<>> display_units_;
  std::set<std::string> warned_of_;  ///< declarations, by their place
};

}  // namespace alembert::modelica
