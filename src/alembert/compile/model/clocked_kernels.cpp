// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/clocked_kernels.hpp"

#include <unordered_map>
#include <unordered_set>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/block_region.hpp"
#include "alembert/compile/model/event_kernels.hpp"
#include "alembert/flat/clocked_part.hpp"
#include "alembert/structure/clocked_plan.hpp"

namespace alembert::compile {

namespace {

using structure::Block;
using structure::ClockedPlan;
using structure::ClockedSegment;
using symbolic::ExprId;

/// The blocks of one segment. What it solves for is not read from the constants, where the values
/// of the tick before are, but as a guess.
Tape segment_tape(symbolic::ExprPool& pool, const ClockedPlan& plan, const ClockedSegment& segment,
                  const ConstantLayout& constants, std::span<const ExprId> inputs) {
  TapeBuilder builder(static_cast<std::uint32_t>(inputs.size()),
                      static_cast<std::uint32_t>(constants.size()));
  Lowering lowering(pool, builder);
  for (std::uint32_t i = 0; i < inputs.size(); ++i) lowering.bind(inputs[i], builder.input(i));
  std::unordered_set<ExprId> found;                // by this segment
  std::unordered_map<ExprId, std::uint32_t> held;  // place of their values of the tick before
  for (const Block& block : segment.blocks)
    for (const auto v : block.unknowns()) found.insert(plan.system.variables[v]);
  std::vector<ExprId> symbols = constants.symbols;
  const ExprId nobody = pool.discrete("not read");
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    if (!found.contains(symbols[i])) {
      lowering.bind(symbols[i], builder.parameter(i));
    } else {
      held.emplace(symbols[i], i);
      symbols[i] = nobody;
    }
  }
  for (const Block& block : segment.blocks) {
    if (block.kind != Block::Kind::assign) {
      BlockRegion made = block_region(pool, plan.system, block, symbols, found);
      made.region.captured = lowering.lower(made.captured);
      if (made.region.kind == SolveRegion::Kind::newton)
        for (const auto v : block.tears)
          made.region.guesses.push_back(builder.parameter(held.at(plan.system.variables[v])));
      const std::vector<ValueId> results = builder.solve(std::move(made.region));
      for (std::size_t k = 0; k < results.size(); ++k)
        lowering.bind(plan.system.variables[block.tears[k]], results[k]);
    }
    for (const auto& assignment : block.assignments)
      lowering.bind(plan.system.variables[assignment.unknown], lowering.lower(assignment.value));
  }
  for (const Block& block : segment.blocks)
    for (const auto v : block.unknowns()) builder.output(lowering.lower(plan.system.variables[v]));
  return std::move(builder).finish();
}

}  // namespace

ClockedKernels::ClockedKernels(const flat::FlatSystem& flat, const ConstantLayout& constants,
                               std::span<const ExprId> inputs, Backend backend) {
  if (flat.clocked == nullptr) return;
  const flat::ClockedPart& part = *flat.clocked;
  std::unordered_map<ExprId, std::uint32_t> discrete_of;  // looked up, never iterated
  for (std::uint32_t i = 0; i < flat.discrete_variables.size(); ++i)
    discrete_of.emplace(flat.discrete_variables[i].symbol, i);
  std::vector<ExprId> outputs;
  for (const flat::ClockedSample& sample : part.samples) outputs.push_back(sample.value);
  samples = make_kernel(lower(*flat.pool, inputs, constants.symbols, outputs), backend);
  outputs.clear();
  for (const flat::BaseClock& base : part.bases) {
    outputs.push_back(base.count.valid() ? base.start_interval : base.interval);
    count_of_base.push_back(base.count.valid() ? discrete_of.at(base.count) : none);
  }
  intervals = make_kernel(lower(*flat.pool, inputs, constants.symbols, outputs), backend);
  variables_of_clock.resize(part.clocks.size());
  for (const flat::ClockedVariable& variable : part.variables)
    variables_of_clock[variable.clock].push_back(discrete_of.at(variable.symbol));

  const ClockedPlan plan = structure::plan_clocked(flat);
  for (const ClockedSegment& segment : plan.segments) {
    Segment made{
        .clock = segment.clock,
        .kernel = make_kernel(segment_tape(*flat.pool, plan, segment, constants, inputs), backend),
        .variables = {}};
    for (const Block& block : segment.blocks)
      for (const auto v : block.unknowns())
        made.variables.push_back(discrete_of.at(plan.system.variables[v]));
    segments.push_back(std::move(made));
  }
}

}  // namespace alembert::compile
