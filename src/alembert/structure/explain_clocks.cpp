// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What clocks drive, in words: when each ticks, and what is solved then, in which
// order.
#include <fmt/format.h>

#include "alembert/flat/wording.hpp"
#include "alembert/structure/clocked_plan.hpp"
#include "alembert/structure/discretise_clocks.hpp"
#include "alembert/structure/explain.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::structure {

namespace {

using symbolic::ExprId;

/// "1st", "2nd", ...
std::string ordinal(const std::string& number) {
  const bool is_teen = number.size() > 1 && number[number.size() - 2] == '1';
  const char last = number.back();
  if (is_teen || last < '1' || last > '3') return number + "th";
  return number + (last == '1' ? "st" : last == '2' ? "nd" : "rd");
}

std::string ticks_text(const flat::FlatSystem& flat, const flat::Clock& clock) {
  symbolic::ExprPool& pool = *flat.pool;
  const flat::BaseClock& base = flat.clocked->bases[clock.base];
  const auto text = [&](ExprId id) {
    return symbolic::to_short_text(pool, id, longest_explained_side);
  };
  const auto seconds = [&](const symbolic::Number& ticks) {
    return text(pool.mul(pool.number(ticks), base.interval)) + " s";
  };
  if (base.varies) {
    const std::string step = text(pool.number(clock.step));
    return fmt::format("{}{} s after each tick of its base clock",
                       step == "1" ? "" : "at every " + ordinal(step) + " of those that come ",
                       text(base.interval));
  }
  if (!base.count.valid()) {
    const bool is_first = clock.first.is_zero();
    return "every " + seconds(clock.step) +
           (is_first ? std::string() : ", from " + seconds(clock.first) + " after the start on");
  }
  const std::string step = text(pool.number(clock.step));
  return fmt::format(
      "at every {}event of its condition{}", step == "1" ? "" : ordinal(step) + " ",
      clock.first.is_zero() ? "" : ", the first " + text(pool.number(clock.first)) + " left out");
}

}  // namespace

std::vector<Explanation::ExplainedClock> explain_clocks(const flat::FlatSystem& given) {
  std::vector<Explanation::ExplainedClock> clocks;
  if (given.clocked == nullptr) return clocks;
  const DiscretisedSystem discretised = discretise_clocks(given);
  const flat::FlatSystem& flat = discretised.flat;
  const flat::ClockedPart& part = *flat.clocked;
  for (const flat::Clock& clock : part.clocks)
    clocks.push_back({.ticks = ticks_text(flat, clock),
                      .variables = {},
                      .states = {},
                      .method = {},
                      .differentiated = {},
                      .blocks = {},
                      .origin = clock.origin});
  const auto name = [&](Index v) { return flat.pool->symbol_text(part.variables[v].symbol); };
  for (Index v = 0; v < part.variables.size(); ++v)
    clocks[part.variables[v].clock].variables.push_back(name(v));
  for (const DiscretisedClock& one : discretised.clocks) {
    Explanation::ExplainedClock& clock = clocks[one.clock];
    clock.method = flat::name(part.clocks[one.clock].method);
    for (const ExprId state : one.states) clock.states.push_back(flat.pool->symbol_text(state));
    for (const auto& [equation, times] : one.differentiated)
      clock.differentiated.push_back(
          {flat::clocked_text(flat, equation.left, equation.right, longest_explained_side), times,
           equation.origin});
  }
  for (const ClockedSegment& segment : plan_clocked(flat).segments)
    for (const Block& block : segment.blocks) {
      Explanation::ExplainedBlock explained{
          block.kind, {}, {}, static_cast<Index>(block.tears.size())};
      for (const Index v : block.unknowns()) explained.unknowns.push_back(name(v));
      for (const Index e : block.equations()) {
        const flat::ClockedEquation& equation = part.equations[e];
        explained.equations.push_back(
            flat::clocked_text(flat, equation.left, equation.right, longest_explained_side));
      }
      clocks[segment.clock].blocks.push_back(std::move(explained));
    }
  std::erase_if(clocks, [](const auto& clock) { return clock.variables.empty(); });
  return clocks;
}

}  // namespace alembert::structure
