// SPDX-License-Identifier: Apache-2.0
// Stage: visual. The page of a simulation: all that is known about it. In: a CompiledModel and the
// SimulationResult it gave. Out: a Page.
//
//   write_page(page_of_run(model, run), "pendulum.html");
#pragma once

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/result/column_notes.hpp"
#include "alembert/visual/page.hpp"
#include "alembert/visual/trajectory_figure.hpp"

namespace alembert::visual {

Page page_of_run(const compile::CompiledModel& model, const integrate::SimulationResult& run,
                 const integrate::SimulateOptions& options = {});
/// The same where the rows of the run went elsewhere.
Page page_of_run(const compile::CompiledModel& model, const integrate::SimulationResult& run,
                 const integrate::SimulateOptions& options, const result::Trajectory& rows);

/// Units of all variables and values of all parameters, for figures and scenes.
PlotOptions plot_options(const compile::CompiledModel& model,
                         const integrate::SimulateOptions& options = {});

/// Units and descriptions of all that a result of the model may have, for the file.
result::ColumnNotes column_notes(const flat::FlatSystem& flat);

/// The model's scene in motion; none if it has no scene. Errors as of move_scene.
std::optional<SceneMotion> scene_of_run(const compile::CompiledModel& model,
                                        const result::Trajectory& trajectory,
                                        const integrate::SimulateOptions& options = {},
                                        const MotionOptions& motion = {});

}  // namespace alembert::visual
