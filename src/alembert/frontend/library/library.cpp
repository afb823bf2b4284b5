// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/library/library.hpp"

#include <cctype>
#include <cstdlib>
#include <sstream>

#include "alembert/base/number_text.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/frontend/modelica/modelica.hpp"

namespace alembert::library {

using builder::Connector;
using builder::ConnectorKind;
using builder::Expr;

namespace {

/// "v" of "flange.v" in "flange"; a signal is its connector.
std::string member_name(const modelica::OpenConnector& connector, const std::string& quantity) {
  return quantity == connector.name ? "signal" : quantity.substr(connector.name.size() + 1);
}

struct KindAndNames {
  ConnectorKind kind;
  std::vector<std::string> quantities;  // as in the flat system, in the order of the kind
};

KindAndNames kind_of(const modelica::OpenConnector& connector) {
  KindAndNames result{.kind = {.name = connector.type}, .quantities = {}};
  const auto add = [&](const std::vector<std::string>& from, std::vector<std::string>& to) {
    for (const std::string& quantity : from) {
      to.push_back(member_name(connector, quantity));
      result.quantities.push_back(quantity);
    }
  };
  add(connector.potentials, result.kind.potentials);
  add(connector.flows, result.kind.flows);
  add(connector.shared, result.kind.domain);
  return result;
}

/// The value that the component itself gives to a parameter of a connector; none if it has none.
flat::ExprId own_value(const flat::FlatSystem& system, const std::string& parameter) {
  for (const flat::Parameter& candidate : system.parameters)
    if (system.pool->symbol_of(candidate.symbol).name == parameter) return candidate.value;
  return {};
}

}  // namespace

Modification::Modification(std::string parameter, double value)
    : name(std::move(parameter)), text(number_text(value)) {}
Modification::Modification(std::string parameter, int value)
    : name(std::move(parameter)), text(std::to_string(value)) {}
Modification::Modification(std::string parameter, bool value)
    : name(std::move(parameter)), text(value ? "true" : "false") {}

const Connector& Component::operator[](std::string_view connector) const {
  const auto found = connectors_.find(connector);
  if (found != connectors_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, handle] : connectors_) names.push_back(known);
  throw Error("L002", "component " + flat::in_quotes(name()) + " has no connector " +
                          flat::in_quotes(connector) + "; it has " + flat::listed(names) + ".");
}

Expr Component::quantity(std::string_view quantity) const {
  symbolic::ExprPool& pool = part_.model().pool();
  const symbolic::ExprId symbol = pool.find_symbol(name() + "." + std::string(quantity));
  if (!symbol.valid())
    throw Error("L003", "component " + flat::in_quotes(name()) + " has no variable or parameter " +
                            flat::in_quotes(quantity) +
                            ". Parameters that choose variants are taken by their values.");
  return {pool, symbol};
}

Library::Library(builder::Model& model, std::vector<std::filesystem::path> folders)
    : model_(&model), folders_(std::move(folders)) {
  if (const char* path = std::getenv("MODELICAPATH")) {
    std::istringstream list(path);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders_.emplace_back(folder);
  }
}

std::string Library::free_name(const std::string& full_class_name) {
  std::string name = full_class_name.substr(full_class_name.rfind('.') + 1);
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  const int n = ++n_made_[name];
  return n == 1 ? name : name + std::to_string(n);
}

Component Library::make(const std::string& full_class_name,
                        std::initializer_list<Modification> modifications, std::string_view name,
                        std::source_location at) {
  if (full_class_name.empty() || full_class_name.back() == '.')
    throw Error("L001",
                "a component needs the name of its class, such as "
                "Alembert.Translational.Mass.");
  modelica::ModelSource source{
      .library_roots = folders_, .model = full_class_name, .is_part = true};
  for (const Modification& modification : modifications)
    source.overrides.push_back(modification.name + "=" + modification.text);
  const modelica::FlattenedModel flattened = modelica::flatten(source);

  const builder::Part part =
      model_->part(name.empty() ? free_name(full_class_name) : std::string(name));
  part.include(flattened.system);
  Component component(part);
  for (const modelica::OpenConnector& open : flattened.connectors) {
    const KindAndNames names = kind_of(open);
    const Connector connector = part.connector_of(open.name, names.kind, names.quantities, at);
    for (const std::string& parameter : open.shared) {
      if (!own_value(flattened.system, parameter).valid() || !open.shared_with.empty()) continue;
      connector.define(member_name(open, parameter), part.value_of(parameter), at);
    }
    component.connectors_.emplace(open.name, connector);
  }
  for (const modelica::OpenConnector& open : flattened.connectors)
    if (!open.shared_with.empty())
      component[open.shared_with].same_domain(component[open.name], at);
  return component;
}

}  // namespace alembert::library
