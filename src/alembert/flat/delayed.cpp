// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/delayed.hpp"

namespace alembert::flat {

std::vector<ExprId> delayed_symbols(const FlatSystem& system) {
  std::vector<ExprId> symbols;
  for (const Delay& delay : system.delays) symbols.push_back(delay.symbol);
  for (const Transport& transport : system.transports)
    symbols.insert(symbols.end(), transport.outputs.begin(), transport.outputs.end());
  return symbols;
}

std::vector<ExprId*> places_in_run(Transport& transport) {
  return {&transport.inputs[0], &transport.inputs[1], &transport.position, &transport.forward};
}

std::vector<ExprId*> delayed_places(FlatSystem& system) {
  std::vector<ExprId*> places;
  for (Delay& delay : system.delays) places.insert(places.end(), {&delay.value, &delay.delay});
  for (Transport& transport : system.transports)
    for (ExprId* place : places_in_run(transport)) places.push_back(place);
  return places;
}

}  // namespace alembert::flat
