// SPDX-License-Identifier: Apache-2.0
// Stage: structure. The index-1 form: every coordinate of a mechanism is a state, its constraints
// determine the highest derivatives by their highest versions only, and the lower versions are
// *invariants*, which hold at the start and, but for errors of integration, ever after. In: a plan
// and the differentiated system. Out: a ReducedSystem and the list of invariants, which a run keeps
// by projection, by multipliers, or by Baumgarte's damping. What cannot become singular, such as
// der(x) = v, is still solved for a dummy derivative, so that no state is there twice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alembert/structure/reduced_system.hpp"

namespace alembert::structure {

/// Of the differentiated equations, those that are solved for dummies wherever the model is: each
/// is a straight line, with a constant slope, in an unknown that no earlier one of them has.
struct SettledRows {
  Chart chart;                // their dummies
  std::vector<char> settled;  // [n equations of the flat system]
};

/// Which of them are taken.
enum class Settle : std::uint8_t {
  all,
  names,  ///< differentiated once, such as der(x) = v: every position stays a state
};

SettledRows settle_rows(const flat::FlatSystem& flat, const StructuralPlan& plan,
                        const DifferentiatedSystem& differentiated, Settle settle = Settle::all);

struct IndexOneForm {
  ReducedSystem reduced;
  std::vector<Index> invariants;  // equations of the structure, lowest versions first
};

IndexOneForm index_one_form(const flat::FlatSystem& flat, const StructuralPlan& plan,
                            const DifferentiatedSystem& differentiated, const SettledRows& rows);

/// Baumgarte (1972): g'' = 0 becomes g'' + 2 zeta omega g' + omega^2 g = 0, so that errors die out;
/// a constraint differentiated once g' + omega g = 0, one differentiated more often the product of
/// such factors.
struct Damping {
  double omega = 0;  ///< 0: none
  double zeta = 1;

  friend auto operator<=>(const Damping&, const Damping&) = default;
};

DifferentiatedSystem damped(const flat::FlatSystem& flat, const StructuralPlan& plan,
                            const DifferentiatedSystem& differentiated, const SettledRows& rows,
                            Damping damping);

}  // namespace alembert::structure
