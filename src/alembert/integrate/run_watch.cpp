// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/run_watch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "alembert/base/complaint.hpp"
#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/message_text.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::integrate {

namespace {

/// Parameters that do not wait for the start to be solved, and where their values stand.
std::map<symbolic::ExprId, std::size_t> known_parameters(const flat::FlatSystem& flat) {
  std::map<symbolic::ExprId, std::size_t> known;
  std::set<symbolic::ExprId> waiting;
  for (const flat::Parameter& parameter : flat.parameters)
    if (parameter.solved_for) waiting.insert(parameter.symbol);
  const auto waits = [&](const flat::Parameter& parameter) {
    if (waiting.empty() || waiting.contains(parameter.symbol) || !parameter.value.valid())
      return false;
    const auto symbols = symbolic::free_symbols(*flat.pool, parameter.value);
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](symbolic::ExprId symbol) { return waiting.contains(symbol); });
  };
  for (std::size_t n_before = waiting.size() + 1; n_before != waiting.size();) {
    n_before = waiting.size();
    for (const flat::Parameter& parameter : flat.parameters)
      if (waits(parameter)) waiting.insert(parameter.symbol);
  }
  for (std::size_t i = 0; i < flat.parameters.size(); ++i)
    if (!waiting.contains(flat.parameters[i].symbol)) known.emplace(flat.parameters[i].symbol, i);
  return known;
}

}  // namespace

AssertionWatch::AssertionWatch(ModelPoint& point)
    : point_(point),
      values_(point.model().events().assertions.shape().n_outputs),
      warned_(point.model().flat().assertions.size(), 0) {}

/// Its message with the values that it shows.
std::string AssertionWatch::sentence(std::size_t assertion, std::size_t first_value) const {
  const flat::Assertion& given = point_.model().flat().assertions[assertion];
  return with_numbers(given.message, std::span(values_).subspan(first_value, given.values.size()));
}

std::string AssertionWatch::message(std::size_t assertion, std::size_t first_value) const {
  const std::string place = to_string(point_.model().flat().assertions[assertion].origin);
  const std::string text = sentence(assertion, first_value);
  return place.empty() ? text : text + " (" + place + ")";
}

void AssertionWatch::require_parameters() {
  if (!any()) return;
  const flat::FlatSystem& flat = point_.model().flat();
  const auto place_of = known_parameters(flat);
  point_.run(point_.model().events().assertions, values_);
  std::size_t first_value = flat.assertions.size();
  for (std::size_t i = 0; i < flat.assertions.size();
       first_value += flat.assertions[i].values.size(), ++i) {
    const flat::Assertion& given = flat.assertions[i];
    if (values_[i] != 0 || given.is_warning) continue;
    std::string values;
    bool known = true;
    for (const symbolic::ExprId symbol : symbolic::free_symbols(*flat.pool, given.condition)) {
      const auto place = place_of.find(symbol);
      known = known && place != place_of.end();
      if (!known) break;
      values += (values.empty() ? "" : ", ") + flat.pool->symbol_of(symbol).name + " = " +
                rounded_text(point_.constants()[place->second]);
    }
    if (known)
      throw Error("I018",
                  sentence(i, first_value) +
                      (values.empty() ? "." : "; here " + values + ". Change the value."),
                  given.origin);
  }
}

bool AssertionWatch::violated() {
  if (!any()) return false;
  const auto& assertions = point_.model().flat().assertions;
  point_.run(point_.model().events().assertions, values_);
  for (std::size_t i = 0; i < assertions.size(); ++i)
    if (values_[i] == 0 && !assertions[i].is_warning) return true;
  return false;
}

bool AssertionWatch::warns() {
  if (!any()) return false;
  const auto& assertions = point_.model().flat().assertions;
  point_.run(point_.model().events().assertions, values_);
  for (std::size_t i = 0; i < assertions.size(); ++i)
    if (values_[i] == 0 && assertions[i].is_warning && !warned_[i]) return true;
  return false;
}

std::optional<std::string> AssertionWatch::check() {
  if (!any()) return std::nullopt;
  const auto& assertions = point_.model().flat().assertions;
  point_.run(point_.model().events().assertions, values_);
  std::size_t first_value = assertions.size();
  for (std::size_t i = 0; i < assertions.size(); first_value += assertions[i].values.size(), ++i) {
    if (values_[i] != 0) continue;  // a NaN is no violation
    if (!assertions[i].is_warning) return message(i, first_value);
    if (warned_[i]) continue;
    warned_[i] = 1;
    warnings_.push_back("at time " + rounded_text(point_.time()) + ": " + message(i, first_value));
  }
  return std::nullopt;
}

AccumulationWatch::AccumulationWatch(double start, double stop) : scale_(std::abs(stop - start)) {}

double AccumulationWatch::moment(double t) const { return 1e-10 * std::max(scale_, std::abs(t)); }

/// Very many within a time that is little beside the run lead nowhere, however they lie: steps of a
/// fixed size cannot follow distances as far down as those that their error chooses.
bool AccumulationWatch::crowds(double t) {
  constexpr struct {
    double width;  // relative to the run
    int most;
  } limits[n_windows] = {{1e-7, 1000}, {1e-4, 20'000}};
  bool any = false;
  for (std::size_t i = 0; i < n_windows; ++i) {
    Window& window = windows_[i];
    if (window.n == 0 || t - window.begin > limits[i].width * std::max(scale_, std::abs(t)))
      window = {t, 0};
    any = ++window.n > limits[i].most || any;
  }
  return any;
}

AccumulationWatch::Verdict AccumulationWatch::add(double t) {
  is_zeno_ = false;
  if (crowds(t)) return Verdict::accumulation;
  const double vanishing = 1e-12 * std::max(scale_, std::abs(t));
  times_[count_++ % many] = t;
  const auto ago = [&](std::uint64_t k) { return times_[(count_ - 1 - k) % many]; };
  if (count_ >= many && t - ago(many - 1) < vanishing) {
    constexpr int most_chatters = 20;
    n_chatters_ = t - last_chatter_ < 10 * moment(t) ? n_chatters_ + 1 : 1;
    last_chatter_ = t;
    count_ = 0;
    return n_chatters_ > most_chatters ? Verdict::accumulation : Verdict::chatter;
  }
  // Geometric: the sum of all distances to come, if they go on shrinking as they do. Some that
  // shrink by chance do not shrink alike.
  constexpr std::uint64_t n_ratios = 6;
  if (count_ < n_ratios + 2) return Verdict::none;
  double slowest = 0, quickest = 1;
  for (std::uint64_t k = 0; k < n_ratios; ++k) {
    const double last = ago(k) - ago(k + 1);
    const double before = ago(k + 1) - ago(k + 2);
    if (!(last < 0.99 * before)) return Verdict::none;
    slowest = std::max(slowest, last / before);
    quickest = std::min(quickest, last / before);
  }
  if (slowest > 2 * quickest) return Verdict::none;
  // Differences of a few units in the last place are no sequence.
  const double rounding = 64 * eps * std::abs(t);
  if (ago(n_ratios) - ago(n_ratios + 1) < rounding) return Verdict::none;
  const double rest = (t - ago(1)) * slowest / (1 - slowest);
  is_zeno_ = rest < 100 * vanishing;
  return is_zeno_ ? Verdict::accumulation : Verdict::none;
}

std::string explain(const compile::CompiledModel& model, const EventIteration::Result& result) {
  switch (result.end) {
    case EventIteration::End::settled: return "";
    case EventIteration::End::no_values:
      return "the equations have no solution after an event" +
             (result.modes.empty()
                  ? std::string()
                  : " in which " + model.describe_modes(result.modes) + " changed") +
             ". Look for a division by zero, or a part that is singular in one of its branches.";
    case EventIteration::End::contradiction:
      return "no values of " + model.describe_modes(result.modes) +
             " agree with the equations: each choice leads to its opposite. A comparison in one of "
             "these may need a hysteresis, or noEvent if it makes no jump.";
    case EventIteration::End::missing: {
      const std::string complaint = take_complaint();
      return complaint.empty()
                 ? model.describe_discretes(result.discretes) +
                       " has no value after an event. Look for a division by zero, or a root or a "
                       "logarithm of a negative number."
                 : "a function that is called at an event has no value: " + complaint + ".";
    }
    case EventIteration::End::unreachable:
      return "reinit gives '" + model.variable_names()[result.variables.front()] +
             "' a value that follows from no values of the states. Let it act on a state, or on "
             "what a state can change.";
    case EventIteration::End::endless: break;
  }
  const std::string names = model.describe_discretes(result.discretes);
  return "an event does not come to an end" +
         (names.empty() ? std::string(": a reinit whose condition goes on holding is taken again "
                                      "and again. Let it act on an edge.")
                        : ": " + names + (result.discretes.size() == 1 ? " changes" : " change") +
                              " again and again at the same time. Use pre() where the value "
                              "before the event is meant.");
}

}  // namespace alembert::integrate
