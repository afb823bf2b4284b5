// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate, inside. The state and the methods of `Evaluator`, one file of
// definitions for each group below.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "alembert/base/for_now.hpp"
#include "alembert/frontend/modelica/evaluate/arrays.hpp"
#include "alembert/frontend/modelica/evaluate/execution.hpp"
#include "alembert/frontend/modelica/evaluate/function_table.hpp"
#include "alembert/frontend/modelica/evaluate/scalars.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"

namespace alembert::symbolic {
class CalledFunction;
}

namespace alembert::modelica {

class CFunction;
struct CInputs;
struct CSources;
struct ExternalCall;

class Evaluation {
 public:
  Evaluation(symbolic::ExprPool& pool, ModelHooks& hooks);

  // --- expressions.cpp
  Value evaluate(const Expression& expression, const EvaluationScope& scope);
  /// What references name, not what an algorithm has assigned so far.
  Value evaluate_raw(const Expression& expression, const EvaluationScope& scope);
  Value constant(const Expression& expression, const EvaluationScope& scope);
  /// Error M201 if anything in it is not known.
  void require_known(const Value& value, Place place);
  bool is_known(const Value& value) const;
  ExprId condition(const Expression& expression, const EvaluationScope& scope);
  /// The condition, with parameters that choose variants replaced by their values.
  ExprId decided(ExprId condition);
  Value real_number(double value);
  Value integer_number(std::int64_t value);
  Value truth_value(bool value);

  // --- references.cpp
  Value reference(const ComponentReference& reference, const EvaluationScope& scope);
  Denotation lookup(const ComponentReference& reference, const EvaluationScope& scope);
  /// The component that a reference means, without evaluating it; entries of arrays by constant
  /// subscripts. Null if it is a local, or an element of an array of a simple type (then `index`
  /// has its subscripts).
  struct Located {
    Instance* instance = nullptr;
    std::vector<std::int64_t> index;  ///< from 0, of an element of an array of a simple type
  };
  static void require_unconditional(Instance& component, Place place);
  void require_index_types(Instance& component, const ReferencePart& part,
                           const EvaluationScope& scope);
  Instance* function_of_component(Instance& component, const ComponentReference& callee,
                                  std::size_t next);
  Located locate(const Expression& expression, const EvaluationScope& scope);
  std::vector<IndexChoice> subscripts(List<const Expression*> written,
                                      std::span<const std::int64_t> dims,
                                      const EvaluationScope& scope, const std::string& what,
                                      std::vector<std::pair<std::size_t, ExprId>>* undecided);
  /// value[written...], undecided subscripts by choices.
  Value subscripted(const Value& value, List<const Expression*> written,
                    const EvaluationScope& scope, const std::string& what, Place place);

  // --- components.cpp
  Value value_of(Instance& component);
  Value constant_of(Instance& component, Place place);
  std::optional<Value> binding_of(Instance& component);
  /// The value of an array with the entries that were set from outside.
  Value with_entry_values(Instance& component, Value value);
  Value binding_value(const Binding& binding);
  Value constant_binding_value(const Binding& binding);
  bool is_evaluated(const Instance& parameter) const { return evaluated_.contains(&parameter); }
  std::shared_ptr<const EnumerationType> enumeration_type(Instance& type);
  std::shared_ptr<const RecordType> record_type(Instance& type);
  /// A value of that type and size whose scalars are none.
  Value blank(Instance& component, const Dims& dims);
  Value fitted(Value value, const Value& target, const std::string& what, Place place);
  std::vector<ExprId> numeric_scalars(const Value& value);
  /// Conditions as they are, and texts as the numbers that stand for them.
  std::vector<ExprId> scalars_and_texts(const Value& value);

  // --- calls.cpp
  Value call(const Expression& expression, const EvaluationScope& scope);
  /// All outputs: a tuple if the function has several.
  Value call_outputs(const Expression& expression, const EvaluationScope& scope);
  Value call_function(Instance& function, std::vector<Argument> arguments, Place place);
  /// With `Value::function`.
  Value call_value(const Value& function, std::vector<Argument> arguments, Place place);
  std::vector<Argument> arguments(const Expression& call, const EvaluationScope& scope);
  Value construct_record(Instance& record, std::vector<Argument> arguments, Place place);
  Value partial_application(const Expression& expression, const EvaluationScope& scope);
  const FunctionHead& head(Instance& function);
  Value range_of_type(Instance& type);

  // --- builtins: builtin_*.cpp
  Value call_builtin(const CallSite& site, std::string_view name);
  /// Of functions that only see values; null if there is none of that name.
  using PlainBuiltin = Value (Evaluation::*)(std::vector<Value>& arguments, Place place);
  static PlainBuiltin plain_builtin(std::string_view name);
  Value reduction(const Expression& expression, const EvaluationScope& scope);
  Value comprehension(const Expression& expression, const EvaluationScope& scope);
  Value string_of(const CallSite& site);

  // --- operator_records.cpp
  std::optional<Value> overloaded_unary(Operator op, const Value& a, Place place);
  std::optional<Value> overloaded_binary(Operator op, const Value& a, const Value& b, Place place);
  /// The function of an operator that fits the arguments; nothing if none does.
  std::optional<Value> overloaded(Instance& operator_class, std::vector<Argument>& arguments,
                                  Place place);
  bool accepts(Instance& function, const std::vector<Argument>& arguments);
  std::optional<Value> converted(const Value& value, Instance& record, Place place);
  std::optional<Value> scalar_operation(const std::string& op, const Value& a, const Value& b,
                                        Place place);
  std::optional<Value> record_product(const Value& a, const Value& b, Place place);
  std::optional<Value> overloaded_call(Instance& record, std::string_view op,
                                       std::vector<Argument>& arguments, Place place);

  // --- statements.cpp
  Value execute(Instance& function, std::vector<Value> inputs, Place place);
  void run(List<const Statement*> statements, Execution& execution, const EvaluationScope& scope);
  std::vector<Assignment> run_algorithm(List<const Statement*> statements,
                                        const EvaluationScope& scope);

  // --- external/external_call.cpp
  /// Counts objects in the order in which they are first used.
  std::size_t object_number(const std::shared_ptr<const ExternalObject>& object);
  /// Functions of a pool are named by these numbers: all who evaluate for one pool share them.
  using ObjectList = std::vector<std::shared_ptr<const ExternalObject>>;
  std::shared_ptr<ObjectList> objects = std::make_shared<ObjectList>();
  void call_external(Instance& function, Execution& execution, Place place);

  // --- external/c_calls.cpp
  /// External, and not one of ours.
  static bool is_in_c(Instance& function);
  enum class CUse : std::uint8_t { input, output, size };
  void call_written_c(Instance& function, ExternalCall& call, Execution& execution);
  void call_bare_c(Instance& function, ExternalCall& call, Execution& execution);
  /// `result` tells the type of what C returns; null: nothing.
  void call_c(Instance& function, ExternalCall& call, const std::vector<CUse>& uses,
              const Value* result);
  /// Puts what it gives into the fields of `given_back`: at once, or as calls in the run.
  void call_c_now(Instance& function, const ExternalCall& call, const CFunction& native,
                  CInputs& inputs, Value& given_back);
  void call_c_in_the_run(Instance& function, std::shared_ptr<const CFunction> native,
                         CInputs inputs, bool is_guarded, Value& given_back);
  CSources c_sources(Instance& function, const ExternalCall& call);
  std::shared_ptr<const CFunction> c_destructor(Instance& destructor, const ExternalCall& call);

  /// Run-time calls look things up again: what this keeps alive must hold library, tree and
  /// evaluator.
  std::shared_ptr<const void> keep_alive;

  // --- run_time_calls.cpp
  /// With `active` it runs only where that holds; if it is impure, once at each such instant.
  Value run_time_call(Instance& function, const std::vector<Value>& inputs,
                      const NeedsNumbers& reason, Place place, ExprId active = {},
                      bool is_impure = false);

  // --- outlines.cpp
  /// A call of the function as a body of its own, made when it is not there yet; nothing where that
  /// cannot be done.
  std::optional<Value> outlined_call(Instance& function, const std::vector<Value>& inputs,
                                     Place place);
  /// True if it is better as a body of its own than as part of each caller.
  bool is_large(const Value& result, const std::vector<Value>& inputs);

  symbolic::ExprPool& pool() { return scalars.pool(); }

  Scalars scalars;
  ModelHooks* hooks;
  bool constants_only = false;  ///< parameters give numbers
  bool raw_references = false;  ///< inside pre, der: what an algorithm assigned is not looked at
  std::vector<std::int64_t> end_values;  ///< of the dimensions that are being subscripted
  Execution* algorithm = nullptr;        ///< of a model, while it runs
  int call_depth = 0;
  int undecided_depth = 0;  ///< inside of so many branches that may not be taken

 private:
  friend class RunTimeFunction;
  friend class ToldCalculus;
  friend class UndecidedLoop;
  using Builtin = Value (Evaluation::*)(const CallSite& site);
  static Builtin site_builtin(std::string_view name);

  // expressions.cpp
  Value if_expression(const Expression& expression, const EvaluationScope& scope);
  Value range_expression(const Expression& expression, const EvaluationScope& scope);
  Value matrix_expression(const Expression& expression, const EvaluationScope& scope);
  Value unary_expression(const Expression& expression, const EvaluationScope& scope);
  Value binary_expression(const Expression& expression, const EvaluationScope& scope);
  Value logical_expression(const Expression& expression, const EvaluationScope& scope);
  void note_real_equality(const Expression& expression, const Value& a, const Value& b);

  // references.cpp
  Value member_path(Value value, List<ReferencePart> parts, std::size_t next,
                    const EvaluationScope& scope);
  Value component_path(Instance& instance, List<ReferencePart> parts, std::size_t k,
                       const EvaluationScope& scope);
  Value array_path(Instance& array, List<ReferencePart> parts, std::size_t k,
                   const EvaluationScope& scope);
  Value picked(const Value& array, std::size_t dimension, ExprId index, Place place);
  /// Element by subscripts that are known only in the run, in an array of numbers.
  Value picked_from_numbers(const Value& array,
                            std::span<const std::pair<std::size_t, ExprId>> indices);
  Value subscript_value(const Expression& expression, std::int64_t end,
                        const EvaluationScope& scope);
  symbolic::FunctionId table_function(std::vector<double> table, const Dims& dims);
  Value as_assigned(Value value);
  ExprId start_of_algorithm(ExprId symbol, ValueKind kind);
  Value member_of_class(Instance& member, List<ReferencePart> parts, std::size_t k,
                        const EvaluationScope& scope);

  // components.cpp
  Value compute_value(Instance& component);
  Value symbols_of(Instance& component);
  Value structured_value(Instance& component);
  Value compute_constant(Instance& component, Place place);
  bool wants_evaluation(Instance& parameter);
  bool is_found_at_start(Instance& parameter);
  bool has_known_value(Instance& parameter);
  Value fields_by_name(const Value& value, const Value& target, const std::string& what,
                       Place place);

  // calls.cpp
  Value call_class(Instance& class_, const Expression& call, const EvaluationScope& scope);
  Value call_bound(Instance& function, std::vector<Value> inputs, Place place);
  /// Error, or NeedsNumbers, where the function cannot be executed here.
  void require_executable(Instance& function, const std::vector<Value>& inputs, Place place);
  bool is_given_known(const Value& value) const;
  struct Executed {
    Value value;
    Failure failure;
  };
  /// By its statements, or as a call of a body of its own. `path`: where the outermost call is
  /// asked for; none: always.
  Executed execute_or_outline(Instance& function, const std::vector<Value>& inputs, ExprId path,
                              Place place);
  std::vector<Value> bound_inputs(Instance& function, std::vector<Argument> arguments, Place place);
  std::optional<Value> vectorised(Instance& function, const std::vector<Value>& inputs,
                                  Place place);
  void append_key(const Value& value, std::vector<std::uint64_t>& key);
  bool is_partial_function(Instance& function);
  /// `function f_x = der(f, x)`: partial_derivatives.cpp.
  Value partial_derivative(Instance& function, Instance& base, std::vector<Value> inputs,
                           Place place);
  bool is_active(const Instance& function) const;
  /// It calls itself in a branch that may not be taken.
  bool is_recursive_by_choice(const Instance& function) const;
  static bool is_impure(Instance& function);
  /// An impure function in the model: error M216 where time goes on, a call of the run at events;
  /// nothing where it runs at once.
  std::optional<Value> impure_call(Instance& function, const std::vector<Value>& inputs,
                                   Place place);
  /// Where the call that is being evaluated in the model is asked for; none: always.
  ExprId undecided_path();
  Value default_value(const Binding& binding, const Locals& locals);
  Dims declared_dims(Instance& component, const Value* given, const Locals& locals, Place place);
  Value as_declared(Value value, Instance& component, const Locals& locals, const std::string& what,
                    Place place);
  Value as_record(Value value, Instance& component, std::size_t n_outer, const std::string& what,
                  Place place);
  std::optional<Dims> common_extra_dims(Instance& function, const std::vector<Value>& inputs,
                                        Place place);

  // builtins that see the call
  Value der(const CallSite& site);
  Value pre(const CallSite& site);
  Value edge(const CallSite& site);
  Value change(const CallSite& site);
  Value initial(const CallSite& site);
  Value terminal(const CallSite& site);
  Value sample(const CallSite& site);
  Value delay(const CallSite& site);
  Value spatial_distribution(const CallSite& site);
  Value no_event(const CallSite& site);
  Value smooth(const CallSite& site);
  Value homotopy(const CallSite& site);
  Value in_stream(const CallSite& site);
  Value actual_stream(const CallSite& site);
  Value cardinality(const CallSite& site);
  Value is_root(const CallSite& site);
  Value rooted(const CallSite& site);
  Value instance_name(const CallSite& site);
  Value size(const CallSite& site);
  Value ndims(const CallSite& site);
  Value pure(const CallSite& site);
  Value unsupported(const CallSite& site);
  Value raw_argument(const CallSite& site, std::size_t k);
  ExprId without_events(ExprId id);
  void strip_events(Value& value);
  /// In a function no comparison makes an event, unless its annotation GenerateEvents says so or
  /// what it gives changes only at events.
  bool makes_events(Instance& function);
  Value quiet_in_functions(Value value);
  void smooth_scalars(ExprId order, Value& value);
  void differentiate_in_time(Value& value, Place place);
  ExprId previous(ExprId id, Place place);
  Text previous(const Text& text, Place place);
  /// Of what changes between events there is no value before the event where time goes on.
  void require_discrete(const Value& value, Place place);
  Value stream(const CallSite& site, bool is_actual);
  Instance& component_argument(const CallSite& site);
  Value evaluate_unchecked(const Expression& expression, const EvaluationScope& scope);
  static std::vector<std::int64_t> index_at(std::size_t position,
                                            std::span<const std::int64_t> dims);

  // builtin_clocks.cpp
  Value clock(const CallSite& site);
  Value clocked_sample(const CallSite& site);
  Value hold(const CallSite& site);
  Value previous_value(const CallSite& site);
  Value sub_sample(const CallSite& site);
  Value super_sample(const CallSite& site);
  Value shift_sample(const CallSite& site);
  Value back_sample(const CallSite& site);
  Value no_clock(const CallSite& site);
  Value interval(const CallSite& site);
  Value first_tick(const CallSite& site);
  std::int64_t count_argument(const CallSite& site, std::size_t k, std::string_view name,
                              std::int64_t otherwise, std::int64_t least);
  Value converted_clocks(const CallSite& site, Value value, const ClockedCall& call);
  Value of_ticks(const CallSite& site, ClockedCall call);
  void take_previous(Value& value, Place place);

  // builtins that see values
  Value elementwise(symbolic::Op op, std::vector<Value>& arguments, Place place);
  template <symbolic::Op op>
  Value function_of_one(std::vector<Value>& arguments, Place place);
  template <symbolic::Op op>
  Value function_of_two(std::vector<Value>& arguments, Place place);
  Value sqrt(std::vector<Value>& arguments, Place place);
  Value semi_linear(std::vector<Value>& arguments, Place place);
  Value minimum(std::vector<Value>& arguments, Place place);
  Value maximum(std::vector<Value>& arguments, Place place);
  Value extremum(symbolic::Op op, std::vector<Value>& arguments, Place place);
  Value sum(std::vector<Value>& arguments, Place place);
  Value product(std::vector<Value>& arguments, Place place);
  Value zeros(std::vector<Value>& arguments, Place place);
  Value ones(std::vector<Value>& arguments, Place place);
  Value fill(std::vector<Value>& arguments, Place place);
  Value identity(std::vector<Value>& arguments, Place place);
  Value diagonal(std::vector<Value>& arguments, Place place);
  Value linspace(std::vector<Value>& arguments, Place place);
  Value transpose(std::vector<Value>& arguments, Place place);
  Value outer_product(std::vector<Value>& arguments, Place place);
  Value symmetric(std::vector<Value>& arguments, Place place);
  Value cross(std::vector<Value>& arguments, Place place);
  Value skew(std::vector<Value>& arguments, Place place);
  Value scalar(std::vector<Value>& arguments, Place place);
  Value vector(std::vector<Value>& arguments, Place place);
  Value matrix(std::vector<Value>& arguments, Place place);
  Value cat(std::vector<Value>& arguments, Place place);
  Value promote(std::vector<Value>& arguments, Place place);
  Value array(std::vector<Value>& arguments, Place place);
  Dims dims_of(std::span<const Value> arguments, Place place);

  // reductions.cpp
  Value iteration_range(const Iterator& iterator, const Expression& body,
                        const EvaluationScope& scope);
  Value deduced_range(const Iterator& iterator, std::vector<const Expression*> bodies,
                      const EvaluationScope& scope);
  Instance* type_of_dimension(const ComponentReference& reference, std::size_t dimension,
                              const EvaluationScope& scope);
  Dims dims_of_reference(const ComponentReference& reference, const EvaluationScope& scope);
  void iterate(const Expression& expression, std::size_t iterator, const EvaluationScope& scope,
               std::vector<Value>& values, Dims& dims);
  Value sum_of(std::span<const Value> values, Place place);
  Value sum_of_records(const Value& array, Place place);

  // statements.cpp
  void run_statement(const Statement& statement, Execution& execution,
                     const EvaluationScope& scope);
  void run_if(const Statement& statement, Execution& execution, const EvaluationScope& scope);
  void run_for(const Statement& statement, std::size_t iterator, Execution& execution,
               const EvaluationScope& scope);
  void run_while(const Statement& statement, Execution& execution, const EvaluationScope& scope);
  void run_when(const Statement& statement, Execution& execution, const EvaluationScope& scope);
  void run_call(const Statement& statement, Execution& execution, const EvaluationScope& scope);
  void run_branches(std::vector<std::pair<ExprId, List<const Statement*>>> branches,
                    List<const Statement*> otherwise, Execution& execution,
                    const EvaluationScope& scope, Place place);
  void assign_target(const Expression& target, Value value, Execution& execution,
                     const EvaluationScope& scope, Place place);
  void assign_local(Local& local, const ComponentReference& target, Value value,
                    const EvaluationScope& scope, Execution& execution, Place place);
  void assign_path(Value& value, List<ReferencePart> parts, std::size_t k, Value part,
                   const std::string& what, const EvaluationScope& scope, Place place);
  using OpenSubscripts = std::vector<std::pair<std::size_t, ExprId>>;
  void assign_undecided(Value& value, std::vector<IndexChoice> chosen, const OpenSubscripts& open,
                        const Value& part, const std::string& what, Place place);
  bool assign_undecided_component(const Expression& target, const Value& value,
                                  Execution& execution, const EvaluationScope& scope, Place place);
  void write_component(const Value& symbols, const Value& value, Execution& execution,
                       const std::string& what, Place place);
  void assign_component(const Expression& target, Value value, Execution& execution,
                        const EvaluationScope& scope, Place place);
  ExecutionState saved(const Execution& execution) const;
  void restore(Execution& execution, ExecutionState state) const;
  void merge(ExprId condition, const ExecutionState& if_true, Execution& otherwise, Place place);
  void count_step(Place place);

  // assertions.cpp
  void check_assertion(const Expression& call, Execution& execution, const EvaluationScope& scope);
  void assert_in_function(Execution& execution, ExprId holds, Text said, bool is_warning,
                          Place place);
  /// The run ends where a subscript that only the run knows leaves its dimension.
  void assert_subscript(ExprId index, std::int64_t size, std::size_t dimension,
                        const std::string& what, Place place);
  bool is_always_within(ExprId index, std::int64_t size);
  /// The variable of a function in which its failure stands.
  static Name failure_name();
  Value no_failure();
  void put_failure(Value& cells, std::size_t group, ExprId when, ExprId code,
                   std::span<const ExprId> values);
  std::size_t assertion_code(Place place, const std::string& function, std::string text,
                             bool is_warning);
  Failure failure_of(const Execution& execution);
  /// To the function that is being executed, or to the model.
  void note_failure(const Failure& failure);
  void tell_failure(const Failure& failure);
  ExprId here();

  Value merged(ExprId condition, const Value& a, const Value& b, Place place);
  void run_remaining(const Statement& statement, const Value& range, std::int64_t next,
                     Execution& execution, const EvaluationScope& scope, Locals& locals);

  // functions.cpp
  const Locals* locals_of(const Scope& scope, const Locals& locals) const;
  Value blank_local(Instance& component, const Dims& dims, const Locals& locals, Place place);
  void declare_local(Instance& component, Execution& execution, Place place);
  /// After those that its size or default refers to.
  void declare_in_order(Instance& component, std::vector<Instance*>& waiting, Execution& execution,
                        Place place);
  /// The variables of a function before its body runs; `for_outputs`: its outputs, and what they
  /// refer to, alone.
  Execution frame(Instance& function, std::vector<Value> inputs, Place place,
                  bool for_outputs = false);
  Value outputs_of(Instance& function, const Execution& execution, Place place);
  std::vector<ExprId> scalars_without_subscripts(const ComponentReference& reference,
                                                 const EvaluationScope& scope);
  void gather_targets(List<const Statement*> statements, Execution& execution,
                      const EvaluationScope& scope);

  // outlines.cpp
  /// Nodes of the pool from which on the body of a function is not part of each caller.
  static constexpr std::size_t large_body = 1000;
  struct Outline {
    std::vector<symbolic::FunctionId> functions;  // one for each scalar; none: it stays inside
    Value result;                                 // its type and size
    Failure failure = {};  // of the scalars that are not known, functions follow those of `result`
  };
  void put_formals(Value& value, std::vector<ExprId>& formals);
  Outline outline(Instance& function, const std::vector<Value>& formal_inputs,
                  const std::vector<ExprId>& formals, Place place);

  // told_calculus.cpp
  std::shared_ptr<const symbolic::CalledFunction> told_calculus(
      Instance& function, const std::vector<Value>& formal_inputs,
      std::shared_ptr<const symbolic::CalledFunction> body);
  /// A function that tells its inverse, or its derivative in time from other inputs than those that
  /// it is computed from: its body alone does not say what is meant.
  bool is_told(Instance& function);

  // undecided_loops.cpp
  /// What ends a loop, and what a round of it does.
  struct Round {
    std::function<ExprId()> condition;
    std::function<void()> body;
    Value* counter = nullptr;  ///< of a for-loop
  };
  void run_undecided_loop(const Statement& statement, const Round& round, Execution& execution);
  /// Rounds for first, first + step, ... up to last, which may be undecided.
  void run_counted_loop(const Statement& statement, const Value& first, double step, ExprId last,
                        Execution& execution, const EvaluationScope& scope);
  bool run_undecided_range(const Statement& statement, Execution& execution,
                           const EvaluationScope& scope);
  bool run_interrupted_range(const Statement& statement, const Value& range, Execution& execution,
                             const EvaluationScope& scope);
  void define_loop(std::vector<LoopCell>& cells, ExprId condition, Place place);

  struct FunctionAssertion {
    Place place;
    std::string function;
    std::string text;
    bool is_warning;
  };
  struct LookupKey {
    const Scope* scope;
    const ComponentReference* reference;
    friend bool operator==(const LookupKey&, const LookupKey&) = default;
  };
  struct LookupHash {
    std::size_t operator()(const LookupKey& key) const;
  };
  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint64_t>& key) const;
  };
  struct ParameterSymbol {
    Instance* parameter;
    std::size_t position;
  };

  // All of these are looked up, never iterated.
  std::unordered_map<LookupKey, Denotation, LookupHash> denotations_;
  std::unordered_map<const Instance*, Value> values_;
  std::unordered_map<const Instance*, Value> constants_;
  std::unordered_map<const Instance*, Place> in_progress_;
  std::unordered_set<const Instance*> evaluated_;
  std::unordered_map<ExprId, ParameterSymbol> parameter_symbols_;
  std::unordered_map<ExprId, ParameterSymbol> variable_symbols_;
  std::unordered_map<const ClassNode*, std::shared_ptr<const EnumerationType>> enumerations_;
  std::unordered_map<const Instance*, std::shared_ptr<const RecordType>> records_;
  std::unordered_map<const Instance*, FunctionHead> heads_;
  std::unordered_map<std::vector<std::uint64_t>, Value, KeyHash> results_;
  std::unordered_map<std::vector<std::uint64_t>, Outline, KeyHash> outlines_;
  std::unordered_set<const Instance*> has_outlines_;
  std::unordered_map<const Instance*, bool> told_;
  std::unordered_map<std::string, std::uint64_t> texts_;
  std::map<std::pair<const Expression*, std::pair<const Scope*, bool>>, Value> whole_bindings_;
  struct ActiveFunction {
    const Instance* function;
    int undecided_depth;  ///< where it was called
  };
  class ActiveCall {
   public:
    ActiveCall(Evaluation& evaluation, Instance& function) : evaluation_(evaluation) {
      ++evaluation.call_depth;
      evaluation.active_.push_back({&function, evaluation.undecided_depth});
    }
    ~ActiveCall() {
      --evaluation_.call_depth;
      evaluation_.active_.pop_back();
    }
    ActiveCall(const ActiveCall&) = delete;
    ActiveCall& operator=(const ActiveCall&) = delete;

   private:
    Evaluation& evaluation_;
  };
  std::vector<ActiveFunction> active_;  ///< functions that are being executed, innermost last
  Execution* running_ = nullptr;        ///< of the innermost of them
  ExprId expression_path_;  ///< of choices inside of the present expression; none: always
  Failure last_failure_;    ///< of the function that was executed last
  std::vector<FunctionAssertion> assertions_;  ///< by code, from 1 on
  std::unordered_map<std::vector<std::uint64_t>, Failure, KeyHash> failures_;  ///< as `results_`
  std::set<std::pair<ExprId, std::size_t>> told_assertions_;
  ExprId c_guard_;             ///< where the function in C that is being called is asked for
  std::size_t n_c_calls_ = 0;  ///< calls of functions in C that stay in expressions, so far
  ExprId asked_path_;          ///< where the outermost function that is being called is asked for
  std::size_t n_guarded_calls_ = 0;  ///< calls that run only there, so far
  int when_depth_ = 0;               ///< when-statements around what is being executed
  bool called_pure_ = false;         ///< inside of pure(...)
  bool is_gathering_ = false;        ///< references are looked at for what they name only
  bool quiet_ = false;               ///< the outermost of them makes no events
  std::uint64_t steps_ = 0;
  std::map<std::pair<std::vector<double>, Dims>, symbolic::FunctionId> table_functions_;
  std::size_t n_lookups_ = 0;  ///< run-time functions so far, for their names
  std::size_t n_loops_ = 0;    ///< undecided loops so far
};

}  // namespace alembert::modelica
