// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/hooks.hpp"

#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/instance/instance.hpp"

namespace alembert::modelica {

namespace {

[[noreturn]] void not_here(const char* what, Place place) {
  fail(place, "M209", std::string("'") + what + "' cannot be used here.");
}

}  // namespace

symbolic::SymbolKind ModelHooks::kind_of(const Instance& variable) {
  fail(variable.place(), "M201", "'" + variable.full_name() + "' varies and cannot be used here.");
}
ExprId ModelHooks::initial(Place place) { not_here("initial", place); }
ExprId ModelHooks::terminal(Place place) { not_here("terminal", place); }
ExprId ModelHooks::sample(ExprId, ExprId, Place place) { not_here("sample", place); }
ExprId ModelHooks::delay(ExprId, ExprId, ExprId, Place place) { not_here("delay", place); }
std::array<ExprId, 2> ModelHooks::transport(const TransportCall&, Place place) {
  not_here("spatialDistribution", place);
}
ExprId ModelHooks::edge(ExprId, Place place) { not_here("when", place); }
ExprId ModelHooks::clocked_call(const ClockedCall&, Place place) {
  not_here("operators of clocked equations", place);
}
ExprId ModelHooks::clock(const ClockDefinition&, Place place) { not_here("Clock", place); }
void ModelHooks::note_real_equality(bool, Place) {}
void ModelHooks::note_previous(ExprId, Place place) { not_here("previous", place); }
ExprId ModelHooks::in_stream(Instance&, std::span<const std::int64_t>, Place place) {
  not_here("inStream", place);
}
ExprId ModelHooks::actual_stream(Instance&, std::span<const std::int64_t>, Place place) {
  not_here("actualStream", place);
}
std::int64_t ModelHooks::cardinality(Instance&, Place place) { not_here("cardinality", place); }
bool ModelHooks::is_root(Instance&, Place place) { not_here("Connections.isRoot", place); }
bool ModelHooks::rooted(Instance&, Place place) { not_here("Connections.rooted", place); }
Instance* ModelHooks::shared_parameter(const Instance&) { return nullptr; }
ExprId ModelHooks::guard() const { return {}; }
bool ModelHooks::is_continuous() const { return false; }
bool ModelHooks::is_clocked() const { return false; }
void ModelHooks::perform(ExprId, Place) {}
void ModelHooks::assertion(ExprId, const Text&, bool, Place place) { not_here("assert", place); }
void ModelHooks::termination(ExprId, const Text&, Place place) { not_here("terminate", place); }
void ModelHooks::reinit(ExprId, ExprId, ExprId, Place place) { not_here("reinit", place); }

}  // namespace alembert::modelica
