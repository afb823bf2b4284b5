// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/chart_tape.hpp"

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/block_region.hpp"

namespace alembert::compile {

using structure::Block;
using symbolic::ExprId;

Tape chart_tape(const ChartTapeRequest& request, std::span<const ExprId> outputs) {
  symbolic::ExprPool& pool = *request.flat.pool;
  const auto& variables = request.differentiated.variables;
  TapeBuilder builder(1 + request.n_variables,
                      static_cast<std::uint32_t>(request.constants.size()));
  Lowering lowering(pool, builder);
  const auto input = [&](structure::Index v) {
    return request.place[v] < request.n_variables ? builder.input(1 + request.place[v])
                                                  : builder.constant(0.0);
  };
  lowering.bind(pool.time(), builder.input(0));
  for (std::uint32_t i = 0; i < request.constants.size(); ++i)
    lowering.bind(request.constants[i], builder.parameter(i));
  for (const auto v : request.reduced.states) lowering.bind(variables[v], input(v));

  for (std::size_t b = 0; b < request.reduced.blocks.size(); ++b) {
    const Block& block = request.reduced.blocks[b];
    if (!request.open_blocks.empty() && request.open_blocks[b] != 0) {
      for (const auto v : block.unknowns()) lowering.bind(variables[v], input(v));
      continue;
    }
    if (block.kind != Block::Kind::assign) {
      BlockRegion made = block_region(pool, request.differentiated, block, request.constants);
      made.region.captured = lowering.lower(made.captured);
      if (made.region.kind == SolveRegion::Kind::newton)
        for (const auto v : block.tears) made.region.guesses.push_back(input(v));
      const std::vector<ValueId> results = builder.solve(std::move(made.region));
      for (std::size_t k = 0; k < results.size(); ++k)
        lowering.bind(variables[block.tears[k]], results[k]);
    }
    for (const auto& assignment : block.assignments)
      lowering.bind(variables[assignment.unknown], lowering.lower(assignment.value));
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
