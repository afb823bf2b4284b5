// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/builder. Connectors and what is connected with what. In: connectors with
// potentials (equal where connected), flows (sum to zero, positive into the part that has the
// connector) and domain quantities (parameters such as a fluid's density that one part gives for
// the whole network). Out: equations and parameter values of a FlatSystem.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/flat/flat_system.hpp"

namespace alembert::builder {

/// The quantities of a connector; two are connected only if they are of the same kind.
struct ConnectorKind {
  std::string name;
  std::vector<std::string> potentials = {};
  std::vector<std::string> flows = {};
  std::vector<std::string> domain = {};
};

class Network {
 public:
  using ConnectorId = std::uint32_t;

  struct ConnectorEntry {
    std::string name;   // with its path: "pump.port"
    std::string owner;  // path of the part that has it; empty: the model
    ConnectorKind kind;
    std::vector<symbolic::ExprId> symbols;  // potentials, flows, domain quantities
    Origin origin;
  };

  ConnectorId add(ConnectorEntry entry);
  const ConnectorEntry& connector(ConnectorId id) const { return connectors_[id]; }
  /// The symbol of a quantity. Error F021, with the names there are, if the connector has no such.
  symbolic::ExprId quantity(ConnectorId id, std::string_view name, const Origin& origin) const;

  /// `within`: path of the part that connects. Error F020 if the kinds differ. A connector without
  /// potentials may be connected with any that has the same domain quantities: it shares those
  /// only.
  void connect(std::string_view within, ConnectorId a, ConnectorId b, const Origin& origin);
  /// One domain for two connectors of a part, through which nothing else is shared.
  void same_domain(ConnectorId a, ConnectorId b, const Origin& origin);
  /// The value of a domain quantity for all that is connected.
  void define(ConnectorId id, std::string_view quantity, symbolic::ExprId value,
              const Origin& origin);

  /// Adds the equations of all connections, and the values of the domain quantities: Error F022
  /// where a network has none, F023 where it has two.
  void expand(flat::FlatSystem& system) const;

 private:
  struct Connection {
    ConnectorId a, b;
    bool a_outside, b_outside;
    Origin origin;
  };
  struct Definition {
    ConnectorId connector;
    std::uint32_t quantity;  // place among the domain quantities of its kind
    symbolic::ExprId value;
    Origin origin;
  };

  void require_same_kind(ConnectorId a, ConnectorId b, const Origin& origin) const;
  bool is_domain_source(ConnectorId source, ConnectorId target) const;
  void expand_connections(flat::FlatSystem& system) const;
  void expand_domains(flat::FlatSystem& system) const;

  std::vector<ConnectorEntry> connectors_;
  std::vector<Connection> connections_;
  std::vector<Connection> domain_links_;
  std::vector<Definition> definitions_;
};

}  // namespace alembert::builder
