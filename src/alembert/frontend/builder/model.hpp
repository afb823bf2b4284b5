// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/builder. Models written in C++:
//   Model m("Decay");
//   auto x = m.unknown("x", {.start = 1, .fixed = true});
//   m += der(x) == -m.parameter("k", 0.5) * x;
// In: names, expressions and equations, in any order; each remembers the line it was written in.
// Out: a FlatSystem. Expressions of a model live as long as the model or one of its FlatSystems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <unordered_map>

#include "alembert/flat/flat_system.hpp"
#include "alembert/symbolic/expr.hpp"

namespace alembert::builder {

using symbolic::Equation;
using symbolic::Expr;

struct UnknownOptions {
  std::optional<Expr> start =
      {};  ///< value at the start, where `fixed`; else the first guess of it
  bool fixed = false;
  std::optional<double> min = {};
  std::optional<double> max = {};
  std::optional<double> nominal = {};  ///< typical size
  std::string unit = {};
  std::string description = {};
  double state_priority = 0;  ///< the higher, the rather a state
};

struct QuantityOptions {
  std::string unit = {};
  std::string description = {};
};

struct StartOptions {
  bool fixed = false;
};

/// An equation and the line it was written in; made where an Equation is handed over.
struct LocatedEquation {
  LocatedEquation(const Equation& what,  // NOLINT: `m += equation` shall need no more words
                  std::source_location where = std::source_location::current())
      : equation(what), at(where) {}

  Equation equation;
  std::source_location at;
};

class Model {
 public:
  explicit Model(std::string name, std::source_location at = std::source_location::current());

  /// A quantity to be determined by the equations. Error F004 if the name is taken.
  Expr unknown(std::string_view name, const UnknownOptions& options = {},
               std::source_location at = std::source_location::current());
  /// A quantity that stays constant during a run: a number, an expression of other parameters, or,
  /// without a value, something to be given for each run. Error F004 if the name is taken.
  Expr parameter(std::string_view name, const std::optional<Expr>& value = {},
                 const QuantityOptions& options = {},
                 std::source_location at = std::source_location::current());
  Expr time() const;

  /// Adds an equation: m += der(x) == -x.
  Model& operator+=(const LocatedEquation& equation);
  /// Adds an equation that holds at the start only.
  void initial(const LocatedEquation& equation);
  /// Sets the start value of an unknown or of one of its derivatives, in place of an earlier one.
  /// Error F013 for anything else.
  void start(const Expr& quantity, const Expr& value, const StartOptions& options = {},
             std::source_location at = std::source_location::current());
  /// Gives a name to a quantity that follows from the others. Error F004 if the name is taken.
  void observe(std::string_view name, const Expr& value, const QuantityOptions& options = {},
               std::source_location at = std::source_location::current());

  /// The system as it stands, as data; flat::check says whether it is complete.
  flat::FlatSystem flatten() const { return system_; }

  const std::string& name() const { return system_.name; }
  symbolic::ExprPool& pool() const { return *system_.pool; }

 private:
  enum class Kind : std::uint8_t { time, unknown, parameter, observed };
  struct Declaration {
    Kind kind;
    std::size_t index;  // into the system's list of that kind
  };

  void declare(std::string_view name, Kind kind, const Origin& origin);
  symbolic::ExprId declare_symbol(std::string_view name, Kind kind, const Origin& origin);
  const Origin& origin_of(const Declaration& declaration) const;

  flat::FlatSystem system_;
  // Looked up, never iterated.
  std::unordered_map<std::string, Declaration> declarations_;
  std::unordered_map<symbolic::ExprId, std::size_t> start_index_;  // unknowns, derivative_starts
};

}  // namespace alembert::builder
