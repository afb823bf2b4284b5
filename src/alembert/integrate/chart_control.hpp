// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Keeps a run on a good chart. In: a ModelPoint after each accepted step. Out: a
// change of chart where another is clearly better, and how long the next step may be.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::integrate {

class ChartControl {
 public:
  ChartControl(ModelPoint& point, Formulation formulation);

  /// True if states may be re-selected.
  bool dynamic() const;
  compile::CompiledModel::Selection selection() const;
  /// Goes to the best chart at the point if it is any better; for points without a history.
  void choose();
  /// Goes to a better chart for each mechanism that has one which is better by far; says what it
  /// did, and how good the chart is then.
  struct Improvement {
    std::vector<ChartSwitch> switches;
    double quality = 1;
  };
  Improvement improve();
  /// Once after each step, before anything else is asked: how long the rows of the constraint
  /// matrix have been of late. One that has become short is about to vanish, which no comparison of
  /// its entries with each other shows. In a passage they are forgotten sooner.
  void look(bool in_passage);
  /// As if the run began at the point.
  void forget();
  /// Of the chart in use.
  double quality() const;
  /// Of the best chart at the point, whatever is in use.
  double best_quality() const;
  void go_to_best();
  /// As `choose`, whatever the formulation: a start does not depend on it.
  void choose_start();
  /// At guesses of a start: the chart of structure alone, the best where that is better, or one of
  /// which more states have start values that were given. Compiles only what it takes.
  void enter_start();
  /// Half the time after which the chart would be singular if things went on as they go now. A
  /// longer step could come out on another branch of the constraints without any error estimate
  /// noticing.
  double time_in_chart(double last_step);
  void exchange(Archive& archive);
  /// Warnings at the end of a run: states were re-selected without need, since those of the start
  /// would have served or a degree of freedom is not used; or so often that the changes cost more
  /// than they help.
  std::vector<std::string> judge(std::span<const ChartSwitch> switches,
                                 std::uint64_t n_steps) const;
  /// Why a run ended here, as far as charts can tell; empty if they cannot.
  std::string explain() const;

 private:
  void watch();
  std::string unused_freedom(std::span<const ChartSwitch> switches, std::uint32_t block) const;
  Improvement improve_variant();

  ModelPoint& point_;
  bool dynamic_;
  std::vector<double> ahead_;         // [variables]
  std::vector<double> row_sizes_;     // [selection rows]; none before the first look
  structure::Chart first_;            // before the first change; none until then
  double first_quality_ = 1;          // the worst that it would have been since
  std::vector<double> largest_rate_;  // [variables]: of change, where states may change
};

/// Below this a chart is singular: its unknowns are double roots, known to half the digits only.
inline constexpr double singular_quality = 1e-6;
/// Below this quality of the best chart, and falling, a singular configuration lies ahead. Far
/// enough from it that a step of the passage goes over it.
inline constexpr double passage_quality = 0.1;

}  // namespace alembert::integrate
