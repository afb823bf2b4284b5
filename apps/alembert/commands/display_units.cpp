// SPDX-License-Identifier: Apache-2.0
#include "display_units.hpp"

#include <optional>
#include <sstream>

#include "alembert/base/error.hpp"
#include "alembert/base/unit.hpp"

namespace alembert::commands {

namespace {

Unit unit_named(const std::string& text) {
  const std::optional<Unit> unit = parse_unit(text);
  if (!unit)
    throw Error("U007", "'" + text +
                            "' is not a unit that is known here. Write it as models do: deg, bar, "
                            "degC, km/h, kW, N.m, 1/min.");
  return *unit;
}

}  // namespace

UnitsByName asked_display_units(const std::string& wanted, const UnitsByName& units) {
  UnitsByName shown;
  std::istringstream list(wanted);
  for (std::string text; std::getline(list, text, ',');) {
    const Unit to = unit_named(text);
    bool used = false;
    for (const auto& [name, unit] : units) {
      const std::optional<Unit> from = parse_unit(unit);
      if (!from || !from->measures_like(to)) continue;
      shown.insert_or_assign(name, text);
      used = true;
    }
    if (!used)
      throw Error("U007", "no variable of the result is measured in a unit like '" + text +
                              "'. Results in .mat and .h5 files know their units, .csv files do "
                              "not.");
  }
  return shown;
}

void note_display_units(const UnitsByName& display_units, result::ColumnNotes& notes) {
  for (const auto& [name, unit] : display_units)
    if (const auto note = notes.find(name); note != notes.end()) note->second.display_unit = unit;
}

}  // namespace alembert::commands
