// SPDX-License-Identifier: Apache-2.0
#include "display_units.hpp"

#include <optional>
#include <sstream>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/base/unit.hpp"

namespace alembert::commands {

namespace {

struct Conversion {
  std::size_t column;
  Unit from;
  Unit to;
};

Unit unit_named(const std::string& text) {
  const std::optional<Unit> unit = parse_unit(text);
  if (!unit)
    throw Error("U007", "'" + text +
                            "' is no unit that is known here. Write it as models do: deg, bar, "
                            "degC, km/h, kW, N.m, 1/min.");
  return *unit;
}

}  // namespace

result::Trajectory in_display_units(result::Trajectory trajectory, const std::string& wanted,
                                    UnitsByName& units) {
  std::vector<Conversion> conversions;
  std::istringstream list(wanted);
  for (std::string text; std::getline(list, text, ',');) {
    const Unit to = unit_named(text);
    const std::size_t n_before = conversions.size();
    for (auto& [name, unit] : units) {
      const std::optional<std::size_t> column = trajectory.find(name);
      const std::optional<Unit> from = parse_unit(unit);
      if (!column || !from || !from->measures_like(to)) continue;
      conversions.push_back({*column, *from, to});
      unit = text;
    }
    if (conversions.size() == n_before)
      throw Error("U007", "no variable of the result is measured in a unit like '" + text +
                              "'. Results in .mat and .h5 files know their units, .csv files do "
                              "not.");
  }
  if (conversions.empty()) return trajectory;
  result::Trajectory shown(trajectory.names());
  shown.reserve(trajectory.n_rows());
  for (std::size_t i = 0; i < trajectory.n_rows(); ++i) {
    std::vector<double> row(trajectory.row(i).begin(), trajectory.row(i).end());
    for (const Conversion& each : conversions)
      row[each.column] = converted(row[each.column], each.from, each.to);
    shown.append(trajectory.times()[i], row);
  }
  return shown;
}

}  // namespace alembert::commands
