// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/builder. Models written in C++:
//   Model m("Decay");
//   auto x = m.unknown("x", {.start = 1, .fixed = true});
//   m += der(x) == -m.parameter("k", 0.5) * x;
// and what changes at events only:
//   m.when(h < 0, {reinit(v, -0.7 * pre(v)), set(bounces, pre(bounces) + 1)});
// In: names, expressions and equations, in any order; each remembers the line it was written in.
// Out: a FlatSystem. Expressions of a model live as long as the model or one of its FlatSystems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/frontend/builder/network.hpp"
#include "alembert/symbolic/expr.hpp"

namespace alembert::builder {

using symbolic::Condition;
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

struct ParameterOptions {
  std::string unit = {};
  std::string description = {};
  bool solved_for = false;  ///< found by the initial equations; the value is the first guess
};

struct DiscreteOptions {
  std::optional<Expr> start = {};  ///< what it is before the start; none: 0
  flat::ValueType type = flat::ValueType::real;
  std::string unit = {};
  std::string description = {};
};

/// What a when-clause does; made by set, reinit and terminate.
struct Action {
  enum class Kind : std::uint8_t { set, reinit, terminate };

  Kind kind;
  Expr target = {};
  Expr value = {};
  std::string message = {};
};

/// A discrete variable gets a value.
Action set(const Expr& variable, const Expr& value);
/// An unknown jumps to a value.
Action reinit(const Expr& unknown, const Expr& value);
/// The run ends, successfully.
Action terminate(std::string message);
/// The value just before an event.
Expr pre(const Expr& quantity);
/// True at the instant at which a Boolean becomes true.
Condition edge(const Expr& boolean);
/// 1 where it holds, else 0: the value of a Boolean.
Expr number(const Condition& condition);

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

class Model;
class Part;

/// A handle to a connector of a model: port["p"] is one of its quantities.
class Connector {
 public:
  Expr operator[](std::string_view quantity) const;
  /// Gives a domain quantity, such as a fluid's density, its value in all the network.
  void define(std::string_view quantity, const Expr& value,
              std::source_location at = std::source_location::current()) const;
  /// Lets the domain of this connector's network be that of the other's as well.
  void same_domain(const Connector& other,
                   std::source_location at = std::source_location::current()) const;
  const std::string& name() const;

 private:
  friend class Model;
  Connector(Model& model, Network::ConnectorId id) : model_(&model), id_(id) {}

  Model* model_;
  Network::ConnectorId id_;
};

/// The first connector of a `connect`, and where that is written.
struct LocatedConnector {
  LocatedConnector(const Connector& what,  // NOLINT: `connect(a, b)` shall need no more words
                   std::source_location where = std::source_location::current())
      : connector(what), at(where) {}

  const Connector& connector;
  std::source_location at;
};

/// Contributions to one equation, `sum of them = 0`, from wherever they come: see Model::balance.
class Balance {
 public:
  Balance& operator+=(const Expr& contribution);
  Balance& operator-=(const Expr& contribution) { return *this += -contribution; }

 private:
  friend class Model;
  Balance(Model& model, std::size_t index) : model_(&model), index_(index) {}

  Model* model_;
  std::size_t index_;
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
                 const ParameterOptions& options = {},
                 std::source_location at = std::source_location::current());
  /// A quantity that changes at events only. Error F004 if the name is taken.
  Expr discrete(std::string_view name, const DiscreteOptions& options = {},
                std::source_location at = std::source_location::current());
  /// The same for truth values, 0 and 1.
  Expr boolean(std::string_view name, std::source_location at = std::source_location::current());
  Expr time() const;

  /// Adds an equation: m += der(x) == -x. One whose left side is a discrete variable gives that
  /// variable: m += open == number(p > 2).
  Model& operator+=(const LocatedEquation& equation);
  /// The equation of an unknown, composed by parts that need not know each other:
  ///   m.balance(x) += mass * der(der(x));   // inertia, here
  ///   m.balance(x) -= lambda * nx;          // a constraint's force, elsewhere
  Balance balance(const Expr& unknown, std::source_location at = std::source_location::current());
  /// Adds an equation that holds at the start only.
  void initial(const LocatedEquation& equation);
  /// Sets the start value of an unknown or of one of its derivatives, in place of an earlier one.
  /// Error F013 for anything else.
  void start(const Expr& quantity, const Expr& value, const StartOptions& options = {},
             std::source_location at = std::source_location::current());
  /// Gives a name to a quantity that follows from the others. Error F004 if the name is taken.
  void observe(std::string_view name, const Expr& value, const QuantityOptions& options = {},
               std::source_location at = std::source_location::current());

  /// A part of the model: a name in front of names (part.hpp).
  Part part(std::string_view name);
  Connector connector(std::string_view name, const ConnectorKind& kind,
                      std::source_location at = std::source_location::current());
  /// Connects two or more connectors: potentials are equal, flows sum to zero.
  template <class... Connectors>
  void connect(const LocatedConnector& a, const Connector& b, const Connectors&... more);

  // Events (model_events.cpp).

  /// Does something when the condition becomes true. Error F015 for an action that cannot be.
  void when(const Condition& condition, std::initializer_list<Action> actions,
            std::source_location at = std::source_location::current());
  /// True at the times start, start + interval, start + 2 interval, ...
  Condition sample(const Expr& start, const Expr& interval,
                   std::source_location at = std::source_location::current());
  /// True while the start is computed.
  Condition at_start();
  /// Must hold all the time. The message may hold values: "{1}" is the first of them.
  void require(const Condition& condition, std::string message, std::vector<Expr> values = {},
               std::source_location at = std::source_location::current());
  /// The same, but the run goes on.
  void expect(const Condition& condition, std::string message, std::vector<Expr> values = {},
              std::source_location at = std::source_location::current());
  /// What a quantity was `time` ago.
  Expr delay(const Expr& quantity, const Expr& time,
             std::source_location at = std::source_location::current());

  /// The system as it stands, as data; flat::check says whether it is complete. Errors F022, F023
  /// about the domains of networks.
  flat::FlatSystem flatten() const;

  const std::string& name() const { return system_.name; }
  symbolic::ExprPool& pool() const { return *system_.pool; }

 private:
  friend class Balance;
  friend class Connector;
  friend class Part;

  enum class Kind : std::uint8_t { time, unknown, parameter, observed, discrete };
  struct Declaration {
    Kind kind;
    std::size_t index;  // into the system's list of that kind
  };

  void declare(std::string_view name, Kind kind, const Origin& origin);
  symbolic::ExprId declare_symbol(std::string_view name, Kind kind, const Origin& origin);
  void assert_that(const Condition& condition, std::string message, const std::vector<Expr>& values,
                   bool is_warning, const Origin& origin);
  bool is_discrete(symbolic::ExprId side) const;
  bool has_unknown(symbolic::ExprId side) const;
  std::string free_name(const std::string& wish) const;
  const Origin& origin_of(const Declaration& declaration) const;
  Connector add_connector(const std::string& owner, std::string_view name,
                          const ConnectorKind& kind, std::source_location at);
  void add_equation(const std::string& path, const LocatedEquation& equation);
  void add_connection(const std::string& within, const Connector& a, const Connector& b,
                      std::source_location at);

  /// A system, complete but for its connectors, as the part `path` (include.cpp).
  void include(const std::string& path, const flat::FlatSystem& system);
  Expr value_of(const std::string& parameter) const;
  Connector connector_of_symbols(const std::string& owner, std::string_view name,
                                 const ConnectorKind& kind,
                                 const std::vector<std::string>& quantities,
                                 std::source_location at);

  struct BalanceEntry {
    symbolic::ExprId unknown;
    Expr sum;
    Origin origin;
  };

  flat::FlatSystem system_;
  Network network_;
  std::vector<BalanceEntry> balances_;
  std::unordered_map<symbolic::ExprId, std::size_t> balance_index_;  // looked up, never iterated
  // Looked up, never iterated.
  std::unordered_map<std::string, Declaration> declarations_;
  std::unordered_map<symbolic::ExprId, std::size_t> start_index_;  // unknowns, derivative_starts
};

}  // namespace alembert::builder
