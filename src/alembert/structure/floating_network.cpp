// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/floating_network.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
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

/// Entries that may be touched: some seconds. A chain of any length and a grid of 100 x 100 need
/// less; what needs more is left to other messages.
constexpr std::size_t most_work = std::size_t{3} << 27;
constexpr double negligible = 1e-9;  // beside rows of size 1
constexpr double same = 1e-6;        // of movements

struct Entry {
  Index column;
  double value;
};
using Row = std::vector<Entry>;  // by column

/// Directions in which the unknowns of a part can move while no equation notices.
class FreeDirections {
 public:
  explicit FreeDirections(Index n_columns) : pivot_row_(n_columns) {}

  void add(Row row) {
    while (scale(row) && work_ < most_work) {
      Row& pivot = pivot_row_[row.front().column];
      if (pivot.empty()) {
        pivot = std::move(row);
        return;
      }
      subtract(row, pivot);
    }
  }

  bool gave_up() const { return work_ >= most_work; }

  /// How many columns have no pivot.
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(pivot_row_, [](const Row& row) { return row.empty(); }));
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
        direction[c] = -sum / pivot_row_[c].front().value;
      }
      directions.push_back(std::move(direction));
    }
    return directions;
  }

 private:
  /// To a largest entry of 1; false if nothing is left.
  static bool scale(Row& row) {
    double largest = 0;
    for (const Entry& entry : row) largest = std::max(largest, std::abs(entry.value));
    if (largest == 0) return false;
    for (Entry& entry : row) entry.value /= largest;
    return true;
  }

  /// Takes the first entry out of the row by the row that begins there.
  void subtract(Row& row, const Row& pivot) {
    const double factor = row.front().value / pivot.front().value;
    merged_.clear();
    auto a = row.begin() + 1;
    for (auto b = pivot.begin() + 1; b != pivot.end(); ++b) {
      while (a != row.end() && a->column < b->column) merged_.push_back(*a++);
      double value = -factor * b->value;
      if (a != row.end() && a->column == b->column) value += (a++)->value;
      if (std::abs(value) >= negligible) merged_.push_back({b->column, value});
    }
    merged_.insert(merged_.end(), a, row.end());
    work_ += row.size() + pivot.size();
    row.swap(merged_);
  }

  std::vector<Row> pivot_row_;  // [n columns]: the row that begins there
  Row merged_;
  std::size_t work_ = 0;
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
  std::vector<ExprId> symbols;
  for (const Index e : part.equations) {
    std::map<std::uint32_t, Index> row_of;  // by order
    symbols.clear();
    for (const ExprId symbol : symbolic::free_symbols(pool, simplified.residuals[e])) {
      const symbolic::Symbol& data = pool.symbol_of(symbol);
      if (!data.base.valid() || !column_of.contains(data.base)) continue;
      const auto [row, fresh] = row_of.emplace(data.order, slopes.n_rows);
      if (fresh) ++slopes.n_rows;
      slopes.places.push_back({row->second, column_of[data.base]});
      symbols.push_back(symbol);
    }
    const auto gradient = symbolic::gradient(pool, simplified.residuals[e], symbols);
    slopes.expressions.insert(slopes.expressions.end(), gradient.begin(), gradient.end());
  }
  return slopes;
}

/// Columns in an order that keeps rows short: what is in few equations, such as a flow, first.
std::vector<Index> elimination_order(const Slopes& slopes, std::size_t n_columns) {
  std::vector<Index> n_uses(n_columns, 0);
  for (const Slopes::Place& place : slopes.places) ++n_uses[place.column];
  std::vector<Index> order(n_columns);
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index c) { return n_uses[c]; });
  return order;
}

/// Nothing if there are not just `wanted` of them, where that is told, or the search takes too
/// long.
std::optional<std::vector<std::vector<double>>> free_directions(const SimplifiedSystem& simplified,
                                                                const graph::SystemPart& part,
                                                                std::optional<std::size_t> wanted) {
  const Slopes slopes = slopes_of(simplified, part);
  const std::size_t n_columns = part.unknowns.size();
  const std::vector<Index> order = elimination_order(slopes, n_columns);
  std::vector<Index> position(n_columns);
  for (Index k = 0; k < n_columns; ++k) position[order[k]] = k;
  FreeDirections directions(static_cast<Index>(n_columns));
  // At two points: a direction that turns with the point is no common level.
  for (const unsigned number : {0u, 1u}) {
    const auto point = generic_point(*simplified.flat.pool, slopes.expressions, number);
    const auto values = evaluate(*simplified.flat.pool, slopes.expressions, point);
    std::vector<Row> rows(slopes.n_rows);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!std::isfinite(values[k])) return std::nullopt;
      if (values[k] != 0)
        rows[slopes.places[k].row].push_back({position[slopes.places[k].column], values[k]});
    }
    for (Row& row : rows) {
      std::ranges::sort(row, {}, &Entry::column);
      directions.add(std::move(row));
    }
  }
  const std::size_t n_free = directions.count();
  if (directions.gave_up() || n_free != wanted.value_or(n_free)) return std::nullopt;
  if (n_free * n_columns > most_work) return std::nullopt;
  std::vector<std::vector<double>> result = directions.all();
  for (std::vector<double>& direction : result) {
    std::vector<double> by_column(n_columns);
    for (Index c = 0; c < n_columns; ++c) by_column[c] = direction[position[c]];
    direction = std::move(by_column);
  }
  return result;
}

/// What floats together, in the user's names and order; empty if they do not all move by the same
/// amount: then they have a ratio, as sides of a gear do, and no common level.
std::vector<Index> members(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                           const graph::SystemPart& part, const std::vector<double>& direction) {
  std::vector<double> movement(given.unknowns.size(), 0.0);
  symbolic::NodeIndex moved(*given.pool);
  for (Index c = 0; c < part.unknowns.size(); ++c) {
    if (std::abs(direction[c]) < negligible) continue;
    const Index own = simplified.kept_unknowns[part.unknowns[c]];
    if (own >= movement.size()) return {};  // one that a repair added
    movement[own] = direction[c];
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
    const double first = movement[result.empty() ? j : result.front()];
    if (std::abs(movement[j] - first) > same * std::abs(first)) return {};
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

constexpr Reference references[] = {
    {"V", "an electrical ground, such as Alembert.Electrical.Ground,"},
    {"m", "a fixed support, such as Alembert.Translational.Fixed,"},
    {"rad", "a fixed support, such as Alembert.Rotational.Fixed,"},
    {"K", "a part that gives a temperature, such as Alembert.Thermal.FixedTemperature,"},
    {"Pa", "a part that gives a pressure, such as Alembert.Hydraulic.FixedPressure,"},
    {"A", "a magnetic ground"}};

/// Of magnetic potentials; of currents too, which are flows.
constexpr std::string_view ambiguous_unit = "A";

std::string_view reference_for(std::string_view unit) {
  for (const Reference& reference : references)
    if (reference.unit == unit) return reference.what;
  return "a part that gives its level";
}

std::string remedy(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                   const flat::Unknown& level, bool repeats) {
  const std::string& name = given.pool->symbol_of(level.symbol).name;
  if (name.find('.') != std::string::npos)
    return "Add " + std::string(reference_for(level.unit)) + " and connect it to " +
           flat::in_quotes(point_of(name)) + ", or to another of these points.";
  const std::string equation = flat::in_quotes(name + " = 0");
  if (repeats)
    return "Write an equation for the level, such as " + equation +
           ", in place of one of those below, which repeat each other.";
  if (simplified.redundant.empty())
    return "Add an equation for the level, such as " + equation + ".";
  return "Write an equation for the level, such as " + equation + ", in place of " +
         flat::equation_text(given, given.equations[simplified.redundant.front().equation]) +
         ", which says nothing that others do not say already.";
}

Diagnostic floating(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                    const graph::SystemPart& part, const std::vector<Index>& levels,
                    std::span<const Index> repeating = {}) {
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
  for (const Index e : part.equations) places.push_back(simplified.flat.equations[e].origin);
  for (const Index j : levels) places.push_back(given.unknowns[j].origin);
  std::vector<Note> notes;
  constexpr std::size_t most = 40;
  if (points != names && points.size() <= most) {
    std::string all;
    for (const std::string& point : points) all += (all.empty() ? "" : ", ") + point;
    notes.push_back({"the network: " + all, {}});
  }
  constexpr std::size_t most_repeating = 10;
  for (const Index e : repeating.first(std::min(repeating.size(), most_repeating)))
    notes.push_back({text_as_given(given, simplified, e), simplified.flat.equations[e].origin});
  return {"S007",
          "nothing determines the level of " + flat::listed(names) +
              ": the equations have only differences between them, so all could be higher or lower "
              "by the same amount. The network has no reference. " +
              remedy(given, simplified, given.unknowns[levels.front()], !repeating.empty()),
          user_place(given, places), std::move(notes)};
}

}  // namespace

bool measures_level(std::string_view unit) {
  return unit != ambiguous_unit && std::ranges::any_of(references, [&](const Reference& reference) {
           return reference.unit == unit;
         });
}

std::optional<std::vector<Diagnostic>> floating_networks(const flat::FlatSystem& given,
                                                         const SimplifiedSystem& simplified,
                                                         const graph::SystemPart& part) {
  const std::size_t lack = part.unknowns.size() - part.equations.size();
  if (part.equations.empty()) return std::nullopt;
  const auto directions = free_directions(simplified, part, lack);
  if (!directions) return std::nullopt;
  std::vector<Diagnostic> findings;
  for (const std::vector<double>& direction : *directions) {
    const std::vector<Index> levels = members(given, simplified, part, direction);
    if (levels.size() < 2) return std::nullopt;
    findings.push_back(floating(given, simplified, part, levels));
  }
  return findings;
}

std::vector<Diagnostic> hidden_floating_networks(const flat::FlatSystem& given,
                                                 const SimplifiedSystem& simplified,
                                                 std::span<const Index> repeating) {
  graph::SystemPart whole;
  whole.equations.resize(simplified.flat.equations.size());
  whole.unknowns.resize(simplified.flat.unknowns.size());
  std::iota(whole.equations.begin(), whole.equations.end(), Index{0});
  std::iota(whole.unknowns.begin(), whole.unknowns.end(), Index{0});
  const auto directions = free_directions(simplified, whole, std::nullopt);
  if (!directions) return {};
  graph::SystemPart at_fault{{repeating.begin(), repeating.end()}, {}};
  std::ranges::sort(at_fault.equations);
  std::vector<Diagnostic> findings;
  for (const std::vector<double>& direction : *directions) {
    const std::vector<Index> levels = members(given, simplified, whole, direction);
    if (levels.size() >= 2)
      findings.push_back(floating(given, simplified, at_fault, levels, at_fault.equations));
  }
  return findings;
}

}  // namespace alembert::structure
