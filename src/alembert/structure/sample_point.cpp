// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/sample_point.hpp"

#include <cmath>

#include "alembert/flat/parameters.hpp"

namespace alembert::structure {

SamplePoint::SamplePoint(const flat::FlatSystem& flat, std::span<const ExprId> variables)
    : flat_(flat), variables_(variables), definition_(variables.size()) {}

void SamplePoint::begin() {
  const std::vector<double> parameters = flat::examine_parameters(flat_).values;
  values_ = flat::values_by_symbol(flat_, parameters);
  values_[flat_.pool->time()] = 0;
  starts_ = flat::evaluate_starts(flat_, parameters).unknowns;
  variable_of_.emplace(*flat_.pool);
  for (std::uint32_t v = 0; v < variables_.size(); ++v) variable_of_->set(variables_[v], v);
  unknown_of_.emplace(*flat_.pool);
  for (std::uint32_t j = 0; j < flat_.unknowns.size(); ++j)
    unknown_of_->set(flat_.unknowns[j].symbol, j);
}

double SamplePoint::size_of(ExprId expression) {
  if (!variable_of_) begin();
  prepare(expression);
  const double value = evaluate(*flat_.pool, expression, values_);
  return std::isfinite(value) ? std::abs(value) : 0;
}

double SamplePoint::start_of(ExprId symbol) const {
  const std::uint32_t j = (*unknown_of_)[symbol];
  if (j == symbolic::NodeIndex::absent) return 1;
  return starts_[j] && *starts_[j] != 0 ? *starts_[j] : flat_.unknowns[j].nominal.value_or(1);
}

void SamplePoint::prepare(ExprId expression) {
  const symbolic::ExprPool& pool = *flat_.pool;
  // Symbols whose definitions wait for those above them. What blocks assign needs earlier blocks
  // only, so that this ends.
  std::vector<ExprId> waiting;
  const auto ask_for = [&](ExprId of) {
    bool all_known = true;
    for (const ExprId symbol : free_symbols(pool, of))
      if (!values_.contains(symbol)) {
        waiting.push_back(symbol);
        all_known = false;
      }
    return all_known;
  };
  ask_for(expression);
  while (!waiting.empty()) {
    const ExprId symbol = waiting.back();
    const std::uint32_t variable = (*variable_of_)[symbol];
    const ExprId definition =
        variable == symbolic::NodeIndex::absent ? ExprId{} : definition_[variable];
    if (values_.contains(symbol)) {
      waiting.pop_back();
    } else if (!definition.valid()) {
      values_[symbol] = start_of(symbol);
    } else if (ask_for(definition)) {
      const double value = evaluate(pool, definition, values_);
      values_[symbol] = std::isfinite(value) ? value : start_of(symbol);
    }
  }
}

}  // namespace alembert::structure
