// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/builder/network.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "alembert/base/error.hpp"
#include "alembert/flat/connection_sets.hpp"
#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/graph/disjoint_sets.hpp"

namespace alembert::builder {

using flat::ConnectionElement;
using flat::in_quotes;
using symbolic::ExprId;

namespace {

std::vector<std::string> quantity_names(const ConnectorKind& kind) {
  std::vector<std::string> names = kind.potentials;
  names.insert(names.end(), kind.flows.begin(), kind.flows.end());
  names.insert(names.end(), kind.domain.begin(), kind.domain.end());
  return names;
}

Origin connection_origin(const Origin& where, std::string_view what) {
  Origin origin = where;
  origin.derived_from = what;
  return origin;
}

/// So that a message can say what to connect.
void mark_open_potentials(flat::FlatSystem& system,
                          std::span<const Network::ConnectorEntry> connectors,
                          const flat::ConnectionSets::Sets& sets) {
  std::unordered_set<ExprId> open;  // looked up, never iterated
  for (std::uint32_t id = 0; id < connectors.size(); ++id) {
    const Network::ConnectorEntry& entry = connectors[id];
    if (sets.find({id, false}) != nullptr || sets.find({id, true}) != nullptr) continue;
    open.insert(entry.symbols.begin(),
                entry.symbols.begin() + static_cast<std::ptrdiff_t>(entry.kind.potentials.size()));
  }
  if (open.empty()) return;
  for (flat::Unknown& unknown : system.unknowns)
    if (open.contains(unknown.symbol)) unknown.origin.derived_from = flat::open_potential;
}

}  // namespace

Network::ConnectorId Network::add(ConnectorEntry entry) {
  connectors_.push_back(std::move(entry));
  return static_cast<ConnectorId>(connectors_.size() - 1);
}

ExprId Network::quantity(ConnectorId id, std::string_view name, const Origin& origin) const {
  const ConnectorEntry& entry = connectors_[id];
  const std::vector<std::string> names = quantity_names(entry.kind);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return entry.symbols[static_cast<std::size_t>(found - names.begin())];
  throw Error("F021",
              "connector " + in_quotes(entry.name) + " of kind " + in_quotes(entry.kind.name) +
                  " has no quantity " + in_quotes(name) + "; it has " + flat::listed(names) + ".",
              origin);
}

void Network::require_same_kind(ConnectorId a, ConnectorId b, const Origin& origin) const {
  const ConnectorEntry& first = connectors_[a];
  const ConnectorEntry& second = connectors_[b];
  if (first.kind.name == second.kind.name &&
      quantity_names(first.kind) == quantity_names(second.kind))
    return;
  throw Error("F020",
              in_quotes(first.name) + " is a connector of kind " + in_quotes(first.kind.name) +
                  " and cannot be connected with " + in_quotes(second.name) + " of kind " +
                  in_quotes(second.kind.name) +
                  ". Connect connectors of one kind, or put a part between them that converts.",
              origin,
              {{in_quotes(first.name) + " is declared here", first.origin},
               {in_quotes(second.name) + " is declared here", second.origin}});
}

/// One has nothing but domain quantities, those of the other, and flows that nothing takes up: a
/// source of them.
bool Network::is_domain_source(ConnectorId source, ConnectorId target) const {
  const ConnectorKind& kind = connectors_[source].kind;
  return kind.potentials.empty() && !kind.domain.empty() &&
         kind.name != connectors_[target].kind.name &&
         kind.domain == connectors_[target].kind.domain;
}

void Network::connect(std::string_view within, ConnectorId a, ConnectorId b, const Origin& origin) {
  if (is_domain_source(a, b) || is_domain_source(b, a)) {
    domain_links_.push_back({a, b, false, false, origin});
    return;
  }
  require_same_kind(a, b, origin);
  connections_.push_back(
      {a, b, connectors_[a].owner == within, connectors_[b].owner == within, origin});
}

void Network::same_domain(ConnectorId a, ConnectorId b, const Origin& origin) {
  require_same_kind(a, b, origin);
  domain_links_.push_back({a, b, false, false, origin});
}

void Network::define(ConnectorId id, std::string_view name, ExprId value, const Origin& origin) {
  const ExprId symbol = quantity(id, name, origin);
  const auto& symbols = connectors_[id].symbols;
  const auto place = static_cast<std::uint32_t>(std::find(symbols.begin(), symbols.end(), symbol) -
                                                symbols.begin());
  const ConnectorKind& kind = connectors_[id].kind;
  const auto n_others = static_cast<std::uint32_t>(kind.potentials.size() + kind.flows.size());
  if (place < n_others)
    throw Error("F021",
                in_quotes(name) + " of connector " + in_quotes(connectors_[id].name) +
                    " is not a domain quantity. Write an equation for it.",
                origin);
  definitions_.push_back({id, place - n_others, value, origin});
}

void Network::expand(flat::FlatSystem& system) const {
  expand_connections(system);
  expand_domains(system);
}

void Network::expand_connections(flat::FlatSystem& system) const {
  flat::ConnectionSets connected;
  std::unordered_map<std::uint64_t, const Origin*> origin_of;  // looked up, never iterated
  for (const Connection& connection : connections_) {
    const ConnectionElement a{connection.a, connection.a_outside};
    const ConnectionElement b{connection.b, connection.b_outside};
    connected.connect(a, b);
    origin_of.try_emplace(flat::ConnectionSets::key(a), &connection.origin);
    origin_of.try_emplace(flat::ConnectionSets::key(b), &connection.origin);
  }
  const auto sets = connected.sets();
  symbolic::ExprPool& pool = *system.pool;
  for (const auto& set : sets.sets) {
    const ConnectorEntry& first = connectors_[set.front().scalar];
    const Origin& origin = *origin_of.at(flat::ConnectionSets::key(set.front()));
    const std::size_t n_potentials = first.kind.potentials.size();
    for (std::size_t k = 0; k < n_potentials; ++k) {
      const bool is_discrete =
          pool.symbol_of(first.symbols[k]).kind == symbolic::SymbolKind::discrete;
      // Equations do not tell in which order things were connected.
      std::vector<ConnectionElement> in_order = set;
      const auto symbol = [&](const ConnectionElement& element) {
        return connectors_[element.scalar].symbols[k];
      };
      if (!is_discrete)
        std::ranges::stable_sort(in_order, [&](const auto& a, const auto& b) {
          return pool.precedes(symbol(a), symbol(b));
        });
      for (std::size_t i = 1; i < in_order.size(); ++i)
        (is_discrete ? system.discrete_equations : system.equations)
            .push_back({symbol(in_order.front()), symbol(in_order[i]),
                        connection_origin(*origin_of.at(flat::ConnectionSets::key(in_order[i])),
                                          flat::from_connection)});
    }
    for (std::size_t k = 0; k < first.kind.flows.size(); ++k) {
      std::vector<ExprId> terms;
      for (const ConnectionElement& element : set) {
        const ExprId flow = connectors_[element.scalar].symbols[n_potentials + k];
        terms.push_back(element.outside ? pool.neg(flow) : flow);
      }
      system.equations.push_back(
          {pool.add(terms), pool.number(0), connection_origin(origin, flat::from_balance)});
    }
  }
  // What nothing is connected to carries no flow.
  for (ConnectorId id = 0; id < connectors_.size(); ++id) {
    const ConnectorEntry& entry = connectors_[id];
    if (sets.find({id, false}) != nullptr) continue;
    for (std::size_t k = 0; k < entry.kind.flows.size(); ++k)
      system.equations.push_back({entry.symbols[entry.kind.potentials.size() + k], pool.number(0),
                                  connection_origin(entry.origin, flat::from_balance)});
  }
  mark_open_potentials(system, connectors_, sets);
}

void Network::expand_domains(flat::FlatSystem& system) const {
  graph::DisjointSets networks(static_cast<std::uint32_t>(connectors_.size()));
  for (const Connection& connection : connections_) networks.unite(connection.a, connection.b);
  for (const Connection& link : domain_links_) networks.unite(link.a, link.b);

  std::unordered_map<std::uint64_t, const Definition*> defined;  // looked up, never iterated
  const auto key = [&](ConnectorId id, std::uint32_t quantity) {
    return std::uint64_t{networks.find(id)} << 32 | quantity;
  };
  for (const Definition& definition : definitions_) {
    const auto [known, is_new] =
        defined.try_emplace(key(definition.connector, definition.quantity), &definition);
    if (is_new) continue;
    const ConnectorEntry& first = connectors_[known->second->connector];
    const ConnectorEntry& second = connectors_[definition.connector];
    throw Error("F023",
                "two parts of one network give different values of " +
                    in_quotes(first.kind.domain[definition.quantity]) + ": one at " +
                    in_quotes(first.name) + ", one at " + in_quotes(second.name) +
                    ". Remove one of them, or separate the networks.",
                definition.origin, {{"the first is given here", known->second->origin}});
  }

  std::unordered_map<ExprId, std::size_t> parameter_of;  // looked up, never iterated
  for (std::size_t p = 0; p < system.parameters.size(); ++p)
    parameter_of.emplace(system.parameters[p].symbol, p);
  for (ConnectorId id = 0; id < connectors_.size(); ++id) {
    const ConnectorEntry& entry = connectors_[id];
    const std::size_t n_others = entry.kind.potentials.size() + entry.kind.flows.size();
    for (std::size_t k = 0; k < entry.kind.domain.size(); ++k) {
      const auto found = defined.find(key(id, static_cast<std::uint32_t>(k)));
      if (found == defined.end())
        throw Error("F022",
                    "nothing gives " + in_quotes(entry.kind.domain[k]) + " of connector " +
                        in_quotes(entry.name) +
                        " or of what it is connected with. Connect a part that defines it.",
                    entry.origin);
      system.parameters[parameter_of.at(entry.symbols[n_others + k])].value = found->second->value;
    }
  }
}

}  // namespace alembert::builder
