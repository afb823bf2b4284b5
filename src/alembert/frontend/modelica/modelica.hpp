// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica. The front end as a whole. In: files, folders or a text, the name of a
// model, values that take the place of those in it. Out: a FlatSystem.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "alembert/flat/flat_system.hpp"

namespace alembert::modelica {

struct ModelSource {
  /// Files, and folders of packages, that the user named; they are read first.
  std::vector<std::filesystem::path> files = {};
  /// A text beside the files, with the name that messages call it by.
  std::string text = {};
  std::string text_name = "model.mo";
  /// Folders that hold libraries, as in MODELICAPATH; read where they are needed.
  std::vector<std::filesystem::path> library_roots = {};
  /// Full name; empty: the only, or the last, model of the last file.
  std::string model = {};
  /// "NAME=VALUE": parameters get the value, variables start with it. They act as modifications
  /// from outside of the model.
  std::vector<std::string> overrides = {};
  /// The model will be part of another one: its own connectors and inputs are left to whoever
  /// connects them, and nothing is added for what is not connected.
  bool is_part = false;
};

/// A connector of a model that is a part. Names of quantities as in the flat system.
struct OpenConnector {
  std::string name;  ///< "flange", "port[2]"
  std::string type;  ///< its class; one for all signals that can be connected with each other
  std::vector<std::string> potentials = {};
  std::vector<std::string> flows = {};
  std::vector<std::string> shared = {};  ///< parameters that spread over a network
  std::string shared_with = {};          ///< another connector, on the same network inside
};

struct FlattenedModel {
  flat::FlatSystem system;
  std::vector<Diagnostic> warnings;
  std::vector<OpenConnector> connectors = {};  ///< of a model that is a part
  /// The attribute displayUnit, by the name of the quantity: what plots show it in. Values stay in
  /// `unit`.
  std::map<std::string, std::string, std::less<>> display_units = {};
};

/// Error with all that is wrong with the text.
FlattenedModel flatten(const ModelSource& source);

/// The name of the model that `flatten` would take. Error M330 if there is none.
std::string default_model(const ModelSource& source);

}  // namespace alembert::modelica
