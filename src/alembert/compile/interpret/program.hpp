// SPDX-License-Identifier: Apache-2.0
// Stage: compile/interpret, internal. A tape decoded for one lane or for many; immutable, owned by
// the Kernel. In: a tape and options. Out: code for the loops of code.hpp, and how to lay out a
// workspace for them. Workspace: slots [n_slots][width], scratch, and, where a row of lanes does
// not fill whole vectors, padded copies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "alembert/compile/interpret/code.hpp"
#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/kernel.hpp"
#include "alembert/compile/lifted_region.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::interpret {

/// A leaf that a scalar run copies into its slot before it starts.
struct LeafCopy {
  std::uint32_t from;
  std::uint32_t slot;
};

/// Where one of several results goes.
struct ResultSlot {
  std::uint32_t result;
  std::uint32_t to;
};

struct CallSite {
  ForeignFunction function;
  std::vector<Operand> arguments;
  std::uint32_t to;                 // of a function of one output
  std::vector<ResultSlot> results;  // of a function of several
};

struct SolveSite {
  SolveRegion region;
  Kernel body;
  std::shared_ptr<const LiftedRegion> lifted;  // null where there is none
  std::vector<Operand> captured;
  std::vector<Operand> guesses;
  std::vector<ResultSlot> results;
  std::vector<std::uint32_t> parameters;  // those that the body reads, for gathering one lane's
};

class Program {
 public:
  Program(const Tape& tape, const InterpreterOptions& options);

  Kernel::Shape shape() const { return shape_; }
  bool is_scalar() const { return shape_.lanes == 1; }

  /// Evaluates groups as the Kernel's function; the two ways to run.
  void run_one_lane(const double* inputs, const double* parameters, double* outputs,
                    double* workspace, std::size_t n_groups) const;
  void run_many_lanes(const double* inputs, const double* parameters, double* outputs,
                      double* workspace, std::size_t n_groups) const;

  const std::vector<CallSite>& calls() const { return calls_; }
  const std::vector<SolveSite>& solves() const { return solves_; }

 private:
  class Decoder;
  struct Rows;

  void run_rows(const Rows& rows, double* workspace) const;

  Kernel::Shape shape_;
  bool avx2_ = false;
  std::uint32_t n_slots_ = 0;
  std::size_t slots_size_ = 0;
  std::size_t scratch_size_ = 0;

  std::vector<ScalarCode> scalar_code_;
  std::vector<LaneCode> lane_code_;
  std::vector<const void*> functions_;
  std::vector<double> constants_;           // scalar: slots 0 .. n-1
  std::vector<LeafCopy> input_copies_;      // scalar only
  std::vector<LeafCopy> parameter_copies_;  // scalar only
  std::vector<Operand> outputs_;            // [n_outputs]
  std::vector<CallSite> calls_;
  std::vector<SolveSite> solves_;
};

}  // namespace alembert::compile::interpret
