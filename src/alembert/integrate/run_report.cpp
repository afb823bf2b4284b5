// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/run_report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alembert/base/complaint.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::integrate {

using compile::CompiledModel;
using structure::InitialRow;

std::vector<StepLimit> step_limits(const CompiledModel& model,
                                   std::span<const std::uint64_t> attempts) {
  std::vector<std::uint32_t> order(attempts.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return attempts[a] > attempts[b]; });
  std::vector<StepLimit> limits;
  for (const std::uint32_t variable : order) {
    if (limits.size() == 5 || attempts[variable] == 0) break;
    limits.push_back({model.variable_names()[variable], attempts[variable]});
  }
  return limits;
}

std::string warn_of_small_states(const CompiledModel& model, std::span<const double> largest,
                                 double tolerance) {
  if (largest.empty()) return {};
  const double rounding = tolerance * 1e-6 * std::ranges::max(largest);
  constexpr std::size_t most_names = 5;
  std::string names;
  std::size_t n = 0;
  double size = 0;
  for (std::size_t i = 0; i < largest.size(); ++i) {
    if (!(largest[i] > rounding) || !(largest[i] < tolerance)) continue;
    if (++n <= most_names) names += (n > 1 ? ", '" : "'") + model.variable_names()[i] + "'";
    size = std::max(size, largest[i]);
  }
  if (n == 0) return {};
  if (n > most_names) names += " and " + std::to_string(n - most_names) + " more";
  return names + " stayed below " + rounded_text(size) +
         ", and the tolerance of a state without a nominal value is as of 1: " +
         (n == 1 ? "it" : "they") + " may have no correct digit. Give " + (n == 1 ? "it" : "them") +
         " a nominal value, such as nominal = " +
         rounded_text(std::pow(10.0, std::floor(std::log10(size)))) + ", or a smaller tolerance.";
}

std::vector<MissingValue> find_missing(ModelPoint& point) {
  return find_missing(point, point.first_failure());
}

std::vector<MissingValue> find_missing(ModelPoint& point, const ModelPoint::Failure& failure) {
  if (failure.chart == nullptr) return {};
  const CompiledModel& model = point.model();
  std::vector<double> values(failure.chart->variables.shape().n_outputs);
  take_complaint();
  point.evaluate(failure, values);
  const std::string complaint = take_complaint();
  const auto is_missing = [&](structure::Index variable) {
    return !std::isfinite(values[model.variable_of_structure(variable)]);
  };
  // The structure of modes has equations of its own, which nobody wrote.
  if (failure.chart->variant != nullptr) {
    for (std::uint32_t i = 0; i < model.n_variables(); ++i)
      if (!std::isfinite(values[i]))
        return {{failure.inputs[0],
                 model.variable_names()[i],
                 complaint.empty() ? "" : "equations where " + complaint,
                 {},
                 false}};
    return {};
  }
  const auto found = [&](structure::Index variable, structure::Index equation) {
    const Diagnostic row = model.describe_initial_row(
        {InitialRow::Kind::equation, equation, symbolic::ExprId::none()});
    const structure::StructuralPlan& plan = model.plan();
    return std::vector<MissingValue>{
        {failure.inputs[0], model.variable_names()[model.variable_of_structure(variable)],
         row.text + (complaint.empty() ? "" : ", where " + complaint), row.origin,
         plan.differentiations[plan.structure.equations[equation].source] > 0}};
  };
  for (const structure::Block& block : failure.chart->reduced.blocks) {
    for (std::size_t i = 0; i < block.tears.size(); ++i)
      if (is_missing(block.tears[i])) return found(block.tears[i], block.residuals[i]);
    for (const structure::Assignment& assignment : block.assignments)
      if (is_missing(assignment.unknown)) return found(assignment.unknown, assignment.equation);
  }
  return {};
}

std::string explain_end_of_values(std::span<const MissingValue> missing, BeyondGap beyond) {
  if (missing.empty()) return "";
  if (beyond == BeyondGap::unbounded)
    return to_string(missing.front()) +
           ": it grows without bound towards that time, and comes back from infinity behind it. "
           "Something is divided by zero there, or equations that are solved together are singular "
           "there. Stop before, or look at what makes it so.";
  if (beyond == BeyondGap::bounded)
    return to_string(missing.front()) +
           ", though it has values just before and after: there the equation is 0/0 or the like. "
           "Give it the value that belongs there in a case of its own, with if, or choose times of "
           "output that do not meet it.";
  if (!missing.front().constrained)
    return to_string(missing.front()) +
           ". Look for a division by zero, a root or a logarithm there, or a branch of the "
           "solution that ends.";
  const std::string place = to_string(missing.front().origin);
  return missing.front().equation + (place.empty() ? "" : " (" + place + ")") +
         " can no longer be held: beyond this time no value of '" + missing.front().variable +
         "' meets it, whatever force acts along '" + missing.front().variable +
         "', because the other quantities in it go on as they must. Let the constraint act on more "
         "unknowns, or look for a branch of the solution that ends.";
}

std::string explain_pole(const std::string& steepest) {
  return "within the next step a divisor goes through zero, and " +
         (steepest.empty() ? "slopes grow" : "der(" + steepest + ") grows") +
         " without bound towards it. The solution seems to end there; stop before, or look at what "
         "is divided by.";
}

std::string to_string(const MissingValue& missing) {
  const std::string place = to_string(missing.origin);
  return "'" + missing.variable + "' has no value at time " + rounded_text(missing.time) +
         (missing.equation.empty() ? "" : ", by " + missing.equation) +
         (place.empty() ? "" : " (" + place + ")");
}

namespace {

/// A state that multiplies in next to no time has no bound ahead.
std::string explain_growth(const ModelPoint& point, double span, std::span<const double> y,
                           std::span<const double> f) {
  constexpr double large = 1e6, short_time = 1e-8;
  std::size_t fastest = y.size();
  double shortest = short_time * span;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(std::abs(y[i]) > large) || !(y[i] * f[i] > 0)) continue;
    const double doubling = std::abs(y[i] / f[i]);
    if (doubling < shortest) shortest = doubling, fastest = i;
  }
  if (fastest == y.size()) return "";
  return "'" + point.state_names()[fastest] + "' grows without bound: it is " +
         rounded_text(y[fastest]) + " and would double within " + rounded_text(shortest) +
         ". The solution seems to end here (a finite escape time); stop before, or look at what "
         "feeds its growth.";
}

}  // namespace

std::string explain_many_steps(const Statistics& statistics, std::span<const StepLimit> limits,
                               bool is_stiff) {
  const std::string by =
      limits.empty() ? "" : ", limited most often by '" + limits.front().name + "'";
  const std::string in_vain =
      statistics.rejected == 0
          ? ""
          : " and " + std::to_string(statistics.rejected) + " attempts were in vain";
  return "too many steps: " + std::to_string(statistics.steps) + " were taken" + in_vain + by +
         ". Look for something that is much quicker than what you want to see (an oscillation, a "
         "time constant, comparisons that switch all the time). Try a larger tolerance, " +
         (is_stiff ? "" : "a method for stiff models (auto, radau5, ida), ") + "or a shorter run.";
}

std::string explain_overflow(std::span<const std::string> names, std::span<const double> y,
                             StepChoice step_choice) {
  constexpr double overflowing = 1e100;
  const auto largest =
      std::ranges::max_element(y, {}, [](double value) { return std::abs(value); });
  if (largest == y.end() || !(std::abs(*largest) > overflowing)) return "";
  return "'" + names[static_cast<std::size_t>(largest - y.begin())] +
         "' grew beyond all bounds: it is " + rounded_text(*largest) + ". " +
         (step_choice == StepChoice::fixed
              ? "Steps of a fixed length that is too long for what is quick here do that: try a "
                "shorter one, or an implicit method, such as implicit-euler, or auto."
              : "Stop before, or look at what feeds its growth.");
}

std::string explain_stop(const ModelPoint& point, Outcome outcome, double span,
                         std::span<const double> y, std::span<const double> f,
                         std::span<const MissingValue> missing, std::span<const StepLimit> limits) {
  if (std::string growth = explain_growth(point, span, y, f); !growth.empty()) return growth;
  const bool lost = outcome == Outcome::stopped;  // where rows were to be written, not in a step
  const std::string what(to_string(lost ? Outcome::non_finite : outcome));
  if ((lost || outcome == Outcome::non_finite) && !missing.empty())
    return what + ": " + to_string(missing.front()) +
           ". Look for a division by zero, a root or a logarithm there, or a block that has no "
           "solution.";
  if (outcome == Outcome::step_too_small && !limits.empty())
    return what + ": the state that limits it is '" + limits.front().name +
           "'. Its equation may be singular or jump here without an event; or the tolerance is "
           "below rounding.";
  if (lost)
    return "a variable has no value at the next row. Look for a division by zero, a root or a "
           "logarithm in the equations, or choose other times of output.";
  if (outcome == Outcome::non_finite)
    return "no solution was found for the next step, though all values were finite. With a method "
           "of fixed steps try a shorter one; else another method (auto, radau5 and ida iterate in "
           "different ways), or look for a block that is nearly singular here.";
  return what + ".";
}

}  // namespace alembert::integrate
