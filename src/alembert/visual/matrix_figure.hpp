// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Pictures of sparse matrices: which unknown is in which equation, before and after
// ordering. In: names, marks and outlined blocks as plain data. Out: SVG, PNG or PDF. Names are
// written while there is room for them; a large matrix becomes a map of its marks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "alembert/visual/canvas.hpp"
#include "alembert/visual/write_figure.hpp"

namespace alembert::visual {

struct MatrixMark {
  enum class Kind {
    entry,        ///< the unknown is in the equation
    assigned,     ///< ... and the equation determines it
    torn,         ///< ... and it is found by iteration
    torn_linear,  ///< ... and it is solved for first, of a linear block
    not_linear,   ///< the unknown is in the equation, not linearly
    at_fault,     ///< ... of a part with too many equations, or too few
  };

  std::uint32_t row = 0;
  std::uint32_t column = 0;
  Kind kind = Kind::entry;
};

/// A square on the diagonal: rows and columns `first` to `first + size - 1`.
struct MatrixBlock {
  std::uint32_t first = 0;
  std::uint32_t size = 1;
};

struct MatrixPicture {
  std::string title = {};
  std::vector<std::string> row_names = {};
  std::vector<std::string> column_names = {};
  std::vector<MatrixMark> marks = {};
  std::vector<MatrixBlock> blocks = {};
};

/// Matrices side by side.
struct MatrixFigure {
  std::string title = {};
  std::vector<MatrixPicture> matrices = {};
  std::string font = "sans-serif";
};

std::string render_matrix_figure(const MatrixFigure& figure, PictureFormat format,
                                 const RenderOptions& options = {});

/// Errors as of write_figure.
void write_matrix_figure(const MatrixFigure& figure, const std::filesystem::path& path,
                         const RenderOptions& options = {});

}  // namespace alembert::visual
