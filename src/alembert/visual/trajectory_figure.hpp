// SPDX-License-Identifier: Apache-2.0
// Stage: visual. The picture of a run when no one says how it should look.
// In: a Trajectory and names of variables, or expressions of them ("E - E(0)"). Out: a Figure over
// time; variables of like size share a panel, others are stacked.
//
//   write_figure(plot(run.trajectory, {"x", "y", "E - E(0)"}), "pendulum.svg");
//   write_figure(plot_path(run.trajectory, "x", "y"), "path.pdf");
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "alembert/result/formula.hpp"
#include "alembert/result/trajectory.hpp"
#include "alembert/visual/figure.hpp"

namespace alembert::visual {

/// What a trajectory itself does not know.
struct PlotOptions {
  std::map<std::string, std::string, std::less<>> units = {};  ///< of variables, by name
  /// What variables are shown in, where that is another unit. An expression has the values of the
  /// result.
  std::map<std::string, std::string, std::less<>> display_units = {};
  result::NamedConstants constants = {};  ///< parameters, for expressions
  bool event_marks = true;                ///< a thin line at each event, as long as there are few
};

/// Error R004 for a name that the result does not have, R011 for what is no expression.
Figure plot(const result::Trajectory& trajectory, const std::vector<std::string>& names,
            const PlotOptions& options = {});
/// Each list in a panel of its own, under each other, over the same time.
Figure plot_panels(const result::Trajectory& trajectory,
                   const std::vector<std::vector<std::string>>& panels,
                   const PlotOptions& options = {});
/// A path in the plane, with equal axes. Errors as above.
Figure plot_path(const result::Trajectory& trajectory, const std::string& x, const std::string& y,
                 const PlotOptions& options = {});

/// The picture of one of several runs.
struct RunFigure {
  std::string name;  ///< of the run, for the legend
  Figure figure;
};
/// Pictures of the same variables over each other: a colour for each variable and a stroke for each
/// run; of more than three runs, a colour for each line. Events are marked as of the first.
Figure overlay(std::vector<RunFigure> runs);

/// The first of the variables that are not constant, `most` or fewer, and no derivatives where
/// anything else varies; or the first of all.
std::vector<std::string> names_that_vary(const result::Trajectory& trajectory, std::size_t most);

/// Names whose values are of like size together, so that none lies flat beside another.
std::vector<std::vector<std::string>> group_by_size(const result::Trajectory& trajectory,
                                                    std::span<const std::string> names,
                                                    const PlotOptions& options = {});

/// Times at which the trajectory has two rows: both sides of an event.
std::vector<double> event_times(const result::Trajectory& trajectory);

}  // namespace alembert::visual
