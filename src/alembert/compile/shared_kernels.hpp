// SPDX-License-Identifier: Apache-2.0
// Stage: compile. Equal tapes, one kernel. In: tapes, such as the bodies of the regions of a model
// with many parts of one kind. Out: their kernels, each made once.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile {

/// True if both compute the same by the same instructions, regions included.
bool are_equal(const Tape& x, const Tape& y);

class SharedKernels {
 public:
  explicit SharedKernels(std::function<Kernel(const Tape&)> make) : make_(std::move(make)) {}

  /// The one that an equal tape got before, else a new one.
  Kernel of(const Tape& tape);

 private:
  struct Made {
    Tape tape;
    Kernel kernel;
  };

  std::function<Kernel(const Tape&)> make_;
  std::unordered_map<std::uint64_t, std::vector<Made>> made_;  // by hash; looked up, never iterated
};

}  // namespace alembert::compile
