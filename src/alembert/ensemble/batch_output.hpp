// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. What is kept of a batch besides its last states: extrema, means and variances
// gathered while it runs, so that a million trajectories need not be stored, or all of it in an
// HDF5 file larger than memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "alembert/ensemble/batch.hpp"

namespace alembert::ensemble {

/// Over the ends of all steps, of each variable and system. Use: batch.run(..., [&](const
/// BatchView& view) { reduction.add(view); }).
class BatchReduction {
 public:
  BatchReduction(std::uint32_t n_states, std::uint64_t n_systems);

  /// Different systems may be added by different threads.
  void add(const BatchView& view);

  // Each [n_states][n_systems].
  std::vector<double> low, high;
  std::vector<double> mean;
  /// Of the steps seen (divided by their number).
  std::vector<double> variance() const;

 private:
  std::uint32_t n_states_;
  std::uint64_t n_systems_;
  std::vector<double> squares_;         // [n_states][n_systems]: of differences from the mean
  std::vector<std::uint64_t> n_steps_;  // [n_systems]
};

/// Runs and writes datasets `time` [n_steps], `names` [n_states], `values` [n_steps, n_states,
/// n_systems], some steps at a time. Errors as of Hdf5Writer. Returns as Batch::run.
std::uint64_t run_to_hdf5(const Batch& batch, std::span<double> states, std::uint64_t n_systems,
                          std::span<const double> parameters, double t, std::uint64_t n_steps,
                          const std::filesystem::path& path);

}  // namespace alembert::ensemble
