// SPDX-License-Identifier: Apache-2.0
// Test support: random tapes over all operations, a plain evaluator as second route, and comparison
// bit for bit. NaN equals NaN: which of two payloads survives is not defined by the tape.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::native::test {

struct RandomTapeOptions {
  std::uint32_t n_operations = 100;
  std::uint32_t n_inputs = 5;
  std::uint32_t n_parameters = 4;
  std::uint32_t n_outputs = 6;
  std::uint32_t reach =
      40;  ///< operands are mostly among so many latest values: how many stay alive
  bool elementary = true;
  bool conditions = true;
  bool calls = false;
  bool regions = false;
};

Tape random_tape(const RandomTapeOptions& options, std::mt19937_64& random);

/// Numbers of ordinary size, with a special one (zero, infinity, NaN, denormal, huge) now and then.
std::vector<double> random_numbers(std::size_t n, std::mt19937_64& random);

/// The tape by `evaluate`, operation by operation.
std::vector<double> reference(const Tape& tape, std::span<const double> inputs,
                              std::span<const double> parameters);

bool same_bits(double x, double y);

/// Runs `kernel` on n_groups groups of random numbers and compares every lane with `reference`.
/// Empty if all agree, else the first difference.
std::string first_difference(const Tape& tape, const Kernel& kernel, std::size_t n_groups,
                             std::mt19937_64& random);

}  // namespace alembert::compile::native::test
