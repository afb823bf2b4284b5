// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. What a model says while it runs, and what its events say about it. In: a
// completed ModelPoint, events as they come. Out: sentences: a failed assertion, warnings (each
// once), and whether events accumulate.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alembert/integrate/event_iteration.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class AssertionWatch {
 public:
  explicit AssertionWatch(ModelPoint& point);

  bool any() const { return !values_.empty(); }
  /// True if an error's condition does not hold at the point.
  bool violated();
  /// True if a warning's condition does not hold at the point, and it was not told yet.
  bool warns();
  /// The sentence of the first error whose condition does not hold at the point. Warnings are kept.
  std::optional<std::string> check();
  /// Error I018 for the first condition of parameters alone that does not hold: there is no use in
  /// solving for a start with a parameter that is wrong, and nothing else would tell as well.
  void require_parameters();
  std::vector<std::string>& warnings() { return warnings_; }
  void exchange(Archive& archive) { archive(warned_, warnings_); }

 private:
  /// What its author says, with the values.
  std::string sentence(std::size_t assertion, std::size_t first_value) const;
  /// The same with its place.
  std::string message(std::size_t assertion, std::size_t first_value) const;

  ModelPoint& point_;
  std::vector<double> values_;  // [n_assertions] conditions, then values
  std::vector<char> warned_;    // [n_assertions]
  std::vector<std::string> warnings_;
};

/// Events accumulate if their distances shrink geometrically to a time that vanishes beside the
/// run; they chatter if many follow each other within such a time. Chatter may be rounding about a
/// point where comparisons are undecided, so the run may leave it behind by looking away for a
/// moment; chatter again and again is an accumulation too.
class AccumulationWatch {
 public:
  enum class Verdict { none, chatter, accumulation };

  AccumulationWatch(double start, double stop);

  /// To be told each state event.
  Verdict add(double t);
  /// What was so far is explained, unless very many follow nevertheless.
  void forget() { count_ = 0, n_chatters_ = 0; }
  /// True if the last verdict was that distances shrink geometrically, so that infinitely many
  /// events lie before a time that never comes.
  bool is_zeno() const { return is_zeno_; }
  /// How long to look away from chatter at time t.
  double moment(double t) const;
  void exchange(Archive& archive) {
    archive(times_, count_, n_chatters_, last_chatter_);
    for (Window& window : windows_) archive(window.begin, window.n);
  }

 private:
  static constexpr std::size_t many = 16, n_windows = 2;
  struct Window {
    double begin = 0;
    int n = 0;  // events
  };

  bool crowds(double t);

  double scale_;
  std::array<double, many> times_ = {};  // the last ones, in a ring
  std::uint64_t count_ = 0;
  int n_chatters_ = 0;  // since the last that was long ago
  double last_chatter_ = 0;
  std::array<Window, n_windows> windows_ = {};
  bool is_zeno_ = false;
};

/// Why an event has no outcome.
std::string explain(const compile::CompiledModel& model, const EventIteration::Result& result);

}  // namespace alembert::integrate
