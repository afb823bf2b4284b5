// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. What annotations tell about functions: `derivative`, of any
// order, with noDerivative and zeroDerivative, for derivatives in time; `inverse`, for solving.
// Jacobians are those of the body in any case: a derivative in time may leave out inputs that the
// value depends on.
#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/open_values.hpp"
#include "alembert/symbolic/function_body.hpp"

namespace alembert::modelica {

namespace {

/// derivative(order = 1, noDerivative = u, zeroDerivative = v) = function.
struct DerivativeRule {
  const Expression* function = nullptr;
  std::int64_t order = 1;
  std::vector<Name> unseen;    // noDerivative
  std::vector<Name> constant;  // zeroDerivative
};

bool is_named(const Modification& entry, std::string_view name) {
  return entry.kind == ModificationKind::element && entry.name.parts.size() == 1 &&
         entry.name.parts.front() == name && entry.body != nullptr;
}

std::vector<DerivativeRule> derivative_rules(const ModificationBody* annotation) {
  std::vector<DerivativeRule> rules;
  if (annotation == nullptr) return rules;
  for (const Modification* entry : annotation->arguments) {
    if (!is_named(*entry, "derivative") || entry->body->binding == nullptr ||
        entry->body->binding->kind != ExpressionKind::reference)
      continue;
    DerivativeRule& rule = rules.emplace_back();
    rule.function = entry->body->binding;
    for (const Modification* part : entry->body->arguments) {
      if (part->body == nullptr || part->body->binding == nullptr) continue;
      const Expression& value = *part->body->binding;
      if (is_named(*part, "order") && value.kind == ExpressionKind::integer)
        rule.order = value.integer;
      if (value.kind != ExpressionKind::reference) continue;
      const Name name = value.reference->parts.front().name;
      if (is_named(*part, "noDerivative")) rule.unseen.push_back(name);
      if (is_named(*part, "zeroDerivative")) rule.constant.push_back(name);
    }
  }
  return rules;
}

bool has(const std::vector<Name>& names, Name name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_real(const Value& value) {
  if (value.kind == ValueKind::record)
    return !value.fields.empty() && std::all_of(value.fields.begin(), value.fields.end(), is_real);
  return value.kind == ValueKind::real;
}

}  // namespace

class ToldCalculus final : public symbolic::CalledFunction {
 public:
  ToldCalculus(Instance& function, std::vector<Value> inputs,
               std::vector<std::optional<double>> numbers, std::vector<DerivativeRule> rules,
               const ModificationBody* inverses, std::shared_ptr<const CalledFunction> body,
               std::shared_ptr<const void> keep_alive,
               std::shared_ptr<Evaluation::ObjectList> objects)
      : function_(function),
        inputs_(std::move(inputs)),
        numbers_(std::move(numbers)),
        rules_(std::move(rules)),
        inverses_(inverses),
        body_(std::move(body)),
        keep_alive_(std::move(keep_alive)),
        objects_(std::move(objects)) {}

  void evaluate(const double* arguments, double* values) const override {
    body_->evaluate(arguments, values);
  }

  std::vector<symbolic::FunctionId> partials(symbolic::ExprPool& pool, symbolic::FunctionId id,
                                             std::uint32_t argument) const override {
    return body_->partials(pool, id, argument);
  }

  std::shared_ptr<const CalledFunction> partial(std::uint32_t argument) const override {
    return body_->partial(argument);
  }

  ExprId time_derivative(symbolic::ExprPool& pool, symbolic::FunctionId id,
                         std::span<const ExprId> arguments,
                         std::span<const ExprId> rates) const override {
    for (const DerivativeRule& rule : rules_)
      if (const ExprId found = by_rule(rule, pool, id, arguments, rates); found.valid())
        return found;
    return {};
  }

  bool tells_derivative() const override { return !rules_.empty(); }

  ExprId as_expression(symbolic::ExprPool& pool, symbolic::FunctionId id,
                       std::span<const ExprId> arguments) const override {
    return body_->as_expression(pool, id, arguments);
  }

  symbolic::FunctionId inverse(symbolic::ExprPool& pool, symbolic::FunctionId id,
                               std::uint32_t argument) const override {
    if (inverses_ == nullptr || pool.function(id).n_outputs != 1) return {};
    const std::string name =
        "inverse(" + pool.function(id).family + ", " + std::to_string(argument + 1) + ")";
    if (const auto known = pool.find_function(name); known.valid()) return known;
    ModelHooks hooks;
    Evaluation evaluation(pool, hooks);
    evaluation.keep_alive = keep_alive_;
    evaluation.objects = objects_;
    const FunctionHead& head = evaluation.head(function_);
    std::vector<ExprId> formals;
    for (std::uint32_t k = 0; k < pool.function(id).arity; ++k)
      formals.push_back(pool.parameter("argument " + std::to_string(k + 1)));
    Locals locals;
    locals.function = &function_;
    const std::vector<Value> inputs = filled_inputs(evaluation, inputs_, formals);
    const Expression* wanted = nullptr;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Name input = head.inputs[i]->name();
      if (inputs[i].is_scalar() && inputs[i].kind == ValueKind::real &&
          inputs[i].scalar() == formals[argument])
        for (const Modification* entry : inverses_->arguments)
          if (entry->kind == ModificationKind::element && entry->name.parts.size() == 1 &&
              entry->name.parts.front() == input && entry->body != nullptr)
            wanted = entry->body->binding;
      locals.variables.push_back({input, inputs[i]});
    }
    if (wanted == nullptr) return {};
    Value output = evaluation.real_number(0);
    output.scalars = {formals[argument]};
    locals.variables.push_back({head.outputs.front()->name(), output});
    try {
      const Value value = evaluation.evaluate(*wanted, {&function_.scope(), &locals});
      if (!value.is_scalar() || value.kind != ValueKind::real) return {};
      return symbolic::define_body(pool, name, formals, value.scalars).front();
    } catch (const Error&) {  // it does not fit: the equation is solved by iteration
    } catch (const NeedsNumbers&) {
    }
    return {};
  }

 private:
  std::vector<Value> filled_inputs(Evaluation& evaluation, const std::vector<Value>& inputs,
                                   std::span<const ExprId> scalars,
                                   bool zero_if_known = false) const {
    std::vector<Value> result = inputs;
    std::vector<std::optional<double>> known = numbers_;
    if (zero_if_known)
      for (std::optional<double>& number : known)
        if (number) number = 0.0;
    std::span<const std::optional<double>> numbers = known;
    const auto next = [&](ValueKind kind) {
      const ExprId id = scalars.front();
      scalars = scalars.subspan(1);
      return kind == ValueKind::boolean && !zero_if_known
                 ? evaluation.scalars.condition_of_boolean(id)
                 : id;
    };
    for (Value& input : result) put_scalars(evaluation.pool(), input, numbers, next);
    return result;
  }

  /// Not valid where the rule does not apply.
  ExprId by_rule(const DerivativeRule& rule, symbolic::ExprPool& pool, symbolic::FunctionId id,
                 std::span<const ExprId> arguments, std::span<const ExprId> rates) const {
    ModelHooks hooks;
    Evaluation evaluation(pool, hooks);
    evaluation.keep_alive = keep_alive_;
    evaluation.objects = objects_;
    const Denotation denotation =
        evaluation.lookup(*rule.function->reference, {&function_.scope(), nullptr});
    if (denotation.kind != DenotationKind::class_) return {};
    const FunctionHead& head = evaluation.head(function_);
    std::vector<Value> inputs = filled_inputs(evaluation, inputs_, arguments);
    const std::vector<Value> changes = filled_inputs(evaluation, inputs_, rates, true);
    std::vector<Value> seen;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const Name name = head.inputs[i]->name();
      if (has(rule.constant, name) && !is_zero(pool, changes[i])) return {};
      if (is_real(changes[i]) && !has(rule.unseen, name) && !has(rule.constant, name))
        seen.push_back(changes[i]);
    }
    const std::size_t n_inputs = evaluation.head(*denotation.instance).inputs.size();
    if (n_inputs < inputs.size()) return {};
    // From the second order on only what is a derivative itself has another one.
    const std::size_t n_changes = n_inputs - inputs.size();
    if (n_changes > seen.size() || (rule.order < 2 && n_changes != seen.size())) return {};
    inputs.insert(inputs.end(), seen.end() - static_cast<std::ptrdiff_t>(n_changes), seen.end());
    try {
      std::vector<ExprId> outputs;
      const Value value =
          evaluation.call_bound(*denotation.instance, std::move(inputs), rule.function->place);
      append_scalars(value, outputs);
      // Outputs that are no Reals have no derivatives.
      if (outputs.size() != pool.function(id).n_outputs) return {};
      return outputs[pool.function(id).output];
    } catch (const Error&) {  // it does not fit: the body tells its derivative as well
    } catch (const NeedsNumbers&) {
    }
    return {};
  }

  static bool is_zero(const symbolic::ExprPool& pool, const Value& value) {
    return std::all_of(value.scalars.begin(), value.scalars.end(),
                       [&](ExprId id) { return !id.valid() || pool.is_zero(id); }) &&
           std::all_of(value.fields.begin(), value.fields.end(),
                       [&](const Value& field) { return is_zero(pool, field); });
  }

  Instance& function_;
  std::vector<Value> inputs_;
  std::vector<std::optional<double>> numbers_;
  std::vector<DerivativeRule> rules_;
  const ModificationBody* inverses_;
  std::shared_ptr<const CalledFunction> body_;
  std::shared_ptr<const void> keep_alive_;
  std::shared_ptr<Evaluation::ObjectList> objects_;
};

std::shared_ptr<const symbolic::CalledFunction> Evaluation::told_calculus(
    Instance& function, const std::vector<Value>& formal_inputs,
    std::shared_ptr<const symbolic::CalledFunction> body) {
  const ModificationBody* annotation = function.scope().definition().comment.annotation;
  auto rules = derivative_rules(annotation);
  const ModificationBody* inverses = annotation_body(annotation, {"inverse"});
  if (rules.empty() && inverses == nullptr) return body;
  std::vector<std::optional<double>> numbers;
  for (const Value& input : formal_inputs) gather_known(scalars, input, numbers);
  return std::make_shared<const ToldCalculus>(function, formal_inputs, std::move(numbers),
                                              std::move(rules), inverses, std::move(body),
                                              keep_alive, objects);
}

bool Evaluation::is_told(Instance& function) {
  const auto found = told_.find(&function);
  if (found != told_.end()) return found->second;
  const ModificationBody* annotation = function.scope().definition().comment.annotation;
  // What C computes can only be told.
  bool told = annotation_body(annotation, {"inverse"}) != nullptr ||
              (is_in_c(function) && !derivative_rules(annotation).empty());
  for (const DerivativeRule& rule : derivative_rules(annotation))
    for (Instance* input : head(function).inputs)
      told = told || (has(rule.unseen, input->name()) && input->type() == TypeKind::real);
  return told_.emplace(&function, told).first->second;
}

}  // namespace alembert::modelica
