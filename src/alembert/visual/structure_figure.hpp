// SPDX-License-Identifier: Apache-2.0
// Stage: visual. The structure of a model as a picture: its incidence as written, and after
// differentiation and ordering, with the blocks outlined. In: an Explanation. Out: a MatrixFigure.
#pragma once

#include "alembert/structure/explain.hpp"
#include "alembert/visual/matrix_figure.hpp"

namespace alembert::visual {

MatrixFigure structure_figure(const structure::Explanation& explanation);
/// Of a system that has no structure to explain: its incidence, with the part at fault marked.
MatrixFigure singular_figure(const flat::FlatSystem& flat);

}  // namespace alembert::visual
