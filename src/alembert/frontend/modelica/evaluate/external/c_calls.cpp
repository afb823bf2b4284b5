// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Calls of functions that the model has in C. Where all
// arguments are known the function is called at once; else the call is one of a function of the
// pool, and its derivatives are those of its `derivative` annotation or difference quotients.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "alembert/base/complaint.hpp"
#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/external/c_function.hpp"
#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/open_values.hpp"
#include "alembert/frontend/modelica/syntax/library.hpp"
#include "alembert/symbolic/function_body.hpp"

namespace alembert::modelica {

namespace {

namespace fs = std::filesystem;

/// What a constructor in C gave; its destructor is called when nobody needs it any more.
class CObject final : public ExternalObject {
 public:
  CObject(void* address, std::shared_ptr<const CFunction> destructor)
      : address_(address), destructor_(std::move(destructor)) {}
  ~CObject() override {
    CCall call;
    call.objects = {address_};
    if (destructor_) destructor_->call(call);
  }
  void* address() const { return address_; }

 private:
  void* address_;
  std::shared_ptr<const CFunction> destructor_;
};

}  // namespace

/// What a call hands over: texts and objects, and numbers, of which some may be those of the run.
struct CInputs {
  CCall call;  // without numbers
  std::vector<std::optional<double>> known;
  std::vector<ExprId> open;  // for what is not known
  std::vector<std::shared_ptr<const ExternalObject>> objects;
};

namespace {

/// A call of which some arguments are known, as a function of the pool.
class CallInTheRun {
 public:
  CallInTheRun(std::shared_ptr<const CFunction> function, CInputs inputs, std::string name,
               bool is_guarded)
      : function_(std::move(function)),
        call_(std::move(inputs.call)),
        known_(std::move(inputs.known)),
        objects_(std::move(inputs.objects)),
        name_(std::move(name)),
        is_guarded_(is_guarded) {}

  static void run(const double* arguments, double* values, const void* context) {
    static_cast<const CallInTheRun*>(context)->evaluate(arguments, values);
  }

 private:
  void evaluate(const double* arguments, double* values) const {
    CCall call = call_;
    call.numbers.clear();
    for (const std::optional<double>& number : known_)
      call.numbers.push_back(number ? *number : *arguments++);
    if (is_guarded_ && *arguments == 0) {  // nobody takes it
      std::fill_n(values, function_->n_numbers_out(), 0.0);
      return;
    }
    const bool is_finite = std::all_of(call.numbers.begin(), call.numbers.end(),
                                       [](double number) { return std::isfinite(number); });
    const auto message = is_finite ? function_->call(call) : std::optional(std::string());
    if (!message) {
      std::copy(call.numbers_out.begin(), call.numbers_out.end(), values);
      return;
    }
    // No value where it ends by ModelicaError: the integrator tries a smaller step.
    if (!message->empty()) complain("'" + name_ + "' ends with an error: " + *message);
    std::fill_n(values, function_->n_numbers_out(), std::nan(""));
  }

  std::shared_ptr<const CFunction> function_;
  CCall call_;
  std::vector<std::optional<double>> known_;
  std::vector<std::shared_ptr<const ExternalObject>> objects_;
  std::string name_;  // in the model
  bool is_guarded_;   // its last argument tells whether it is asked for
};

std::vector<std::string> texts_of(const Value& value) {
  std::vector<std::string> texts;
  for (const Text& text : value.texts) texts.push_back(text.text);
  return texts;
}

}  // namespace

bool Evaluation::is_in_c(Instance& function) {
  const External* declared = function.external().item;
  if (declared == nullptr || (declared->has_language && declared->language == "builtin"))
    return false;
  return find_external(name_in_c(function, *declared)) == nullptr;
}

/// Includes and libraries as the annotations of the external clause and of the function tell.
CSources Evaluation::c_sources(Instance& function, const ExternalCall& call) {
  const ScopedExternal external = function.external();
  const auto texts = [&](const char* name) -> std::optional<std::vector<std::string>> {
    const Expression* found = annotation_value(external.item->annotation, {name});
    if (found == nullptr)
      found = annotation_value(function.scope().definition().comment.annotation, {name});
    if (found == nullptr) return std::nullopt;
    const Value value = evaluate(*found, {external.scope, nullptr});
    if (value.kind != ValueKind::string)
      fail(found->place, "M202", std::string("the annotation '") + name + "' is a text.");
    return texts_of(value);
  };
  ClassNode* top = &function.base_class_node();
  while (top->parent() != nullptr && !top->parent()->is_root()) top = top->parent();
  const auto folders = [&](const char* annotation, const char* otherwise) {
    std::vector<fs::path> result;
    if (const auto named = texts(annotation))
      for (const std::string& name : *named) result.emplace_back(resolved_file_name(call, name));
    else
      result.push_back(top->folder() / "Resources" / otherwise);
    return result;
  };
  CSources sources;
  for (const std::string& text : texts("Include").value_or(std::vector<std::string>{}))
    sources.include += text + "\n";
  sources.libraries = texts("Library").value_or(std::vector<std::string>{});
  sources.include_folders = folders("IncludeDirectory", "Include");
  if (!top->folder().empty()) sources.include_folders.push_back(top->folder());
  sources.library_folders = folders("LibraryDirectory", "Library");
  for (const fs::path& folder : std::vector(sources.library_folders))
    sources.library_folders.push_back(folder / "linux64");
  sources.source_folders = folders("SourceDirectory", "Source");
  return sources;
}

namespace {

CPart part_of(const Value& value, bool is_output, const ExternalCall& call) {
  if (!value.has_scalars() && value.kind != ValueKind::string &&
      value.kind != ValueKind::external_object)
    fail(call.place, "M209",
         "'" + call.function + "' hands a " + std::string(name(value.kind)) +
             " to C, which is not supported; hand over its fields.");
  return {.kind = value.kind,
          .count = value.count(),
          .is_array = !value.dims.empty(),
          .is_output = is_output};
}

std::shared_ptr<const CFunction> compiled(const CSignature& signature, const CSources& sources,
                                          Place place) {
  try {
    return CFunction::make(signature, sources);
  } catch (const std::runtime_error& error) {
    fail(place, "M212",
         "the external function '" + signature.symbol + "' of '" + signature.function +
             "' is not available here: " + error.what() + ".");
  }
}

/// Adds an argument that is no output.
void add_input(Scalars& scalars, const Value& value, const ExternalCall& call, CInputs& inputs) {
  for (const Text& text : value.texts) {
    if (!text.is_constant())
      throw NeedsNumbers{call.place, "a text that '" + call.function + "' hands to C is not known"};
    inputs.call.texts.push_back(text.text);
  }
  if (value.kind == ValueKind::external_object) {
    const auto object = std::dynamic_pointer_cast<const CObject>(value.object);
    if (!object) fail(call.place, "M213", "the object has not been made yet.");
    inputs.call.objects.push_back(object->address());
    inputs.objects.push_back(object);
    return;
  }
  gather_known(scalars, value, inputs.known);
  gather_open(scalars, value, inputs.open);
}

void require_language_c(Instance& function, const ExternalCall& call) {
  const External& declared = *function.external().item;
  if (!declared.has_language || declared.language == "C") return;
  fail(call.place, "M212",
       "the external function '" + call.symbol + "' of '" + call.function +
           "' is not available here: of \"" + std::string(declared.language) +
           "\" only functions of LAPACK are known. Call it from a function in C.");
}

}  // namespace

void Evaluation::call_c(Instance& function, ExternalCall& call, const std::vector<CUse>& uses,
                        const Value* result) {
  CSignature signature{.symbol = call.symbol, .function = call.function};
  if (result != nullptr) signature.result = part_of(*result, true, call);
  if (signature.result && signature.result->is_array)
    fail(call.place, "M209",
         "'" + call.function +
             "' takes an array as the result of a function in C, which cannot return one. Hand it "
             "over as an argument.");
  CInputs inputs;
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const Value& value = call.arguments[k];
    CPart& part = signature.arguments.emplace_back(part_of(value, uses[k] == CUse::output, call));
    part.is_size = uses[k] == CUse::size && !part.is_array;
    if (!part.is_output) add_input(scalars, value, call, inputs);
  }
  require_language_c(function, call);
  const auto native = compiled(signature, c_sources(function, call), call.place);

  // Result and outputs as one value, in the order of C's numbers.
  Value given_back;
  given_back.kind = ValueKind::tuple;
  if (result != nullptr) given_back.fields.push_back(*result);
  for (std::size_t k = 0; k < uses.size(); ++k)
    if (uses[k] == CUse::output) given_back.fields.push_back(call.arguments[k]);
  for (Value& field : given_back.fields)
    if (field.has_scalars()) field.scalars.assign(field.count(), ExprId{});

  const bool gives_numbers = std::all_of(given_back.fields.begin(), given_back.fields.end(),
                                         [](const Value& field) { return field.has_scalars(); });
  const bool is_guarded = c_guard_.valid() && gives_numbers;
  if (is_guarded) inputs.open.push_back(scalars.number_of_condition(c_guard_));
  if (inputs.open.empty())
    call_c_now(function, call, *native, inputs, given_back);
  else if (gives_numbers)
    call_c_in_the_run(function, native, std::move(inputs), is_guarded, given_back);
  else  // text, or an object: in the run, where the arguments are numbers
    throw NeedsNumbers{call.place, "an argument of '" + call.function + "' is not known"};
  std::size_t next = 0;
  if (result != nullptr) call.result = std::move(given_back.fields[next++]);
  for (std::size_t k = 0; k < uses.size(); ++k)
    if (uses[k] == CUse::output) call.outputs[k] = std::move(given_back.fields[next++]);
}

void Evaluation::call_c_now(Instance& function, const ExternalCall& call, const CFunction& native,
                            CInputs& inputs, Value& given_back) {
  CCall& now = inputs.call;
  for (const std::optional<double>& number : inputs.known) now.numbers.push_back(*number);
  if (const auto message = native.call(now))
    fail(call.place, "M211", "'" + call.function + "' ends with an error: " + *message + ".");
  const std::vector<std::optional<double>> numbers(now.numbers_out.begin(), now.numbers_out.end());
  std::span<const std::optional<double>> rest = numbers;
  std::size_t n_texts = 0;
  for (Value& field : given_back.fields) {
    if (field.has_scalars()) put_scalars(pool(), field, rest, [](ValueKind) { return ExprId{}; });
    if (field.kind == ValueKind::external_object) {
      Instance* type = function.parent();
      Instance* destructor = type == nullptr ? nullptr : type->member(Name("destructor"));
      field.object = std::make_shared<CObject>(
          now.object_out, destructor == nullptr ? nullptr : c_destructor(*destructor, call));
    }
    if (field.kind != ValueKind::string) continue;
    field.texts.clear();
    for (std::size_t i = 0; i < field.count(); ++i)
      field.texts.push_back({now.texts_out[n_texts++]});
  }
}

void Evaluation::call_c_in_the_run(Instance& function, std::shared_ptr<const CFunction> native,
                                   CInputs inputs, bool is_guarded, Value& given_back) {
  ++n_c_calls_;
  std::vector<ExprId> calls;
  if (native->n_numbers_out() > 0) {
    const std::vector<ExprId> open = std::move(inputs.open);
    symbolic::FunctionFamily family;
    family.name = symbolic::free_function_name(
        pool(), function.full_name() + "#" + std::to_string(++n_lookups_));
    family.arity = static_cast<std::uint32_t>(open.size());
    family.n_outputs = static_cast<std::uint32_t>(native->n_numbers_out());
    family.outputs = CallInTheRun::run;
    family.context = std::make_shared<const CallInTheRun>(std::move(native), std::move(inputs),
                                                          function.full_name(), is_guarded);
    family.numeric_partials = true;
    for (const auto id : pool().define_functions(std::move(family)))
      calls.push_back(pool().call(id, open));
  }
  std::span<const ExprId> rest = calls;
  put_calls(scalars, given_back, rest);
}

void Evaluation::call_written_c(Instance& function, ExternalCall& call, Execution& execution) {
  const External& declared = *function.external().item;
  const auto is_output = [&](const Expression& argument) {
    const auto& outputs = head(function).outputs;
    return argument.kind == ExpressionKind::reference &&
           std::any_of(outputs.begin(), outputs.end(), [&](Instance* output) {
             return output->name() == argument.reference->parts.front().name;
           });
  };
  const auto is_size = [](const Expression& argument) {
    return argument.kind == ExpressionKind::call && argument.reference != nullptr &&
           argument.reference->parts.front().name == "size";
  };
  std::vector<CUse> uses;
  for (const Expression* argument : declared.arguments)
    uses.push_back(is_output(*argument) ? CUse::output
                   : is_size(*argument) ? CUse::size
                                        : CUse::input);
  Value* result = nullptr;
  if (declared.result != nullptr)
    for (Local& local : execution.locals.variables)
      if (local.name == declared.result->parts.front().name) result = &local.value;
  call_c(function, call, uses, result);
}

/// Without a written call: inputs and outputs in the order of declaration, each array followed by
/// its sizes; a single scalar output is the result.
void Evaluation::call_bare_c(Instance& function, ExternalCall& call, Execution& execution) {
  const FunctionHead& parts = head(function);
  const auto local = [&](Instance* component) -> Value& {
    for (Local& candidate : execution.locals.variables)
      if (candidate.name == component->name()) return candidate.value;
    ensure(false, "every component of a function is a local");
    std::abort();
  };
  Value* result = nullptr;
  if (parts.outputs.size() == 1 && local(parts.outputs.front()).is_scalar())
    result = &local(parts.outputs.front());
  call.arguments.clear();
  std::vector<CUse> uses;
  std::vector<Value*> targets;
  for (Instance* component : function.children()) {
    const bool is_output = component->causality() == Causality::output;
    if (!is_output && component->causality() != Causality::input) continue;
    Value& value = local(component);
    if (&value == result) continue;
    call.arguments.push_back(value);
    uses.push_back(is_output ? CUse::output : CUse::input);
    targets.push_back(&value);
    for (const std::int64_t size : value.dims) {
      call.arguments.push_back(integer_number(size));
      uses.push_back(CUse::size);
      targets.push_back(nullptr);
    }
  }
  call_c(function, call, uses, result);
  for (auto& [k, value] : call.outputs) *targets[k] = std::move(value);
  call.outputs.clear();
}

std::shared_ptr<const CFunction> Evaluation::c_destructor(Instance& destructor,
                                                          const ExternalCall& call) {
  const External* declared = destructor.external().item;
  if (declared == nullptr) return nullptr;
  const CSignature signature{.symbol = declared->function.empty()
                                           ? destructor.base_class_node().name().string()
                                           : declared->function.string(),
                             .function = destructor.full_name(),
                             .arguments = {{.kind = ValueKind::external_object}}};
  return compiled(signature, c_sources(destructor, call), call.place);
}

}  // namespace alembert::modelica
