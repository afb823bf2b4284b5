// SPDX-License-Identifier: Apache-2.0
#include "sweep_model.hpp"

#include <algorithm>

#include "alembert/ensemble/model_case.hpp"

namespace alembert::commands {

namespace {

constexpr std::size_t most_variants = 16;  // compiled and kept

bool is_data(const flat::FlatSystem& system, const std::string& name) {
  const symbolic::ExprId symbol = system.pool->find_symbol(name);
  return symbol.valid() &&
         std::any_of(system.parameters.begin(), system.parameters.end(), [&](const auto& p) {
           return p.symbol == symbol && p.type == flat::ValueType::real && !p.structural;
         });
}

bool is_unknown(const flat::FlatSystem& system, const std::string& name) {
  const symbolic::ExprId symbol = system.pool->find_symbol(name);
  return symbol.valid() && std::any_of(system.unknowns.begin(), system.unknowns.end(),
                                       [&](const auto& u) { return u.symbol == symbol; });
}

/// Its value took terms out of equations; with another one it may be data.
bool is_structural_zero(const flat::FlatSystem& system, const std::string& name) {
  const symbolic::ExprId symbol = system.pool->find_symbol(name);
  return symbol.valid() &&
         std::any_of(system.parameters.begin(), system.parameters.end(), [&](const auto& p) {
           return p.symbol == symbol && p.type == flat::ValueType::real && p.structural &&
                  p.value.valid() && system.pool->is_zero(p.value);
         });
}

/// In place of what was set before.
void set(ModelOptions& options, const std::string& name, const std::string& value) {
  std::erase_if(options.overrides,
                [&](const std::string& text) { return text.starts_with(name + "="); });
  options.overrides.push_back(name + "=" + value);
}

}  // namespace

SweepModel::SweepModel(const ModelOptions& options, ensemble::CaseTable& cases, bool quiet)
    : options_(options), cases_(cases), names_(cases.names) {
  flat::FlatSystem system = read_model(options, quiet);
  if (leave_zero(system)) system = read_model(options_, true);
  name_ = system.name;
  experiment_ = system.experiment;
  const auto note_units = [&](const auto& quantities) {
    for (const auto& quantity : quantities)
      if (!quantity.unit.empty())
        units_.emplace(system.pool->symbol_text(quantity.symbol), quantity.unit);
  };
  note_units(system.unknowns);
  note_units(system.discrete_variables);
  note_units(system.parameters);
  for (std::size_t j = 0; j < names_.size(); ++j) {
    std::string& name = names_[j];
    if (name.ends_with(".start")) name.resize(name.size() - 6);
    if (cases.labels[j].empty() && name == cases.names[j] && is_data(system, name)) {
      roles_.push_back(Role::parameter);
    } else if (cases.labels[j].empty() && is_unknown(system, name)) {
      roles_.push_back(Role::start);
      cases.names[j] = ensemble::start_name(name);
    } else {
      name = cases.names[j];
      roles_.push_back(Role::structural);
    }
    zero_differs_.push_back(roles_.back() == Role::parameter && changes_at_zero(j) ? 1 : 0);
  }
  variant(0);
}

bool SweepModel::changes_at_zero(std::size_t column) const {
  std::uint64_t row = 0;
  while (row < cases_.n_cases() && cases_.value(row, column) != 0) ++row;
  if (row == cases_.n_cases()) return false;
  ModelOptions at_zero = options_;
  set(at_zero, names_[column], "0");
  return is_structural_zero(read_model(at_zero, true), names_[column]);
}

bool SweepModel::is_zero_case(std::uint64_t number, std::size_t column) const {
  return zero_differs_[column] != 0 && cases_.value(number, column) == 0;
}

bool SweepModel::leave_zero(const flat::FlatSystem& system) {
  ModelOptions elsewhere = options_;
  std::vector<std::pair<std::string, std::string>> added;
  for (std::size_t j = 0; j < names_.size(); ++j) {
    if (!cases_.labels[j].empty() || !is_structural_zero(system, names_[j])) continue;
    std::uint64_t row = 0;
    while (row < cases_.n_cases() && cases_.value(row, j) == 0) ++row;
    if (row == cases_.n_cases()) continue;
    added.emplace_back(names_[j], names_[j] + "=" + cases_.text(row, j));
    elsewhere.overrides.push_back(added.back().second);
  }
  if (added.empty()) return false;
  const flat::FlatSystem other = read_model(elsewhere, true);
  const std::size_t n_before = options_.overrides.size();
  for (const auto& [name, override_text] : added)
    if (is_data(other, name)) options_.overrides.push_back(override_text);
  return options_.overrides.size() > n_before;
}

flat::FlatSystem SweepModel::flat_for(std::uint64_t number, bool quiet) const {
  ModelOptions options = options_;
  // All of them, although most change without a new model: what is given is no default any more.
  for (std::size_t j = 0; j < names_.size(); ++j) set(options, names_[j], cases_.text(number, j));
  flat::FlatSystem system = read_model(options, quiet);
  for (std::size_t j = 0; j < names_.size(); ++j)
    if (roles_[j] == Role::start) ensemble::make_start_parameter(system, names_[j]);
  return system;
}

bool SweepModel::fits(const Variant& variant, const std::vector<std::string>& values,
                      std::uint64_t number) const {
  return variant.values == values && std::ranges::all_of(variant.decided, [&](std::size_t j) {
           return cases_.value(number, j) == cases_.value(variant.made_for, j);
         });
}

const compile::CompiledModel& SweepModel::variant(std::uint64_t number) {
  std::vector<std::string> values;
  for (std::size_t j = 0; j < names_.size(); ++j)
    if (roles_[j] == Role::structural)
      values.push_back(cases_.text(number, j));
    else if (zero_differs_[j] != 0)
      values.push_back(is_zero_case(number, j) ? "zero" : "");
  const auto found = std::ranges::find_if(
      variants_, [&](const Variant& variant) { return fits(variant, values, number); });
  if (found != variants_.end()) {
    variants_.splice(variants_.begin(), variants_, found);
    return *variants_.front().model;
  }
  auto model = std::make_unique<compile::CompiledModel>(flat_for(number, true));
  // Values with which equations repeat each other decide what is compiled: another case, with
  // others, needs another model, although its text has no choice.
  std::vector<std::size_t> decided;
  for (std::size_t j = 0; j < names_.size(); ++j)
    if (roles_[j] == Role::parameter && !is_zero_case(number, j) &&
        !is_data(model->flat(), names_[j]))
      decided.push_back(j);
  if (variants_.size() == most_variants) variants_.pop_back();
  variants_.push_front({std::move(values), std::move(model), std::move(decided), number});
  return *variants_.front().model;
}

integrate::SimulateOptions SweepModel::options_for(std::uint64_t number,
                                                   integrate::SimulateOptions options) const {
  for (std::size_t j = 0; j < names_.size(); ++j)
    if (roles_[j] != Role::structural && !is_zero_case(number, j))
      options.parameters[cases_.names[j]] = cases_.value(number, j);
  return options;
}

}  // namespace alembert::commands
