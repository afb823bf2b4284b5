// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/builder. Models made of parts. A part is a name in front of names: what it
// declares belongs to the model as "spring.f", and parts may have parts. A component is a function
// or a struct that takes one:
//   struct Resistor {
//     Resistor(Part part, Expr R) : p(part.connector("p", pin)), n(part.connector("n", pin)) {
//       part += p["v"] - n["v"] == R * p["i"];
//       part += p["i"] + n["i"] == 0;
//     }
//     Connector p, n;
//   };
//   Resistor r(m.part("r"), 100);
//   m.connect(source.p, r.p);
// A Part is a handle; it lives no longer than its model.
#pragma once

#include <concepts>

#include "alembert/frontend/builder/model.hpp"

namespace alembert::builder {

class Part {
 public:
  /// The model itself, as a part without a name.
  Part(Model& model) : model_(&model) {}  // NOLINT: a model is a part

  Expr unknown(std::string_view name, const UnknownOptions& options = {},
               std::source_location at = std::source_location::current()) const {
    return model_->unknown(full(name), options, at);
  }
  Expr parameter(std::string_view name, const std::optional<Expr>& value = {},
                 const ParameterOptions& options = {},
                 std::source_location at = std::source_location::current()) const {
    return model_->parameter(full(name), value, options, at);
  }
  void observe(std::string_view name, const Expr& value, const QuantityOptions& options = {},
               std::source_location at = std::source_location::current()) const {
    model_->observe(full(name), value, options, at);
  }
  Expr time() const { return model_->time(); }
  Part& operator+=(const LocatedEquation& equation) {
    model_->add_equation(path_, equation);
    return *this;
  }
  void initial(const LocatedEquation& equation) const { model_->initial(equation); }
  void start(const Expr& quantity, const Expr& value, const StartOptions& options = {},
             std::source_location at = std::source_location::current()) const {
    model_->start(quantity, value, options, at);
  }

  /// A part of this part.
  Part part(std::string_view name) const { return {*model_, full(name)}; }
  Connector connector(std::string_view name, const ConnectorKind& kind,
                      std::source_location at = std::source_location::current()) const {
    return model_->add_connector(path_, name, kind, at);
  }
  /// All with the first.
  template <std::same_as<Connector>... More>
  void connect(const LocatedConnector& a, const Connector& b, const More&... more) const {
    model_->add_connection(path_, a.connector, b, a.at);
    (model_->add_connection(path_, a.connector, more, a.at), ...);
  }

  /// A system in flat form, from whatever front end, becomes this part: "x" in it is "part.x" here.
  /// Error F004 if a name is taken.
  void include(const flat::FlatSystem& system) const { model_->include(path_, system); }
  /// A connector whose quantities (potentials, flows, domain, in the order of the kind) are there
  /// already, under these names within the part. Error F021 for one that is not.
  Connector connector_of(std::string_view name, const ConnectorKind& kind,
                         const std::vector<std::string>& quantities,
                         std::source_location at = std::source_location::current()) const {
    return model_->connector_of_symbols(path_, name, kind, quantities, at);
  }

  /// What a parameter of this part was given; Error F021 if nothing.
  Expr value_of(std::string_view parameter) const { return model_->value_of(full(parameter)); }

  Model& model() const { return *model_; }
  const std::string& path() const { return path_; }  ///< empty: the model itself

 private:
  Part(Model& model, std::string path) : model_(&model), path_(std::move(path)) {}
  std::string full(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
  }

  Model* model_;
  std::string path_;
};

template <class... Connectors>
void Model::connect(const LocatedConnector& a, const Connector& b, const Connectors&... more) {
  Part(*this).connect(a, b, more...);
}

}  // namespace alembert::builder
