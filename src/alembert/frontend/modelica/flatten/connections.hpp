// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Everything that connect does. In: the connect equations of all
// components, and Connections.branch, root, potentialRoot. Out: equations for what is connected and
// for what is not (flows that nobody took up), the values of inStream, cardinality, rooted.
//
// Two steps, so that equations may ask what is connected: `gather` reads all connects, then
// equations are read, `add_equations` comes last. Language specification: Modelica 3.6, chapters 9
// and 15.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "alembert/flat/connection_sets.hpp"
#include "alembert/frontend/modelica/flatten/component_reference.hpp"
#include "alembert/frontend/modelica/flatten/connection_graph.hpp"
#include "alembert/frontend/modelica/flatten/shared_records.hpp"
#include "alembert/frontend/modelica/flatten/state.hpp"
#include "alembert/graph/disjoint_sets.hpp"

namespace alembert::modelica {

/// True if a connect, or something for the connection graph, stands in one of the equations.
bool is_connection_call(const Equation& equation);

/// Is it a quantity of a connector of the model itself?
bool is_of_model_connector(Instance& variable);

/// A member of an expandable connector, at any depth.
bool is_in_expandable(Instance& variable);

class Connections {
 public:
  explicit Connections(FlattenState& state) : state_(state) {}

  void gather();
  void add_equations();

  /// False for what an expandable connector declares and nobody uses: it does not exist.
  bool is_used(Instance& variable) const { return !unused_.contains(&variable); }
  std::int64_t cardinality(const Instance& connector) const;
  bool is_root(const Instance& record) const;
  bool rooted(const Instance& record) const;
  /// The parameter that gives this one its value all over a network; null if there is none.
  Instance* shared_parameter(const Instance& parameter) const;
  /// The record that this one, of another connector, shares its network with inside of a model that
  /// is a part; null if there is none.
  Instance* shared_record(const Instance& record) const { return shared_.root_of(record); }
  bool is_shared_record(Instance& record) { return is_shared(record); }
  ExprId in_stream(Instance& variable, std::size_t scalar, Place place);
  ExprId actual_stream(Instance& variable, std::size_t scalar, Place place);

 private:
  /// A connector, or a part of one, and the side from which it is seen.
  struct Side {
    ReferencedPart part;
    bool outside = false;
  };
  /// A connect equation as found; loop variables have their values.
  struct Statement {
    const Equation* equation = nullptr;
    Instance* owner = nullptr;
    Scope* scope = nullptr;
    std::shared_ptr<const Locals> locals = {};
  };
  struct ConnectedRecords {
    Side a;
    Side b;
    const Statement* statement = nullptr;
  };
  struct ScalarInfo {
    Instance* variable = nullptr;
    Connection connection = Connection::none;
    ExprId flow = {};      ///< of a stream: the flow of the same connector
    bool only_in = false;  ///< of a stream: its flow never goes out of the component
  };

  bool has_connections(const Equation& equation);
  void gather(List<const Equation*> equations, Instance& owner, Scope& scope,
              const std::shared_ptr<const Locals>& locals);
  void gather_if(const Equation& equation, Instance& owner, Scope& scope,
                 const std::shared_ptr<const Locals>& locals);
  void gather_for(const Equation& equation, std::size_t iterator, Instance& owner, Scope& scope,
                  const std::shared_ptr<const Locals>& locals);

  // Expandable connectors get the members that are connected to them: connections_expand.cpp.
  void expand_connectors();
  struct Expandable {
    std::vector<Instance*> owners = {};  ///< expandable connectors without the member
    Dims owner_dims = {};                ///< of them and of those that have it
    Name member = {};
    std::vector<Subscript> subscripts = {};  ///< of the member; its size follows from all of them
    bool is_absent = false;
    Referenced found = {};                ///< where nothing is missing
    std::vector<Instance*> unsized = {};  ///< members that are there with the size ':'
  };
  Expandable look_for(const ComponentReference& reference, const EvaluationScope& scope);
  bool expand(const Statement& statement);
  bool add_missing(const Expandable& side, const Referenced& like);
  bool give_sizes(const Expandable& side, const Referenced& like);
  std::vector<Subscript> subscripts_of_missing(const ReferencePart& part, const Instance& owner,
                                               const EvaluationScope& scope);
  /// A member that is an array, and how large it must be at least.
  struct WantedArray {
    Instance* owner = nullptr;
    Name member = {};
    Instance* like = nullptr;
    Dims sizes = {};
  };
  bool expand_all();
  bool add_arrays();
  void want_array(const Expandable& side, const Referenced& like, std::vector<WantedArray>& wanted);
  bool merge_wanted(const WantedArray& added, std::vector<WantedArray>& wanted);
  void find_undetermined(const std::vector<char>& is_used, graph::DisjointSets& together);
  void add_defaults();
  bool unite_members(Instance& a, Instance& b);
  void drop_unused_members();
  void connect(const Statement& statement);
  void connect(const Side& a, const Side& b, const Statement& statement);
  void connect_simple(const Side& a, const Side& b, const Statement& statement);
  void connect_overconstrained(const Side& a, const Side& b, const Statement& statement);
  void connect_members(const Side& a, const Side& b, const Statement& statement);
  void connect_scalars(ExprId a, bool a_outside, ExprId b, bool b_outside,
                       const Statement& statement);
  bool gives_shared_records_only(Instance& connector);
  bool connect_shared_records(const Side& a, const Side& b, const Statement& statement);
  void add_to_graph(const Statement& statement);
  void span_graph();
  std::uint32_t node(Instance& record, const Statement& statement);
  /// Null for an array without entries.
  Instance* record_argument(const Statement& statement, std::size_t index);

  const std::vector<ExprId>& scalars(Instance& variable);
  void find_flow(Instance& stream, std::size_t scalar, ScalarInfo& info);
  bool is_overconstrained(Instance& record);
  /// An overconstrained record whose members are parameters.
  bool is_shared(Instance& record);
  void add_broken(const ConnectedRecords& records);
  void add_set(const std::vector<flat::ConnectionElement>& set);
  void add_equal(const flat::ConnectionElement& left, const flat::ConnectionElement& right,
                 bool is_discrete);
  void check_sources(const std::vector<flat::ConnectionElement>& set);
  void add_flow_set(const std::vector<flat::ConnectionElement>& set, Place place);
  void add_stream_set(const std::vector<flat::ConnectionElement>& set, Place place);
  void add_unconnected_flows();
  /// Inputs and potentials that nobody connected, so that a message can say what to connect.
  void mark_open();
  ExprId mixture(const std::vector<flat::ConnectionElement>& set,
                 const flat::ConnectionElement& receiver);
  ExprId in_stream(ExprId stream);

  FlattenState& state_;
  std::vector<std::unique_ptr<Statement>> statements_;
  std::vector<std::unique_ptr<Statement>> graph_statements_;
  flat::ConnectionSets sets_;
  flat::ConnectionSets::Sets finished_;
  std::vector<ScalarEquation> equal_parameters_;
  ConnectionGraph graph_;
  SpanningForest forest_;
  SharedRecords shared_;
  std::vector<ConnectedRecords> connected_records_;           // [n_connections] of the graph
  std::vector<const Statement*> branch_statements_;           // [n_branches]
  std::unordered_map<std::uint32_t, std::size_t> branch_at_;  // by node; looked up, never iterated
  std::vector<const Statement*> root_statements_;             // [n_roots]
  // All looked up, never iterated.
  std::unordered_map<const Equation*, bool> has_connections_;
  std::unordered_map<const Instance*, std::int64_t> cardinality_;
  std::unordered_map<const Instance*, std::uint32_t> node_of_;
  std::unordered_map<const Instance*, std::vector<ExprId>> scalars_;
  std::unordered_map<const ClassNode*, bool> is_overconstrained_;
  std::unordered_map<ExprId, ScalarInfo> info_;
  std::unordered_map<std::uint64_t, const Statement*> first_statement_;
  std::unordered_map<ExprId, ExprId> in_stream_;
  std::unordered_set<const Instance*> unused_;
  std::unordered_set<const Instance*> sized_;  ///< arrays whose size follows from subscripts
  std::vector<std::pair<ExprId, Instance*>> undetermined_;  ///< elements of them that nobody gives
};

}  // namespace alembert::modelica
