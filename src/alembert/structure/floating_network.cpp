// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/floating_network.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "alembert/flat/wording.hpp"
#include "alembert/structure/null_combination.hpp"
#include "alembert/structure/user_place.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

constexpr std::size_t most_unknowns = 2000;
constexpr double negligible = 1e-9;  // beside rows of size 1

using Row = std::map<Index, double>;  // by column

/// Directions in which the unknowns of a part can move while no equation notices.
class FreeDirections {
 public:
  explicit FreeDirections(Index n_columns) : pivot_row_(n_columns) {}

  void add(Row row) {
    if (!scale(row)) return;
    while (!row.empty()) {
      const auto [column, entry] = *row.begin();
      const Row& pivot = pivot_row_[column];
      if (pivot.empty()) {
        pivot_row_[column] = std::move(row);
        return;
      }
      const double factor = entry / pivot.begin()->second;
      for (const auto& [k, value] : pivot) row[k] -= factor * value;
      row.erase(column);
      std::erase_if(row, [](const auto& item) { return std::abs(item.second) < negligible; });
      if (!scale(row)) return;
    }
  }

  /// One for each column without a pivot: [n directions][n columns].
  std::vector<std::vector<double>> all() const {
    std::vector<std::vector<double>> directions;
    for (std::size_t free = 0; free < pivot_row_.size(); ++free) {
      if (!pivot_row_[free].empty()) continue;
      std::vector<double> direction(pivot_row_.size(), 0.0);
      direction[free] = 1;
      for (std::size_t c = free; c-- > 0;) {
        if (pivot_row_[c].empty()) continue;
        double sum = 0;
        for (const auto& [k, value] : pivot_row_[c])
          if (k != c) sum += value * direction[k];
        direction[c] = -sum / pivot_row_[c].begin()->second;
      }
      directions.push_back(std::move(direction));
    }
    return directions;
  }

 private:
  static bool scale(Row& row) {
    double largest = 0;
    for (const auto& [column, value] : row) largest = std::max(largest, std::abs(value));
    if (largest == 0) return false;
    for (auto& [column, value] : row) value /= largest;
    return true;
  }

  std::vector<Row> pivot_row_;  // [n columns]: the row that begins there
};

/// How an equation changes with the unknowns of a part, apart for values, first derivatives and so
/// on, as what moves may move in any way.
struct Slopes {
  std::vector<ExprId> expressions;
  struct Place {
    Index row, column;
  };
  std::vector<Place> places;
  Index n_rows = 0;
};

Slopes slopes_of(const SimplifiedSystem& simplified, const graph::SystemPart& part) {
  symbolic::ExprPool& pool = *simplified.flat.pool;
  symbolic::NodeIndex column_of(pool);
  for (Index c = 0; c < part.unknowns.size(); ++c)
    column_of.set(simplified.flat.unknowns[part.unknowns[c]].symbol, c);
  Slopes slopes;
  for (const Index e : part.equations) {
    std::map<std::uint32_t, Index> row_of;  // by order
    for (const ExprId symbol : symbolic::free_symbols(pool, simplified.residuals[e])) {
      const symbolic::Symbol& data = pool.symbol_of(symbol);
      if (!data.base.valid() || !column_of.contains(data.base)) continue;
      const Index column = column_of[data.base];
      const auto [row, fresh] = row_of.emplace(data.order, slopes.n_rows);
      if (fresh) ++slopes.n_rows;
      slopes.expressions.push_back(differentiate(pool, simplified.residuals[e], symbol));
      slopes.places.push_back({row->second, column});
    }
  }
  return slopes;
}

std::optional<std::vector<std::vector<double>>> free_directions(const SimplifiedSystem& simplified,
                                                                const graph::SystemPart& part) {
  const Slopes slopes = slopes_of(simplified, part);
  FreeDirections directions(static_cast<Index>(part.unknowns.size()));
  // At two points: a direction that turns with the point is no common level.
  for (const unsigned number : {0u, 1u}) {
    const auto point = generic_point(*simplified.flat.pool, slopes.expressions, number);
    const auto values = evaluate(*simplified.flat.pool, slopes.expressions, point);
    std::vector<Row> rows(slopes.n_rows);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!std::isfinite(values[k])) return std::nullopt;
      if (values[k] != 0) rows[slopes.places[k].row][slopes.places[k].column] = values[k];
    }
    for (Row& row : rows) directions.add(std::move(row));
  }
  return directions.all();
}

/// What floats together, in the user's names and order; empty if they do not all move the same way.
std::vector<Index> members(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                           const graph::SystemPart& part, const std::vector<double>& direction) {
  std::vector<double> movement(given.unknowns.size(), 0.0);
  symbolic::NodeIndex moved(*given.pool);
  for (Index c = 0; c < part.unknowns.size(); ++c) {
    if (std::abs(direction[c]) < negligible) continue;
    movement[simplified.kept_unknowns[part.unknowns[c]]] = direction[c];
    moved.set(simplified.flat.unknowns[part.unknowns[c]].symbol, c);
  }
  for (const EliminatedUnknown& eliminated : simplified.eliminated) {
    if (eliminated.constant) continue;
    const bool negative = !given.pool->is_symbol(eliminated.value);
    const ExprId symbol = negative ? given.pool->neg(eliminated.value) : eliminated.value;
    if (moved.contains(symbol))
      movement[eliminated.unknown] = (negative ? -1 : 1) * direction[moved[symbol]];
  }
  std::vector<Index> result;
  for (Index j = 0; j < movement.size(); ++j) {
    if (movement[j] == 0) continue;
    if (movement[j] * movement[result.empty() ? j : result.front()] < 0) return {};
    result.push_back(j);
  }
  return result;
}

/// "battery.p" of "battery.p.v"; the whole name where there is nothing above it.
std::string_view point_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(0, dot);
}

struct Reference {
  std::string_view unit;
  std::string_view what;
};

constexpr Reference references[] = {{"V", "an electrical ground"},
                                    {"m", "a fixed support"},
                                    {"rad", "a fixed support"},
                                    {"K", "a part that gives a temperature"},
                                    {"Pa", "a part that gives a pressure"},
                                    {"A", "a magnetic ground"}};

std::string_view reference_for(std::string_view unit) {
  for (const Reference& reference : references)
    if (reference.unit == unit) return reference.what;
  return "a part that gives its level";
}

std::string remedy(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                   const flat::Unknown& level) {
  const std::string& name = given.pool->symbol_of(level.symbol).name;
  if (name.find('.') != std::string::npos)
    return "Add " + std::string(reference_for(level.unit)) + " and connect it to " +
           flat::in_quotes(point_of(name)) + ", or to another of these points.";
  const std::string equation = flat::in_quotes(name + " = 0");
  if (simplified.redundant.empty())
    return "Add an equation for the level, such as " + equation + ".";
  return "Write an equation for the level, such as " + equation + ", in place of " +
         flat::equation_text(given, given.equations[simplified.redundant.front().equation]) +
         ", which says nothing that others do not say already.";
}

Diagnostic floating(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                    const graph::SystemPart& part, const std::vector<Index>& levels) {
  std::vector<std::string> names;
  std::vector<std::string> points;
  for (const Index j : levels) {
    const std::string& name = given.pool->symbol_of(given.unknowns[j].symbol).name;
    names.push_back(flat::in_quotes(name));
    points.push_back(flat::in_quotes(point_of(name)));
  }
  std::vector<Origin> places;
  for (const RedundantEquation& redundant : simplified.redundant)
    for (const Index e : redundant.combined) places.push_back(given.equations[e].origin);
  for (const Index e : part.equations)
    places.push_back(given.equations[simplified.kept_equations[e]].origin);
  for (const Index j : levels) places.push_back(given.unknowns[j].origin);
  std::vector<Note> notes;
  constexpr std::size_t most = 40;
  if (points != names && points.size() <= most) {
    std::string all;
    for (const std::string& point : points) all += (all.empty() ? "" : ", ") + point;
    notes.push_back({"the network: " + all, {}});
  }
  return {"S007",
          "nothing determines the level of " + flat::listed(names) +
              ": the equations have only differences between them, so all could be higher or lower "
              "by the same amount. The network has no reference. " +
              remedy(given, simplified, given.unknowns[levels.front()]),
          user_place(given, places), std::move(notes)};
}

}  // namespace

std::optional<std::vector<Diagnostic>> floating_networks(const flat::FlatSystem& given,
                                                         const SimplifiedSystem& simplified,
                                                         const graph::SystemPart& part) {
  const std::size_t lack = part.unknowns.size() - part.equations.size();
  if (part.unknowns.size() > most_unknowns || part.equations.empty()) return std::nullopt;
  const auto directions = free_directions(simplified, part);
  if (!directions || directions->size() != lack) return std::nullopt;
  std::vector<Diagnostic> findings;
  for (const std::vector<double>& direction : *directions) {
    const std::vector<Index> levels = members(given, simplified, part, direction);
    if (levels.size() < 2) return std::nullopt;
    findings.push_back(floating(given, simplified, part, levels));
  }
  return findings;
}

}  // namespace alembert::structure
