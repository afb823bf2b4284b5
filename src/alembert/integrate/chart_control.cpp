// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/chart_control.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "alembert/base/constants.hpp"
#include "alembert/compile/model/mode_variant.hpp"

namespace alembert::integrate {

using compile::CompiledModel;

namespace {

/// A chart is left when another is this much better, so that two of equal worth do not take turns.
constexpr double hysteresis = 0.5;
/// What is left, a step later, of how long a row has been; in passages steps are long.
constexpr double memory = 0.999;
constexpr double memory_in_passage = 0.9;
/// So many changes may be frantic, beside the number of steps; so many may be needless.
constexpr std::uint64_t few = 20;
constexpr std::uint64_t needless_few = 4;
/// A chart that was never worse than this would have served.
constexpr double served = 0.2;
/// Beside the fastest: what moves no more than this is at rest.
constexpr double at_rest = 1e-9;

}  // namespace

ChartControl::ChartControl(ModelPoint& point, Formulation formulation)
    : point_(point),
      dynamic_(formulation != Formulation::dummy && point.model().has_choice()),
      ahead_(point.model().n_variables()) {}

bool ChartControl::dynamic() const {
  const compile::ModeVariant* const variant = point_.chart().variant;
  return variant != nullptr ? variant->has_choice() : dynamic_;
}

CompiledModel::Selection ChartControl::selection() const {
  return point_.model().select(point_.chart().reduced.chart, point_.time(),
                               point_.variables().data(), point_.constants().data());
}

double ChartControl::quality() const {
  if (point_.chart().variant != nullptr || !point_.model().choice_varies()) return 1;
  return point_.model().chart_quality(point_.chart().reduced.chart, point_.time(),
                                      point_.variables().data(), point_.constants().data(),
                                      row_sizes_);
}

void ChartControl::look(bool in_passage) {
  if (point_.chart().variant != nullptr) return;
  const std::vector<double> lengths = point_.model().selection_row_lengths(
      point_.time(), point_.variables().data(), point_.constants().data());
  row_sizes_.resize(lengths.size(), 0.0);
  for (std::size_t r = 0; r < lengths.size(); ++r)
    row_sizes_[r] = std::max((in_passage ? memory_in_passage : memory) * row_sizes_[r], lengths[r]);
}

void ChartControl::forget() { row_sizes_.clear(); }

void ChartControl::choose() {
  if (dynamic_) choose_start();
}

void ChartControl::choose_start() {
  if (!point_.model().has_choice() || point_.chart().variant != nullptr) return;
  const auto at_point = selection();
  if (at_point.best.quality > at_point.current_quality)
    point_.use(point_.model().compile(at_point.best.chart));
}

void ChartControl::enter_start() {
  const CompiledModel& model = point_.model();
  structure::Chart chart = structure::static_chart(model.simplified().flat, model.plan());
  if (model.has_choice()) {
    const double t = point_.time();
    const double* const variables = point_.variables().data();
    const double* const constants = point_.constants().data();
    CompiledModel::Selection at_point = model.select(chart, t, variables, constants);
    if (at_point.best.quality > at_point.current_quality) chart = std::move(at_point.best.chart);
    chart = model.start_chart(chart, t, variables, constants);
  }
  point_.use(model.compile(chart));
}

/// The same in the structure of some modes alone, whose states are few and of one mechanism.
ChartControl::Improvement ChartControl::improve_variant() {
  const compile::ModeVariant& variant = *point_.chart().variant;
  if (!variant.has_choice()) return {};
  const std::vector<double> entries = variant.selection_entries(
      point_.time(), point_.variables().data(), point_.constants().data());
  const auto better = structure::improve_chart(variant.simplified.flat, variant.plan,
                                               point_.chart().reduced.chart, {entries}, hysteresis);
  const compile::CompiledChart* const chart =
      better.changes.empty() ? nullptr
                             : point_.model().mode_chart(better.chart, point_.constants().data());
  if (chart == nullptr) return {{}, better.quality};
  Improvement result{{}, better.quality};
  const std::vector<std::string> before = point_.state_names();
  point_.use(*chart);
  first_quality_ = 0;  // those of another structure are not held against it
  for (const auto& change : better.changes)
    result.switches.push_back({point_.time(), change.part, before, point_.state_names(),
                               change.quality_before, change.quality_after});
  return result;
}

ChartControl::Improvement ChartControl::improve() {
  if (point_.chart().variant != nullptr) return improve_variant();
  if (!dynamic_ || !point_.model().choice_varies()) return {{}, quality()};
  const CompiledModel& model = point_.model();
  const structure::Chart& now = point_.chart().reduced.chart;
  const auto better = model.improve(now, hysteresis, point_.time(), point_.variables().data(),
                                    point_.constants().data(), row_sizes_);
  Improvement result{{}, better.quality};
  watch();
  if (better.changes.empty()) return result;
  if (first_.n_dummies.empty()) first_ = now;
  for (const auto& change : better.changes)
    result.switches.push_back({point_.time(), change.part, model.states_of_part(now, change.part),
                               model.states_of_part(better.chart, change.part),
                               change.quality_before, change.quality_after});
  point_.use(model.compile(better.chart));
  return result;
}

double ChartControl::time_in_chart(double last_step) {
  constexpr double unlimited = infinity;
  const compile::ModeVariant* const variant = point_.chart().variant;
  if (variant != nullptr ? !variant->has_choice() : !point_.model().choice_varies())
    return unlimited;
  const double ahead_by = 1e-3 * last_step;
  const double soon = point_.time() + ahead_by;
  const auto variables = point_.variables();
  for (std::uint32_t i = 0; i < variables.size(); ++i) {
    const auto d = point_.model().derivative_of(i);
    ahead_[i] = variables[i] + (d < variables.size() ? ahead_by * variables[d] : 0.0);
  }
  // Both by the same sizes: a row that grows by what states do in it brings no chart to its end.
  std::vector<double> sizes = row_sizes_;
  const auto lengthen = [&](double t, const double* at) {
    const double* const constants = point_.constants().data();
    const std::vector<double> lengths =
        variant != nullptr
            ? structure::row_lengths(variant->plan, {variant->selection_entries(t, at, constants)})
            : point_.model().selection_row_lengths(t, at, constants);
    sizes.resize(lengths.size(), 0.0);
    for (std::size_t r = 0; r < lengths.size(); ++r) sizes[r] = std::max(sizes[r], lengths[r]);
  };
  if (variant != nullptr) sizes.clear();  // those of another structure
  lengthen(point_.time(), variables.data());
  lengthen(soon, ahead_.data());
  const auto logs_at = [&](double t, const double* at) {
    const double* const constants = point_.constants().data();
    if (variant != nullptr)
      return structure::chart_log_determinants(
          variant->plan, point_.chart().reduced.chart,
          {variant->selection_entries(t, at, constants), sizes});
    return point_.model().log_determinants(point_.chart().reduced.chart, t, at, constants, sizes);
  };
  const std::vector<double> here = logs_at(point_.time(), variables.data());
  const std::vector<double> there = logs_at(soon, ahead_.data());
  double limit = unlimited;
  for (std::size_t i = 0; i < here.size(); ++i)
    if (there[i] < here[i])
      limit = std::min(limit, 0.5 * ahead_by / -std::expm1(there[i] - here[i]));
  return limit;
}

double ChartControl::best_quality() const {
  return point_.model()
      .best_chart(point_.time(), point_.variables().data(), point_.constants().data(), row_sizes_)
      .quality;
}

void ChartControl::go_to_best() {
  first_quality_ = 0;  // no chart was good on the way
  point_.use(point_.model().compile(
      point_.model()
          .best_chart(point_.time(), point_.variables().data(), point_.constants().data())
          .chart));
}

/// What `judge` is going to ask for: how the chart of the start would do, and what moves.
void ChartControl::watch() {
  const auto variables = point_.variables();
  if (!first_.n_dummies.empty() && first_quality_ > 0)
    first_quality_ = std::min(first_quality_,
                              point_.model().chart_quality(first_, point_.time(), variables.data(),
                                                           point_.constants().data(), row_sizes_));
  largest_rate_.resize(variables.size(), 0.0);
  for (std::uint32_t i = 0; i < variables.size(); ++i)
    if (const auto rate = point_.model().derivative_of(i); rate < variables.size())
      largest_rate_[i] = std::max(largest_rate_[i], std::abs(variables[rate]));
}

void ChartControl::exchange(Archive& archive) {
  archive(row_sizes_, first_.n_dummies, first_quality_, largest_rate_);
}

/// Those of a mechanism's coordinates that never moved although others did, in quotes.
std::string ChartControl::unused_freedom(std::span<const ChartSwitch> switches,
                                         std::uint32_t block) const {
  std::set<std::string> names;
  for (const ChartSwitch& change : switches)
    if (change.block == block)
      for (const auto* states : {&change.from, &change.to})
        names.insert(states->begin(), states->end());
  double fastest = 0;
  std::string unused;
  const auto& all = point_.model().variable_names();
  const auto each_position = [&](const auto& visit) {
    for (std::uint32_t i = 0; i < largest_rate_.size(); ++i) {
      const auto rate = point_.model().derivative_of(i);
      // A velocity that does not change is no coordinate at rest.
      if (rate < largest_rate_.size() &&
          point_.model().derivative_of(rate) < largest_rate_.size() && names.contains(all[i]))
        visit(i);
    }
  };
  each_position([&](std::uint32_t i) { fastest = std::max(fastest, largest_rate_[i]); });
  each_position([&](std::uint32_t i) {
    if (largest_rate_[i] <= at_rest * fastest)
      unused += (unused.empty() ? "'" : ", '") + all[i] + "'";
  });
  return unused;
}

std::vector<std::string> ChartControl::judge(std::span<const ChartSwitch> switches,
                                             std::uint64_t n_steps) const {
  // Per mechanism: many of them may change now and then.
  std::map<std::uint32_t, std::uint64_t> counts;
  std::map<std::uint32_t, std::string> states;
  for (const ChartSwitch& change : switches)
    if (++counts[change.block] == 1)
      for (const std::string& name : change.from)
        states[change.block] += (states[change.block].empty() ? "'" : ", '") + name + "'";
  std::vector<std::string> warnings;
  for (const auto& [block, count] : counts) {
    const std::string what = "the states of one mechanism (" + states[block] +
                             " at first) were re-selected " + std::to_string(count) + " times in " +
                             std::to_string(n_steps) + " steps";
    if (count >= few && 3 * count >= n_steps)
      warnings.push_back(what +
                         ": it moves through its charts about as fast as it is integrated. The "
                         "formulation projection needs no selection.");
    if (count < needless_few) continue;
    if (const std::string unused = unused_freedom(switches, block); !unused.empty())
      warnings.push_back(what + ", and " + unused +
                         " never moved: a degree of freedom that is not used. Where the motion is "
                         "meant to have none there, say so by an equation; fewer states then do.");
  }
  if (switches.size() >= needless_few && first_quality_ >= served)
    warnings.push_back("states were re-selected " + std::to_string(switches.size()) +
                       " times without need: those of the start (" + states.begin()->second +
                       (states.size() > 1 ? ", ..." : "") +
                       ") would have served all the time. With stateSelect = StateSelect.prefer "
                       "they are kept longer, with the formulation dummy always.");
  return warnings;
}

std::string ChartControl::explain() const {
  if (!point_.model().has_choice() || point_.chart().variant != nullptr) return "";
  const bool has_states = point_.chart().reduced.chart.n_dummies.size() > 0;
  if (best_quality() <= (has_states ? 1e3 * singular_quality : 0.3 * passage_quality))
    return "the constraints are singular here, whatever the states: the motion may not "
           "be determined beyond this point. Look for a redundant constraint" +
           std::string(has_states ? "." : ", or use the formulation dynamic.");
  if (!has_states || quality() > 1e3 * singular_quality) return "";
  std::string states;
  for (const std::string& name : point_.state_names())
    states += (states.empty() ? "'" : ", '") + name + "'";
  return "the states " + states +
         " no longer describe the motion here: the constraints cannot be solved for the other "
         "unknowns any more. Let the states be re-selected: formulation dynamic.";
}

}  // namespace alembert::integrate
