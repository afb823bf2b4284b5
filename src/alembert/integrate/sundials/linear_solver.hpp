// SPDX-License-Identifier: Apache-2.0
// Stage: integrate/sundials. What CVODE and IDA share: the context, vectors over our memory, and
// the linear solver with its matrix, dense or KLU by size. In: a system. Out: a matrix filled with
// a M + b J in the places that the solver expects.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <memory>
#include <vector>

#include "alembert/integrate/iteration_matrix.hpp"

namespace alembert::integrate::sundials {

struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext>;
Context make_context();

struct FreeVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector>;
Vector make_vector(std::uint32_t n, const Context& context);

inline std::span<double> data(N_Vector vector) {
  return {NV_DATA_S(vector), static_cast<std::size_t>(NV_LENGTH_S(vector))};
}

class LinearSolver {
 public:
  LinearSolver(const OdeSystem& system, const MassMatrix& mass, N_Vector like,
               const Context& context);
  ~LinearSolver();
  LinearSolver(const LinearSolver&) = delete;
  LinearSolver& operator=(const LinearSolver&) = delete;

  SUNLinearSolver solver() const { return solver_; }
  SUNMatrix matrix() const { return matrix_; }

  /// target = mass_factor M + jacobian_factor J; `target` is the matrix above or one like it. Of a
  /// system with a residual, J is its Jacobian.
  void fill(SUNMatrix target, double mass_factor, double jacobian_factor,
            const double* jacobian) const;
  /// The next factorisation does not depend on those before it.
  void forget();

 private:
  void plan_places(const OdeSystem& system);

  const MassMatrix& mass_;
  std::uint32_t n_;
  bool sparse_;
  std::vector<sunindextype> column_start_, row_;        // sparse: of the sum
  std::vector<std::size_t> from_jacobian_, from_mass_;  // places in the matrix's data
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
};

}  // namespace alembert::integrate::sundials
