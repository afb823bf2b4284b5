// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/hidden_singularity_error.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "alembert/flat/wording.hpp"
#include "alembert/structure/consistent_point.hpp"
#include "alembert/structure/equal_names.hpp"
#include "alembert/structure/user_place.hpp"

namespace alembert::structure {

namespace {

/// True if no values were found with which all of the equations hold, from several points.
bool contradict(const SimplifiedSystem& simplified, std::span<const Index> equations) {
  std::vector<ExprId> together;
  for (const Index e : equations) together.push_back(simplified.residuals[e]);
  const symbolic::Values starts = start_values(simplified.flat);
  for (unsigned k = 0; k < 3; ++k) {
    ConsistentPoint point(*simplified.flat.pool, starts, together);
    point.disturb(k, 0.5);
    if (point.solve() != ConsistentPoint::End::contradiction) return false;
  }
  return true;
}

/// The highest derivatives of the unknowns, in quotes, sorted.
std::vector<std::string> names_of(const flat::FlatSystem& flat, const StructuralPlan& plan,
                                  std::span<const Index> unknowns) {
  std::vector<std::string> names;
  for (const Index j : unknowns) {
    std::string name = flat.pool->symbol_text(flat.unknowns[j].symbol);
    if (const std::size_t end = name.find(substituted); end != std::string::npos)
      name.erase(end);
    else
      name = flat.pool->symbol_text(
          derivative_symbol(*flat.pool, flat.unknowns[j].symbol, plan.highest_order[j]));
    names.push_back(flat::in_quotes(name));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Why it is so, and what to try.
std::string reason(const HiddenSingularity& found, bool contradicts, bool has_derivatives) {
  const bool is_one = found.part.equations.size() == 1;
  std::string text;
  if (contradicts)
    text =
        "what they have in common has different values in them. Write an equation that says "
        "something else in place of one of them";
  else if (is_one)
    text = "its factor is zero then. Write an equation that determines it in place of this one";
  else
    text = std::string(found.because.empty() ? "" : "with those ") +
           "their terms cancel or one repeats others. Write an equation that says something "
           "else in place of the one that repeats others";
  if (is_one || contradicts || found.combination_failed) return text + ".";
  return text + ", or put a combination in which " +
         (has_derivatives ? "the derivatives" : "they") + " cancel in place of one of them.";
}

/// Notes on equations, the first ten of them.
class EquationNotes {
 public:
  explicit EquationNotes(const flat::FlatSystem& flat) : flat_(flat) {}

  void add(const std::string& before, const flat::FlatEquation& equation) {
    constexpr std::size_t most = 10;
    if (notes.size() < most)
      notes.push_back({before + flat::equation_text(flat_, equation), equation.origin});
  }

  std::vector<Note> notes;

 private:
  const flat::FlatSystem& flat_;
};

}  // namespace

Error hidden_singularity_error(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                               const StructuralPlan& plan, const HiddenSingularity& found) {
  const flat::FlatSystem& flat = simplified.flat;
  std::vector<Index> equations = found.part.equations;
  std::sort(equations.begin(), equations.end());
  const auto as_written = [&](Index e) -> const flat::FlatEquation& {
    const Index source = simplified.kept_equations[e];
    return source < given.equations.size() ? given.equations[source] : flat.equations[e];
  };
  const auto is_own = [&](Index e) {
    return simplified.kept_equations[e] < given.equations.size();
  };
  EquationNotes notes(flat);
  std::vector<Origin> places;
  for (const Index e : equations) {
    if (!is_own(e)) continue;  // what an unknown that was put in stands for
    places.push_back(as_written(e).origin);
    notes.add("", as_written(e));
  }
  const std::vector<Index> equalities =
      equalities_between_names(given, simplified, equations, found.part.unknowns);
  for (const Index e : equalities) notes.add("", given.equations[e]);
  for (const Index e : found.because)
    if (is_own(e) && std::ranges::find(equations, e) == equations.end())
      notes.add("where it holds: ", as_written(e));

  const std::size_t n_equations =
      static_cast<std::size_t>(std::ranges::count_if(equations, is_own)) + equalities.size();
  const bool has_derivatives =
      std::ranges::any_of(found.part.unknowns, [&](Index j) { return plan.highest_order[j] > 0; });
  const bool contradicts =
      found.because.empty() && equations.size() > 1 && contradict(simplified, equations);
  std::string text =
      "singular, though the structure does not show it: " + flat::counted(n_equations, "equation") +
      (n_equations == 1 ? " leaves " : " leave ") +
      flat::listed(names_of(flat, plan, found.part.unknowns)) + " undetermined " +
      (found.because.empty() ? "at every point" : "wherever the other equations hold") +
      ", because " + reason(found, contradicts, has_derivatives);
  return Error("S003", std::move(text), user_place(given, places), std::move(notes.notes));
}

}  // namespace alembert::structure
