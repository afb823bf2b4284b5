// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/chart_tape.hpp"

#include <algorithm>
#include <unordered_set>

#include "alembert/compile/lower.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::compile {

using structure::Block;
using symbolic::ExprId;

namespace {

/// The block's residuals and their Jacobian as a nested tape over [unknowns, captured symbols].
SolveRegion make_region(const ChartTapeRequest& request, const Block& block,
                        std::vector<ExprId>& captured) {
  symbolic::ExprPool& pool = *request.flat.pool;
  std::vector<ExprId> unknowns;
  std::vector<ExprId> residuals;
  for (const auto v : block.unknowns) unknowns.push_back(request.differentiated.variables[v]);
  for (const auto e : block.equations) residuals.push_back(request.differentiated.residuals[e]);
  const symbolic::SparseExprMatrix jacobian = symbolic::jacobian(pool, residuals, unknowns);

  SolveRegion region;
  region.kind =
      block.kind == Block::Kind::linear ? SolveRegion::Kind::linear : SolveRegion::Kind::newton;
  region.n_unknowns = static_cast<std::uint32_t>(unknowns.size());
  region.jacobian_columns = jacobian.column;
  for (std::uint32_t i = 0; i < jacobian.n_rows; ++i)
    region.jacobian_rows.insert(region.jacobian_rows.end(),
                                jacobian.row_start[i + 1] - jacobian.row_start[i], i);

  std::vector<ExprId> outputs = residuals;
  outputs.insert(outputs.end(), jacobian.value.begin(), jacobian.value.end());
  const std::unordered_set<ExprId> own(unknowns.begin(), unknowns.end());
  std::vector<ExprId> inputs = unknowns;
  for (const ExprId symbol : free_symbols(pool, outputs)) {
    if (own.contains(symbol) || pool.symbol_of(symbol).kind == symbolic::SymbolKind::parameter)
      continue;
    captured.push_back(symbol);
    inputs.push_back(symbol);
  }
  std::vector<ExprId> parameters;
  for (const auto& parameter : request.flat.parameters) parameters.push_back(parameter.symbol);
  region.body = lower(pool, inputs, parameters, outputs);
  return region;
}

}  // namespace

Tape chart_tape(const ChartTapeRequest& request, std::span<const ExprId> outputs) {
  symbolic::ExprPool& pool = *request.flat.pool;
  const auto& variables = request.differentiated.variables;
  TapeBuilder builder(1 + request.n_variables,
                      static_cast<std::uint32_t>(request.flat.parameters.size()));
  Lowering lowering(pool, builder);
  const auto input = [&](structure::Index v) { return builder.input(1 + request.place[v]); };
  lowering.bind(pool.time(), builder.input(0));
  for (std::uint32_t i = 0; i < request.flat.parameters.size(); ++i)
    lowering.bind(request.flat.parameters[i].symbol, builder.parameter(i));
  for (const auto v : request.reduced.states) lowering.bind(variables[v], input(v));

  for (const Block& block : request.reduced.blocks) {
    if (block.kind == Block::Kind::assign) {
      const ValueId value = lowering.lower(block.solution);
      lowering.bind(variables[block.unknowns[0]], value);
      continue;
    }
    std::vector<ExprId> captured;
    SolveRegion region = make_region(request, block, captured);
    region.captured = lowering.lower(captured);
    if (region.kind == SolveRegion::Kind::newton)
      for (const auto v : block.unknowns) region.guesses.push_back(input(v));
    const std::vector<ValueId> results = builder.solve(std::move(region));
    for (std::size_t k = 0; k < results.size(); ++k)
      lowering.bind(variables[block.unknowns[k]], results[k]);
  }
  std::vector<ExprId> stand_ins;
  for (const EliminatedVariable& eliminated : request.eliminated)
    stand_ins.push_back(eliminated.value);
  const std::vector<ValueId> values = lowering.lower(stand_ins);
  for (std::size_t k = 0; k < values.size(); ++k)
    lowering.bind(request.eliminated[k].symbol, values[k]);
  for (const ValueId value : lowering.lower(outputs)) builder.output(value);
  return std::move(builder).finish();
}

}  // namespace alembert::compile
