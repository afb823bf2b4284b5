// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. Larger tapes from smaller ones. In: tapes. Out: their operations one after the
// other in one builder, and regions whose matrix the tape's own derivatives give.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "alembert/compile/tape.hpp"

namespace alembert::ensemble {

/// Puts a region of the copied tape, its values mapped, into the builder; returns its unknowns.
using SolveHook = std::function<std::vector<compile::ValueId>(compile::TapeBuilder& builder,
                                                              compile::SolveRegion region)>;

/// Puts the operations of `part` behind those of `builder` and returns its outputs. inputs:
/// [part.n_inputs], parameters: [part.n_parameters]; where part has regions, the parameters must be
/// those of the whole tape in their order. Regions are copied, or given to `on_solve`.
std::vector<compile::ValueId> append(compile::TapeBuilder& builder, const compile::Tape& part,
                                     std::span<const compile::ValueId> inputs,
                                     std::span<const compile::ValueId> parameters,
                                     const SolveHook& on_solve = {});

std::vector<compile::ValueId> all_inputs(compile::TapeBuilder& builder, std::uint32_t first,
                                         std::uint32_t n);
std::vector<compile::ValueId> all_parameters(compile::TapeBuilder& builder, std::uint32_t n);

/// Whether input 0 has any effect.
bool reads_time(const compile::Tape& tape);

/// A Newton region for residual(u, captured) = 0 with as many unknowns, its first inputs, as
/// outputs; `captured` and `guesses` are left to the caller. None where a user function has no
/// derivative.
std::optional<compile::SolveRegion> newton_region(const compile::Tape& residual);

struct UnrolledNewton {
  std::vector<compile::ValueId> x;
  compile::ValueId margin;  ///< positive where the last step was so short that the next is rounding
};
/// The same iteration as straight-line code, so many steps and no more; guesses near the solution
/// need few. None where the structure leaves no order of elimination.
std::optional<UnrolledNewton> unrolled(compile::TapeBuilder& builder,
                                       const compile::SolveRegion& region, int n_steps);

}  // namespace alembert::ensemble
