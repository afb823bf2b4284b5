// SPDX-License-Identifier: Apache-2.0
// Stage: flat, inside `check`. What the checks share: the places where a user wrote an expression,
// and the list of findings about them. In: a FlatSystem. Out: findings, a file for each kind of
// check.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::flat {

/// A place where the user wrote an expression; parameters are looked at by examine_parameters.
struct Place {
  std::vector<ExprId> roots;
  std::string_view kind;  // "equation", "initial equation", "discrete equation"; else as it reads
                          // before a name: "observed quantity", "the start value of"
  const FlatEquation* equation = nullptr;
  std::string name = {};  // where it is not an equation
  const Origin* origin = nullptr;
};

struct Findings {
  const FlatSystem& system;
  const symbolic::ExprPool& pool;
  std::vector<Diagnostic> list = {};

  void add(std::string code, std::string text, const Origin& origin, std::vector<Note> notes = {}) {
    list.push_back({std::move(code), std::move(text), origin, std::move(notes)});
  }
  std::string describe(const Place& place) const {
    if (place.equation == nullptr) return fmt::format("{} '{}'", place.kind, place.name);
    const std::string text = equation_text(system, *place.equation);
    return place.kind == "initial equation" ? "initial " + text : text;
  }
  const std::string& name(ExprId symbol) const { return pool.symbol_of(symbol).name; }
};

/// What front ends guarantee; our own mistake where it does not hold.
void ensure_well_formed(const FlatSystem& system);

std::vector<Place> places_of(const FlatSystem& system);

/// F001, F002, F003, F014: which unknowns are in which equations, as far as the whole system can
/// tell.
void check_incidence(Findings& findings, const std::vector<Place>& places);
/// F005, F009, F011.
void check_starts(Findings& findings, const symbolic::Values& values);

}  // namespace alembert::flat
