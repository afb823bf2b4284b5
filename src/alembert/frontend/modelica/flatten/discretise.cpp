// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/discretise.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::modelica {

namespace {

using flat::ExprId;
using symbolic::ExprPool;
using symbolic::Op;
using Pair = ClockedDerivatives::Pair;

class Discretisation {
 public:
  Discretisation(flat::ClockedPart& part, const std::vector<std::string>& methods,
                 const ClockedDerivatives& derivatives, const flat::FlatSystem& system)
      : part_(part), methods_(methods), derivatives_(derivatives), pool_(*system.pool) {
    for (const flat::DiscreteVariable& variable : system.discrete_variables)
      start_of_.emplace(variable.symbol, variable.start);
  }

  void run() {
    find_first_values();
    for (std::size_t i = 0; i < derivatives_.pairs.size(); ++i) {
      const Pair& pair = derivatives_.pairs[i];
      const ExprId first =
          pool_.apply(Op::not_equal, part_.clocks[pair.clock].first_tick, pool_.integer(0));
      const ExprId step = pool_.sub(pair.state, one_step(pair));
      add(pool_.if_then_else(first, first_residuals_[i], step), pair);
    }
  }

 private:
  void add(ExprId residual, const Pair& pair) {
    part_.equations.push_back(
        {.left = residual, .right = pool_.integer(0), .clock = pair.clock, .origin = pair.origin});
  }

  /// An initial equation takes the place of the start value of a state in it.
  void find_first_values() {
    for (const Pair& pair : derivatives_.pairs) {
      const ExprId start = start_of_.at(pair.state);
      first_residuals_.push_back(pool_.sub(pair.state, start.valid() ? start : pool_.integer(0)));
    }
    std::vector<char> taken(derivatives_.pairs.size(), 0);
    for (const flat::FlatEquation& equation : derivatives_.initial) {
      const ExprId residual = pool_.sub(equation.left, equation.right);
      const symbolic::Reach reach(pool_, residual);
      const auto take = [&](auto symbol_of) {
        for (std::size_t i = 0; i < taken.size(); ++i) {
          if (taken[i] || !reach.contains(symbol_of(derivatives_.pairs[i]))) continue;
          taken[i] = 1;
          first_residuals_[i] = residual;
          return true;
        }
        return false;
      };
      if (!take([](const Pair& pair) { return pair.state; }))
        take([](const Pair& pair) { return pair.derivative; });
    }
  }

  ExprId one_step(const Pair& pair) {
    const std::string& method = methods_[pair.clock];
    const ExprId h = part_.clocks[pair.clock].interval;
    const ExprId before = pool_.previous_symbol(pair.state);
    const ExprId slope = pair.derivative;
    const auto advanced = [&](ExprId by) { return pool_.add(before, pool_.mul(h, by)); };
    if (method == "ExplicitEuler") return advanced(pool_.previous_symbol(slope));
    if (method == "ImplicitEuler") return advanced(slope);
    if (method == "ImplicitTrapezoid")
      return advanced(pool_.div(pool_.add(slope, pool_.previous_symbol(slope)), pool_.integer(2)));
    const std::string name = pool_.symbol_text(pair.state);
    if (method.empty())
      throw Error("M354",
                  fmt::format("'{}' has a derivative and is clocked, but its clock has no solver "
                              "method. Give one: Clock(c, solverMethod = \"ImplicitEuler\").",
                              name),
                  pair.origin);
    throw Error("M354",
                fmt::format("the solver method '{}' of the clock of '{}' is not known. There are "
                            "ExplicitEuler, ImplicitEuler and ImplicitTrapezoid.",
                            method, name),
                pair.origin);
  }

  flat::ClockedPart& part_;
  const std::vector<std::string>& methods_;
  const ClockedDerivatives& derivatives_;
  ExprPool& pool_;
  std::unordered_map<ExprId, ExprId> start_of_;  // looked up, never iterated
  std::vector<ExprId> first_residuals_;          // [n pairs]
};

}  // namespace

void discretise(flat::ClockedPart& part, const std::vector<std::string>& solver_methods,
                const ClockedDerivatives& derivatives, const flat::FlatSystem& system) {
  if (!derivatives.pairs.empty()) Discretisation(part, solver_methods, derivatives, system).run();
}

}  // namespace alembert::modelica
