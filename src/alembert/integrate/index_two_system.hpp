// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. A model in stabilised index-2 form as M z' = f(t, z) with M = diag(1, 0). In: a
// ModelPoint on the index-1 chart and the compiled form. Out: an OdeSystem for steppers that take a
// singular mass matrix; its first unknowns are the states of the point's chart.
#pragma once

#include <span>
#include <vector>

#include "alembert/compile/model/compiled_index_one.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/ode_system.hpp"

namespace alembert::integrate {

class IndexTwoSystem {
 public:
  IndexTwoSystem(ModelPoint& point, const compile::CompiledIndexOne& one,
                 const compile::CompiledIndexTwo& two);
  IndexTwoSystem(const IndexTwoSystem&) = delete;

  std::uint32_t size() const { return two_.size(); }
  /// Points to this object, which must outlive it.
  OdeSystem system();
  /// z as it is at the point.
  void gather(std::span<double> z) const;

 private:
  bool right_side(double t, const double* z, double* f);
  bool jacobian(double t, const double* z, double* dfdz);
  void gradient_of_invariants(double t, const double* z);
  void make_pattern();

  ModelPoint& point_;
  const compile::CompiledIndexOne& one_;
  const compile::CompiledIndexTwo& two_;
  std::vector<double> inputs_;    // [time, z without mu]
  std::vector<double> gradient_;  // entries of the invariants' Jacobian
  std::vector<double> entries_;   // of the Jacobian by z without mu
  std::vector<double> mass_;      // [size]: the diagonal
  std::vector<std::uint32_t> mass_start_, mass_row_;
  std::vector<std::uint32_t> mu_of_;  // [n_invariants]: place in z; size() where there is none
  // The Jacobian of f: where its entries are and where they come from.
  struct Entry {
    std::uint32_t column, row;
    bool of_gradient;
    std::uint32_t from;
  };
  std::vector<Entry> pattern_entries_;  // by column and row
  std::vector<std::uint32_t> column_start_, row_;
  compile::AlignedDoubles work_;
};

}  // namespace alembert::integrate
