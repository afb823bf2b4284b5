// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Equation sections. In: equations as parsed and where their
// names are looked up. Out: equations between scalars; asserts, reinits and terminations go to the
// flat system at once. when-equations are rewritten as flat_system.hpp says.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "alembert/frontend/modelica/flatten/events.hpp"
#include "alembert/frontend/modelica/flatten/state.hpp"

namespace alembert::modelica {

class Equations {
 public:
  Equations(FlattenState& state, Events& events) : state_(state), events_(events) {}

  /// All but connect, which belongs to Connections.
  std::vector<ScalarEquation> of_section(const ScopedEquations& section);
  /// left = right, scalar by scalar. Error M311 if they do not fit together.
  void equate(const Value& left, const Value& right, Place place,
              std::vector<ScalarEquation>& equations);

  /// What an assert, terminate or reinit of an equation or a statement brings about, under a
  /// condition (none: always).
  void add_assertion(ExprId condition, const Text& message, bool is_warning, Place place);
  ExprId kept_from_events(ExprId condition, Place place);
  ExprId kept_where_it_fails(ExprId condition, ExprId value, Place place);
  /// A discrete variable that no result shows.
  void declare_hidden(ExprId symbol, flat::ValueType type, Place place);
  void add_hidden(ExprId symbol, flat::ValueType type, ExprId value, Place place);
  void add_termination(ExprId condition, const Text& message, Place place);
  void add_reinit(ExprId condition, ExprId unknown, ExprId value, Place place);
  /// Under which the equations that are being read hold; none: always.
  ExprId guard() const { return guard_; }
  bool in_when() const { return in_when_ || in_clocked_when_; }
  bool in_clocked_when() const { return in_clocked_when_; }
  /// Whether what follows belongs to an initial section: what it asserts counts at the start only.
  void set_initial(bool initial) { in_initial_ = initial; }
  bool in_initial() const { return in_initial_; }
  /// A call that is made at events, whoever needs its result.
  void add_performed(ExprId call, Place place);

 private:
  /// What the branch of a when-equation assigns, in order.
  struct Assigned {
    std::vector<std::pair<ExprId, ExprId>> values;  // symbol, value
    std::vector<Place> places;
    std::unordered_map<ExprId, std::size_t> index;  // by symbol; looked up, never iterated

    void set(ExprId symbol, ExprId value, Place place);
    ExprId find(ExprId symbol) const;
  };
  struct Branch {
    ExprId condition;  // none for else
    std::vector<ScalarEquation> equations;
  };

  std::optional<ExprId> clock_of_when(const Equation& equation, const EvaluationScope& scope);
  void clocked_when(const Equation& equation, ExprId clock, const EvaluationScope& scope,
                    std::vector<ScalarEquation>& out);
  void read(List<const Equation*> equations, const EvaluationScope& scope,
            std::vector<ScalarEquation>& out);
  void read_one(const Equation& equation, const EvaluationScope& scope,
                std::vector<ScalarEquation>& out);
  void equality(const Equation& equation, const EvaluationScope& scope,
                std::vector<ScalarEquation>& out);
  void if_equation(const Equation& equation, const EvaluationScope& scope,
                   std::vector<ScalarEquation>& out);
  void for_equation(const Equation& equation, std::size_t iterator, const EvaluationScope& scope,
                    std::vector<ScalarEquation>& out);
  void merge(std::vector<Branch>& branches, const Equation& equation,
             std::vector<ScalarEquation>& out);
  void call(const Equation& equation, const EvaluationScope& scope);
  void assertion(const Expression& call, const EvaluationScope& scope);
  void termination(const Expression& call, const EvaluationScope& scope);
  void reinit(const Expression& call, const EvaluationScope& scope);

  void when_equation(const Equation& equation, const EvaluationScope& scope,
                     std::vector<ScalarEquation>& out);
  ExprId when_condition(const Expression& condition, const EvaluationScope& scope);
  void read_when(List<const Equation*> body, const EvaluationScope& scope, Assigned& assigned);
  void require_own_target(const Expression& target, const EvaluationScope& scope);
  void require_not_from_itself(const Equation& equation, const ScalarEquation& scalar);
  void when_equality(const Equation& equation, const EvaluationScope& scope, Assigned& assigned);
  void when_if(const Equation& equation, const EvaluationScope& scope, Assigned& assigned);
  void when_for(const Equation& equation, std::size_t iterator, const EvaluationScope& scope,
                Assigned& assigned);

  /// The condition of an if-equation: decided, or an expression.
  struct Condition {
    bool is_known = false;
    bool holds = false;
    ExprId expression = {};
  };
  Condition condition_of(const Expression& condition, const EvaluationScope& scope);
  ExprId guarded_by(ExprId guard, ExprId condition);
  void require_discrete_texts(ExprId left, ExprId right, Place place);
  ExprId not_(ExprId condition);

  FlattenState& state_;
  Events& events_;
  ExprId guard_ = {};     // under which the equations being read hold; none: always
  bool in_when_ = false;  // guard_ is an edge
  bool in_clocked_when_ = false;
  std::vector<ScalarEquation> performed_at_ticks_ = {};  // of the when-equation being read
  bool in_initial_ = false;
  Place when_ = {};  // of the when-equation being read
  /// The when-equations that change states. Looked up, never iterated.
  std::unordered_map<ExprId, Place> reinit_in_ = {};
};

}  // namespace alembert::modelica
