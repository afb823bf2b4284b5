// SPDX-License-Identifier: Apache-2.0
// The names a user types, gathered from the stages into namespace alembert:
//   #include "alembert/alembert.hpp"
//   using namespace alembert;
// Functions of expressions (der, sin, if_, ...) are found by their arguments and need no mention.
#pragma once

#include "alembert/base/error.hpp"
#include "alembert/flat/check.hpp"
#include "alembert/flat/flat_system.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/flat/to_text.hpp"
#include "alembert/frontend/builder/constrain.hpp"
#include "alembert/frontend/builder/model.hpp"
#include "alembert/frontend/builder/part.hpp"
#include "alembert/frontend/library/library.hpp"
#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert {

using builder::Connector;
using builder::ConnectorKind;
using builder::constrain;
using builder::edge;
using builder::Model;
using builder::number;
using builder::Part;
using builder::pre;
using builder::reinit;
using builder::set;
using builder::terminate;
using flat::check;
using flat::FlatSystem;
using flat::ParameterOverrides;
using library::Library;
using symbolic::Condition;
using symbolic::Equation;
using symbolic::Expr;

}  // namespace alembert
