// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/open_connectors.hpp"

namespace alembert::modelica {

namespace {

const char* signal_type(TypeKind type) {
  switch (type) {
    case TypeKind::boolean: return "Boolean signal";
    case TypeKind::integer:
    case TypeKind::enumeration: return "Integer signal";
    default: return "Real signal";
  }
}

void add_names(Instance& variable, std::vector<std::string>& names) {
  const auto dims = variable.dimensions();
  std::size_t n = 1;
  for (const std::int64_t size : dims) n *= static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < n; ++i) {
    std::string subscripts;
    std::size_t position = i;
    for (std::size_t k = dims.size(); k-- > 0;) {
      const auto size = static_cast<std::size_t>(dims[k]);
      subscripts =
          std::to_string(position % size + 1) + (subscripts.empty() ? "" : "," + subscripts);
      position /= size;
    }
    names.push_back(variable.full_name() + (dims.empty() ? "" : "[" + subscripts + "]"));
  }
}

void add_members(Instance& structure, Connections& connections, OpenConnector& connector) {
  for (Instance* member : structure.children()) {
    if (!member->is_present()) continue;
    if (!member->is_simple()) {
      if (connections.is_shared_record(*member)) {
        for (Instance* parameter : member->children()) add_names(*parameter, connector.shared);
        Instance* other = connections.shared_record(*member);
        if (other != nullptr && is_of_model_connector(*other->children().front()))
          connector.shared_with = other->parent()->full_name();
      } else {
        add_members(*member, connections, connector);
      }
      continue;
    }
    if (member->variability() == Variability::parameter ||
        member->variability() == Variability::constant || member->type() == TypeKind::string)
      continue;
    add_names(*member,
              member->connection() == Connection::flow ? connector.flows : connector.potentials);
  }
}

void add_connector(Instance& instance, Connections& connections, std::vector<OpenConnector>& list) {
  if (instance.is_simple()) {
    std::vector<std::string> names;
    add_names(instance, names);
    for (const std::string& name : names)
      list.push_back({.name = name, .type = signal_type(instance.type()), .potentials = {name}});
    return;
  }
  OpenConnector connector{.name = instance.full_name(),
                          .type = instance.base_class_node().full_name()};
  add_members(instance, connections, connector);
  list.push_back(std::move(connector));
}

}  // namespace

std::vector<OpenConnector> open_connectors(Instance& model, Connections& connections) {
  std::vector<OpenConnector> list;
  for (Instance* child : model.children()) {
    if (!child->is_present() || child->is_protected() || !is_connector(*child)) continue;
    if (!child->is_array()) {
      add_connector(*child, connections, list);
      continue;
    }
    for (std::size_t i = 0; i < child->n_entries(); ++i)
      add_connector(child->entry(i), connections, list);
  }
  return list;
}

}  // namespace alembert::modelica
