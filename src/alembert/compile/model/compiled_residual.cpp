// SPDX-License-Identifier: Apache-2.0
// A chart whose slopes are left open, for methods that find them by themselves.
#include "alembert/compile/model/chart_tape.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/compile/tape_part.hpp"
#include "alembert/structure/formulations.hpp"

namespace alembert::compile {

using symbolic::ExprId;

const ChartResidual* CompiledModel::residual(const CompiledChart& chart) const {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = residuals_.try_emplace(&chart);
  if (!is_new) return entry->second.get();
  ChartTapeRequest request = tape_request(chart);
  const structure::OpenSlopeForm form = structure::open_slope_form(
      chart.reduced, static_cast<structure::Index>(request.differentiated.variables.size()));
  if (!form.any()) return nullptr;
  auto made = std::make_unique<ChartResidual>();
  std::vector<ExprId> outputs;
  std::vector<std::uint32_t> columns;
  for (const std::uint32_t state : chart.states) columns.push_back(1 + state);
  for (std::uint32_t i = 0; i < chart.states.size(); ++i) {
    const structure::Index slope = chart.reduced.derivatives[i];
    const structure::Index equation = form.equation_of[i];
    made->is_equation.push_back(equation != structure::none);
    if (equation == structure::none) {
      outputs.push_back(request.differentiated.variables[slope]);
      continue;
    }
    if (request.place[slope] >= n_variables()) return nullptr;  // it has no input
    outputs.push_back(request.differentiated.residuals[equation]);
    made->open_states.push_back(i);
    made->open_slopes.push_back(request.place[slope]);
    columns.push_back(1 + request.place[slope]);
  }
  request.open_blocks = form.is_open;
  const std::size_t n_rows = outputs.size();
  outputs.insert(outputs.end(), symbols_.begin(), symbols_.end());
  const Tape whole = chart_tape(request, outputs);
  const Tape tape = tape_part(whole, 0, n_rows);
  if (calls_functions(tape)) return nullptr;
  made->sparsity = tape_sparsity(tape, columns);
  const auto jacobian = tape_jacobian(tape, columns, made->sparsity);
  if (!jacobian) return nullptr;
  made->rows = make_kernel(tape, backend_);
  made->jacobian = make_kernel(*jacobian, backend_);
  made->variables = make_kernel(tape_part(whole, n_rows, symbols_.size()), backend_);
  entry->second = std::move(made);
  return entry->second.get();
}

}  // namespace alembert::compile
