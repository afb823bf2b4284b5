// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. The start of a model as stages to be solved one after the other. In: an
// InitialPlan. Out: kernels: runs of assignments, and blocks with residuals and exact Jacobians.
// They read places of the vector [time, columns of the plan], and the constants of the model.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/backend.hpp"
#include "alembert/compile/model/event_kernels.hpp"
#include "alembert/structure/initial_plan.hpp"

namespace alembert::compile {

struct InitialStage {
  std::vector<std::uint32_t> inputs;    // places in [time, columns]; of a block its unknowns first
  std::vector<std::uint32_t> unknowns;  // places that this stage gives
  std::vector<std::uint32_t> rows;      // of the plan, as many; of a block
  bool assigned = true;
  /// assigned: values of the unknowns. Else residuals [n], then entries of the Jacobian.
  Kernel kernel;
  std::vector<std::uint32_t> jacobian_rows;  // [n entries]
  std::vector<std::uint32_t> jacobian_columns;
  /// Of a block: better guesses than start values, for these places from those; may be empty.
  std::vector<std::uint32_t> guessed;
  std::vector<std::uint32_t> guess_inputs;
  Kernel guess;
};

/// A block with most of its unknowns eliminated one after the other. Places are those in the
/// unknowns and rows of the stage.
struct TornStage {
  struct Inner {
    std::uint32_t unknown;
    std::uint32_t row;
  };

  std::vector<std::uint32_t> tears;
  std::vector<std::uint32_t> residuals;  // rows, as many
  std::vector<Inner> inner;              // each needs tears and earlier ones only
  std::vector<std::uint32_t> inputs;     // places in [time, columns]
  Kernel kernel;                         // values of the inner unknowns
};

struct ModeVariant;

struct InitialSystem {
  structure::InitialPlan plan;
  std::vector<InitialStage> stages;
  bool has_homotopy = false;  // rows hold the symbol of structure/homotopy.hpp
  /// [n variables of the structure]: variable of the model, or beyond where that has none.
  std::vector<std::uint32_t> variables;
  std::vector<std::uint32_t> constants;  // of the model, that the columns after those are
  const ModeVariant* variant = nullptr;  // as CompiledChart::variant
  InitialStage left_over;                // plan.left_over by the columns in them; not solved
  /// A discrete variable that an initial equation gives outright.
  struct Discrete {
    std::uint32_t variable;
    std::uint32_t equation;  // the initial equation
    bool previous;           // pre(v) is given, else v
    bool solved;             // the plan has it among its unknowns: this is a guess
  };
  std::vector<Discrete> discretes;
  Kernel discrete_values;  // over [time, variables]
};

/// One block of some rows and all columns in them but those given, for which no order is assumed.
InitialStage joint_start(const flat::FlatSystem& flat, const ConstantLayout& constants,
                         const structure::InitialPlan& plan, std::span<const std::uint32_t> rows,
                         std::span<const std::uint32_t> kept_columns, Backend backend);

/// The tears of a block; none where it has no inner unknowns.
TornStage torn_start(const flat::FlatSystem& flat, const ConstantLayout& constants,
                     const structure::InitialPlan& plan, const InitialStage& stage,
                     Backend backend);

/// The stages of a plan, and the residuals left over.
void compile_start(const flat::FlatSystem& flat, const ConstantLayout& constants, Backend backend,
                   InitialSystem& system);

}  // namespace alembert::compile
