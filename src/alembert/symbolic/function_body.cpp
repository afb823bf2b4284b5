// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/function_body.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/call_memory.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/program.hpp"
#include "alembert/symbolic/transplant.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::symbolic {

namespace {

/// Up to so many arguments the derivatives by all of them are one function.
constexpr std::size_t most_together = 8;

/// Directions of a forward pass: 1 at one place.
std::vector<ExprId> unit_direction(ExprPool& pool, std::size_t n, std::size_t at) {
  std::vector<ExprId> directions(n, pool.integer(0));
  directions[at] = pool.integer(1);
  return directions;
}

/// Derivatives by each argument, made once.
class PartialCache {
 public:
  template <class Make>
  std::shared_ptr<const CalledFunction> operator()(std::uint32_t argument, Make make) const {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const CalledFunction>& known = made_[argument];
    if (!known) known = make();
    return known;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::uint32_t, std::shared_ptr<const CalledFunction>> made_;
};

/// Expressions in a pool of their own, and the program that they are.
class Body final : public CalledFunction {
 public:
  /// Takes the expressions over from another pool.
  Body(const ExprPool& from, std::span<const ExprId> formals, std::span<const ExprId> outputs)
      : pool_(std::make_shared<Owned>()) {
    Transplant transplant(from, pool_->pool, "");
    for (const ExprId formal : formals) formals_.push_back(transplant(formal));
    for (const ExprId output : outputs) outputs_.push_back(transplant(output));
    compile();
  }

  void evaluate(const double* arguments, double* values) const override {
    const auto run = [&] { program_->run(arguments, values); };
    if (memory_)
      (*memory_)(arguments, values, run);
    else
      run();
  }

  /// Forward mode keeps what belongs to one branch inside of it, so that a program skips it.
  std::vector<FunctionId> partials(ExprPool& pool, FunctionId id,
                                   std::uint32_t argument) const override {
    const std::size_t n = outputs_.size();
    if (formals_.size() > most_together)
      return define(pool,
                    "der(" + pool.function(id).family + ", " + std::to_string(argument + 1) + ")",
                    derivatives(argument, argument + 1));
    const std::string name = "der(" + pool.function(id).family + ")";
    FunctionId first = pool.find_function(name);
    if (!first.valid()) first = define(pool, name, derivatives(0, formals_.size())).front();
    std::vector<FunctionId> result;
    for (std::size_t k = 0; k < n; ++k)
      result.push_back({static_cast<std::uint32_t>(first.value + argument * n + k)});
    return result;
  }

  std::shared_ptr<const CalledFunction> partial(std::uint32_t argument) const override {
    return partials_(argument, [&] { return derivatives(argument, argument + 1); });
  }

  ExprId as_expression(ExprPool& pool, FunctionId id,
                       std::span<const ExprId> arguments) const override {
    constexpr std::size_t few = 40;  // nodes
    const std::lock_guard lock(pool_->mutex);
    const ExprId output = outputs_[pool.function(id).output];
    const Reach reach(pool_->pool, output);
    if (reach.size() > few || std::ranges::any_of(reach.nodes(), [&](ExprId node) {
          return pool_->pool.op(node) == Op::call;
        }))
      return {};
    Transplant transplant(pool_->pool, pool, "");
    for (std::size_t k = 0; k < formals_.size(); ++k) transplant.set(formals_[k], arguments[k]);
    return transplant(output);
  }

  static std::vector<FunctionId> define(ExprPool& pool, std::string name,
                                        std::shared_ptr<const Body> body, const Wrap& wrap = {}) {
    const std::size_t arity = body->formals_.size();
    const std::size_t n_outputs = body->outputs_.size();
    std::shared_ptr<const CalledFunction> function = std::move(body);
    if (wrap) function = wrap(std::move(function));
    return CalledFunction::define(pool, std::move(name), arity, n_outputs, std::move(function));
  }

 private:
  /// Bodies of derivatives of one function share its pool.
  struct Owned {
    ExprPool pool;
    std::mutex mutex;
  };

  Body(std::shared_ptr<Owned> pool, std::vector<ExprId> formals, std::vector<ExprId> outputs)
      : pool_(std::move(pool)), formals_(std::move(formals)), outputs_(std::move(outputs)) {
    compile();
  }

  void compile() {
    constexpr std::size_t dear = 50;  // instructions; to look for a call costs as much as a few
    program_ = std::make_unique<Program>(pool_->pool, formals_, outputs_);
    if (program_->n_instructions() >= dear)
      memory_ = std::make_unique<CallMemory>(formals_.size(), outputs_.size());
  }

  /// By the arguments from `begin` to `end`: [argument][output].
  std::shared_ptr<const Body> derivatives(std::size_t begin, std::size_t end) const {
    const std::lock_guard lock(pool_->mutex);
    std::vector<ExprId> all;
    for (std::size_t k = begin; k < end; ++k) {
      const auto column = directional_derivatives(pool_->pool, outputs_, formals_,
                                                  unit_direction(pool_->pool, formals_.size(), k));
      all.insert(all.end(), column.begin(), column.end());
    }
    return std::shared_ptr<const Body>(new Body(pool_, formals_, std::move(all)));
  }

  std::shared_ptr<Owned> pool_;
  std::vector<ExprId> formals_;
  std::vector<ExprId> outputs_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<CallMemory> memory_;  // where calls are dear
  PartialCache partials_;
};

// ---- loops --------------------------------------------------------------------------------------

class LoopBody {
 public:
  LoopBody(const ExprPool& from, const Loop& loop) {
    Transplant transplant(from, pool_, "");
    for (const ExprId id : loop.state) loop_.state.push_back(transplant(id));
    for (const ExprId id : loop.fixed) loop_.fixed.push_back(transplant(id));
    loop_.condition = transplant(loop.condition);
    for (const ExprId id : loop.next) loop_.next.push_back(transplant(id));
    compile();
  }

  std::size_t n_state() const { return loop_.state.size(); }
  std::size_t n_fixed() const { return loop_.fixed.size(); }

  /// arguments: state, fixed; it comes back with the state at the end.
  void run(std::vector<double>& arguments) const {
    std::vector<double> outputs(n_state() + 1), seen(n_state());
    const auto same_bits = [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    };
    // One that did not end will not the next time either, and is asked for at many points on the
    // way to the message; those that end tell how many rounds are usual.
    const std::size_t most = is_endless_ ? std::max(few_rounds, 64 * longest_.load()) : most_rounds;
    for (std::size_t round = 0; round < most; ++round) {
      program_->run(arguments.data(), outputs.data());
      if (outputs.front() == 0) {
        if (round > longest_) longest_ = round;
        return;
      }
      std::copy(outputs.begin() + 1, outputs.end(), arguments.begin());
      // A state that comes again comes for ever; of those seen, that of the last power of two.
      if (round > 0 && std::equal(seen.begin(), seen.end(), arguments.begin(), same_bits)) break;
      if (std::has_single_bit(round + 1)) std::copy_n(arguments.begin(), n_state(), seen.begin());
    }
    is_endless_ = true;
    std::fill_n(arguments.begin(), n_state(), std::numeric_limits<double>::quiet_NaN());
  }

  /// The loop over (state, tangents) with (fixed, their tangents).
  std::shared_ptr<const LoopBody> tangent() const {
    const std::lock_guard lock(mutex_);
    if (!tangent_) tangent_ = make_tangent();
    return tangent_;
  }

  /// The states that follow the inputs in `moved` (state, fixed) only by what those decide, as the
  /// middle of a bisection does: tangents do not see it. Counters step, and have no slope to be
  /// seen.
  std::vector<std::size_t> decided_by(const std::vector<bool>& moved) const {
    const std::lock_guard lock(mutex_);
    const std::vector<bool> by_values = reached(moved, false);
    const std::vector<bool> by_all = reached(moved, true);
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < n_state(); ++i)
      if (by_all[i] && !by_values[i] && !is_counter(i)) result.push_back(i);
    return result;
  }

 private:
  static constexpr std::size_t most_rounds = 20'000'000;
  static constexpr std::size_t few_rounds = 20'000;

  static bool is_step(Op op) {
    return op == Op::sign || op == Op::floor || op == Op::ceil || op == Op::integer_part ||
           op == Op::div;
  }

  /// What of state and fixed follows from `moved`, by values alone or by decisions as well.
  std::vector<bool> reached(std::vector<bool> moved, bool by_decisions) const {
    std::vector<ExprId> inputs = loop_.state;
    inputs.insert(inputs.end(), loop_.fixed.begin(), loop_.fixed.end());
    std::vector<ExprId> roots = loop_.next;
    roots.push_back(loop_.condition);
    const Reach reach(pool_, roots);
    for (bool again = true; again;) {
      again = false;
      std::vector<char> active(reach.size(), 0);
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (moved[i] && reach.contains(inputs[i])) active[reach.index_of(inputs[i])] = 1;
      for (std::uint32_t i = 0; i < reach.size(); ++i) {
        const ExprId node = reach.nodes()[i];
        const Op op = pool_.op(node);
        if (!by_decisions && (is_step(op) || pool_.is_condition(node))) continue;
        const auto children = pool_.children(node);
        for (std::size_t k = op == Op::if_then_else && !by_decisions ? 1 : 0; k < children.size();
             ++k)
          active[i] |= active[reach.index_of(children[k])];
      }
      const bool decides = by_decisions && active[reach.index_of(loop_.condition)] != 0;
      for (std::size_t s = 0; s < n_state(); ++s)
        if (!moved[s] && (decides || active[reach.index_of(loop_.next[s])] != 0))
          moved[s] = again = true;
    }
    return moved;
  }

  /// Made of whole numbers and itself, as i + 1, or whether something holds, or one of some
  /// numbers.
  bool is_counter(std::size_t state) const {
    const Reach reach(pool_, loop_.next[state]);
    std::vector<char> whole(reach.size(), 0), chosen(reach.size(), 0);
    for (std::uint32_t i = 0; i < reach.size(); ++i) {
      const ExprId node = reach.nodes()[i];
      const Op op = pool_.op(node);
      const auto all_below = [&](const std::vector<char>& are) {
        const auto children = pool_.children(node);
        return std::all_of(children.begin(), children.end(),
                           [&](ExprId child) { return are[reach.index_of(child)] != 0; });
      };
      if (pool_.is_number(node)) {
        whole[i] = pool_.number_of(node).is_integer() ? 1 : 0;
        chosen[i] = 1;
      } else if (pool_.is_symbol(node)) {
        whole[i] = chosen[i] = node == loop_.state[state] ? 1 : 0;
      } else if (pool_.is_condition(node)) {
        whole[i] = chosen[i] = 1;
      } else {
        const bool is_choice = op == Op::if_then_else || op == Op::no_event;
        whole[i] = (is_choice || op == Op::add || op == Op::mul) && all_below(whole);
        chosen[i] = is_choice && all_below(chosen);
      }
    }
    const std::uint32_t next = reach.index_of(loop_.next[state]);
    return whole[next] != 0 || chosen[next] != 0;
  }

  /// Nothing of a round is computed where the condition does not hold.
  void compile() {
    std::vector<ExprId> inputs = loop_.state;
    inputs.insert(inputs.end(), loop_.fixed.begin(), loop_.fixed.end());
    std::vector<ExprId> outputs = {
        pool_.if_then_else(loop_.condition, pool_.integer(1), pool_.integer(0))};
    for (std::size_t i = 0; i < n_state(); ++i)
      outputs.push_back(pool_.if_then_else(loop_.condition, loop_.next[i], loop_.state[i]));
    program_ = std::make_unique<Program>(pool_, inputs, outputs);
  }

  std::shared_ptr<const LoopBody> make_tangent() const {
    Loop wider = loop_;
    std::vector<ExprId> inputs = loop_.state;
    inputs.insert(inputs.end(), loop_.fixed.begin(), loop_.fixed.end());
    std::vector<ExprId> directions;
    for (const ExprId id : inputs)
      directions.push_back(pool_.parameter("along " + pool_.symbol_of(id).name));
    const auto n = static_cast<std::ptrdiff_t>(n_state());
    wider.state.insert(wider.state.end(), directions.begin(), directions.begin() + n);
    wider.fixed.insert(wider.fixed.end(), directions.begin() + n, directions.end());
    const auto slopes = directional_derivatives(pool_, loop_.next, inputs, directions);
    wider.next.insert(wider.next.end(), slopes.begin(), slopes.end());
    return std::make_shared<const LoopBody>(pool_, wider);
  }

  mutable ExprPool pool_;  // grows when the tangent is made
  mutable std::mutex mutex_;
  Loop loop_;
  std::unique_ptr<Program> program_;
  mutable std::shared_ptr<const LoopBody> tangent_;
  mutable std::atomic<bool> is_endless_ = false;  // it was, once
  mutable std::atomic<std::size_t> longest_ = 0;  // rounds of one that ended
};

/// A function whose derivatives are made for one argument at a time.
class OneByOne : public CalledFunction {
 public:
  OneByOne(std::uint32_t n_outputs, std::uint32_t arity) : n_outputs_(n_outputs), arity_(arity) {}

  std::vector<FunctionId> partials(ExprPool& pool, FunctionId id,
                                   std::uint32_t argument) const override {
    return CalledFunction::define(
        pool, "der(" + pool.function(id).family + ", " + std::to_string(argument + 1) + ")", arity_,
        n_outputs_, partial(argument));
  }

 protected:
  std::uint32_t n_outputs_;
  std::uint32_t arity_;
  PartialCache partials_;
};

/// The slope of `base` by one argument: `exact`, but for outputs that follow the argument by
/// decisions only; these by central differences.
class DecidedSlope final : public OneByOne {
 public:
  DecidedSlope(std::shared_ptr<const CalledFunction> base,
               std::shared_ptr<const CalledFunction> exact, std::uint32_t argument,
               std::vector<std::size_t> decided, std::uint32_t n_outputs, std::uint32_t arity)
      : OneByOne(n_outputs, arity),
        base_(std::move(base)),
        exact_(std::move(exact)),
        argument_(argument),
        decided_(std::move(decided)) {}

  void evaluate(const double* arguments, double* values) const override {
    exact_->evaluate(arguments, values);
    std::vector<double> moved(arguments, arguments + arity_), above(n_outputs_), below(n_outputs_);
    const double step = 1e-5 * std::max(1.0, std::abs(arguments[argument_]));
    moved[argument_] = arguments[argument_] + step;
    base_->evaluate(moved.data(), above.data());
    moved[argument_] = arguments[argument_] - step;
    base_->evaluate(moved.data(), below.data());
    for (const std::size_t i : decided_) values[i] = (above[i] - below[i]) / (2 * step);
  }

  std::shared_ptr<const CalledFunction> partial(std::uint32_t argument) const override {
    return partials_(argument, [&] {
      // A copy, as what is kept here must not keep this.
      auto base = std::make_shared<const DecidedSlope>(base_, exact_, argument_, decided_,
                                                       n_outputs_, arity_);
      return std::make_shared<const DecidedSlope>(std::move(base), exact_->partial(argument),
                                                  argument, decided_, n_outputs_, arity_);
    });
  }

 private:
  std::shared_ptr<const CalledFunction> base_;
  std::shared_ptr<const CalledFunction> exact_;
  std::uint32_t argument_;
  std::vector<std::size_t> decided_;
};

/// A loop whose arguments come from a function's arguments or are constants, and part of its
/// outputs: the loop itself, or its tangent along one argument or any direction.
class LoopCall final : public OneByOne {
 public:
  struct Source {
    std::uint32_t argument = 0;
    bool is_constant = false;
    double constant = 0;
  };

  LoopCall(std::shared_ptr<const LoopBody> loop, std::vector<Source> sources,
           std::uint32_t first_output, std::uint32_t n_outputs, std::uint32_t arity)
      : OneByOne(n_outputs, arity),
        loop_(std::move(loop)),
        sources_(std::move(sources)),
        first_output_(first_output),
        memory_(arity, n_outputs) {}

  static std::shared_ptr<const LoopCall> whole(std::shared_ptr<const LoopBody> loop) {
    std::vector<Source> sources(loop->n_state() + loop->n_fixed());
    for (std::uint32_t i = 0; i < sources.size(); ++i) sources[i].argument = i;
    const auto n = static_cast<std::uint32_t>(loop->n_state());
    const auto arity = static_cast<std::uint32_t>(sources.size());
    return std::make_shared<const LoopCall>(std::move(loop), std::move(sources), 0, n, arity);
  }

  void evaluate(const double* arguments, double* values) const override {
    memory_(arguments, values, [&] {
      std::vector<double> given;
      given.reserve(sources_.size());
      for (const Source& source : sources_)
        given.push_back(source.is_constant ? source.constant : arguments[source.argument]);
      loop_->run(given);
      std::copy_n(given.begin() + first_output_, n_outputs_, values);
    });
  }

  std::shared_ptr<const CalledFunction> partial(std::uint32_t argument) const override {
    return partials_(argument, [&]() -> std::shared_ptr<const CalledFunction> {
      std::vector<std::size_t> decided = decided_by([&](std::uint32_t k) { return k == argument; });
      auto exact = along(
          [&](std::uint32_t k) {
            return Source{0, true, k == argument ? 1.0 : 0.0};
          },
          arity_);
      if (decided.empty()) return exact;
      // A copy, as what is kept here must not keep this.
      auto base =
          std::make_shared<const LoopCall>(loop_, sources_, first_output_, n_outputs_, arity_);
      return std::make_shared<const DecidedSlope>(std::move(base), std::move(exact), argument,
                                                  std::move(decided), n_outputs_, arity_);
    });
  }

  /// The loop runs once with its tangent, not once for each argument.
  ExprId directional_derivative(ExprPool& pool, FunctionId id, std::span<const ExprId> arguments,
                                std::span<const ExprId> direction) const override {
    std::vector<std::uint32_t> place(arity_, 0);  // of the parts that are not zero; 0: none
    std::vector<ExprId> all(arguments.begin(), arguments.end());
    std::string name = "along(" + pool.function(id).family;
    for (std::uint32_t k = 0; k < arity_; ++k) {
      if (pool.is_zero(direction[k])) continue;
      place[k] = static_cast<std::uint32_t>(all.size());
      all.push_back(direction[k]);
      name += ", " + std::to_string(k + 1);
    }
    if (all.size() < arity_ + 2u) return {};
    FunctionId first = pool.find_function(name += ")");
    if (!first.valid()) {
      if (!decided_by([&](std::uint32_t k) { return place[k] != 0; }).empty()) return {};
      first = define(pool, std::move(name),
                     along(
                         [&](std::uint32_t k) {
                           return Source{place[k], place[k] == 0, 0.0};
                         },
                         static_cast<std::uint32_t>(all.size())))
                  .front();
    }
    return pool.call({first.value + pool.function(id).output}, all);
  }

  static std::vector<FunctionId> define(ExprPool& pool, std::string name,
                                        std::shared_ptr<const LoopCall> call) {
    const std::uint32_t arity = call->arity_;
    const std::uint32_t n_outputs = call->n_outputs_;
    return CalledFunction::define(pool, std::move(name), arity, n_outputs, std::move(call));
  }

 private:
  /// Outputs that follow the arguments for which `moves` holds only by what those decide.
  template <class Moves>
  std::vector<std::size_t> decided_by(Moves moves) const {
    std::vector<bool> moved;
    for (const Source& source : sources_)
      moved.push_back(!source.is_constant && moves(source.argument));
    std::vector<std::size_t> decided;
    for (const std::size_t state : loop_->decided_by(moved))
      if (state >= first_output_ && state - first_output_ < n_outputs_)
        decided.push_back(state - first_output_);
    return decided;
  }

  /// The tangent of the loop; seed: where the part of its direction for an argument comes from.
  template <class Seed>
  std::shared_ptr<const LoopCall> along(Seed seed, std::uint32_t arity) const {
    const auto n = static_cast<std::ptrdiff_t>(loop_->n_state());
    std::vector<Source> sources;
    for (const std::span<const Source> part :
         {std::span(sources_.begin(), n), std::span(sources_).subspan(loop_->n_state())}) {
      sources.insert(sources.end(), part.begin(), part.end());
      for (const Source& source : part)
        sources.push_back(source.is_constant ? Source{0, true, 0.0} : seed(source.argument));
    }
    return std::make_shared<const LoopCall>(loop_->tangent(), std::move(sources),
                                            static_cast<std::uint32_t>(first_output_ + n),
                                            n_outputs_, arity);
  }

  std::shared_ptr<const LoopBody> loop_;
  std::vector<Source> sources_;  // [n state + n fixed]
  std::uint32_t first_output_;
  CallMemory memory_;
};

}  // namespace

std::vector<FunctionId> define_body(ExprPool& pool, std::string name,
                                    std::span<const ExprId> formals,
                                    std::span<const ExprId> outputs, const Wrap& wrap) {
  std::vector<ExprId> numbers(outputs.begin(), outputs.end());
  for (ExprId& id : numbers)
    if (pool.is_condition(id)) id = pool.if_then_else(id, pool.integer(1), pool.integer(0));
  return Body::define(pool, std::move(name), std::make_shared<const Body>(pool, formals, numbers),
                      wrap);
}

std::vector<FunctionId> define_loop(ExprPool& pool, std::string name, const Loop& loop) {
  ensure(loop.next.size() == loop.state.size(), "every state of a loop goes on");
  return LoopCall::define(pool, std::move(name),
                          LoopCall::whole(std::make_shared<const LoopBody>(pool, loop)));
}

std::string free_function_name(const ExprPool& pool, const std::string& name) {
  if (!pool.find_function(name).valid()) return name;
  for (std::size_t k = 2;; ++k)
    if (std::string next = name + " " + std::to_string(k); !pool.find_function(next).valid())
      return next;
}

}  // namespace alembert::symbolic
