// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/shared_records.hpp"

#include <fmt/format.h>

#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

namespace {

/// 'valve.port_s' of valve.port_s.fluid: what a user connects.
std::string connector_name(const Instance& record) {
  const Instance* connector = record.parent();
  return connector == nullptr ? record.full_name() : connector->full_name();
}

/// The declaration in the model itself through which the record is there: what a user can change.
Place declared_at(const Instance& record) {
  const Instance* at = &record;
  while (at->parent() != nullptr && at->parent()->parent() != nullptr) at = at->parent();
  return at->place();
}

}  // namespace

std::uint32_t SharedRecords::node(Instance& record) {
  const auto next = static_cast<std::uint32_t>(records_.size());
  const auto [entry, is_new] = node_of_.try_emplace(&record, next);
  if (is_new) {
    records_.push_back(&record);
    networks_.grow(next + 1);
  }
  return entry->second;
}

void SharedRecords::connect(Instance& a, Instance& b) {
  const std::uint32_t first = node(a);
  networks_.unite(first, node(b));
}

void SharedRecords::add_root(Instance& record) { roots_.push_back(node(record)); }

void SharedRecords::settle(bool may_be_open) {
  std::vector<Instance*> root_of_set(records_.size(), nullptr);
  for (const std::uint32_t root : roots_) {
    Instance*& known = root_of_set[networks_.find(root)];
    if (known != nullptr && known != records_[root])
      fail(
          declared_at(*records_[root]), "M322",
          fmt::format("'{}' and '{}' are on one network of connections, and both give it its '{}'. "
                      "Keep one of them, or separate the network.",
                      connector_name(*known), connector_name(*records_[root]),
                      records_[root]->name().text()));
    known = records_[root];
  }
  // From outside, all connectors of one network get the same: one of them speaks for the rest.
  for (std::uint32_t i = 0; may_be_open && i < records_.size(); ++i) {
    const Instance* connector = records_[i]->parent();
    const Instance* owner = connector == nullptr ? nullptr : connector->parent();
    Instance*& known = root_of_set[networks_.find(i)];
    if (known == nullptr && owner != nullptr && owner->parent() == nullptr) known = records_[i];
  }
  root_of_.assign(records_.size(), nullptr);
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    Instance* const root = root_of_set[networks_.find(i)];
    if (root != nullptr)
      root_of_[i] = root == records_[i] ? nullptr : root;
    else if (!may_be_open && !records_[i]->binding())
      report_no_root(i);
  }
}

void SharedRecords::report_no_root(std::uint32_t first) {
  constexpr std::size_t most_names = 4;
  std::string names;
  std::size_t n = 0;
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    if (!networks_.same(i, first) || ++n > most_names) continue;
    names += fmt::format("{}'{}'", n == 1 ? "" : ", ", connector_name(*records_[i]));
  }
  if (n > most_names) names += fmt::format(" and {} more", n - most_names);
  const std::string what(records_[first]->name().text());
  fail(
      declared_at(*records_[first]), "M323",
      fmt::format("nothing gives a '{}' to the network of {}. Connect a component that does to one "
                  "of them, such as 'connect({}.port, {});'.",
                  what, names, what, connector_name(*records_[first])));
}

Instance* SharedRecords::root_of(const Instance& record) const {
  const auto found = node_of_.find(&record);
  return found == node_of_.end() || root_of_.empty() ? nullptr : root_of_[found->second];
}

}  // namespace alembert::modelica
