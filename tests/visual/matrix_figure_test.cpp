// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/matrix_figure.hpp"

#include <gtest/gtest.h>

#include "alembert/visual/structure_figure.hpp"

namespace alembert::visual {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

structure::Explanation two_blocks() {
  structure::Explanation e;
  e.model = "Two";
  e.as_written = {{"a = b", "b = 1", "c + a = 0"}, {"a", "b", "c"}, {}};
  e.as_written.entries.items = {0, 1, 1, 0, 2};
  e.as_written.entries.begin = {0, 2, 3, 5};
  e.ordered = {{"b = 1", "a = b", "c + a = 0"}, {"b", "a", "c"}, {}};
  e.ordered.entries.items = {0, 0, 1, 1, 2};
  e.ordered.entries.begin = {0, 1, 3, 5};
  using Kind = structure::Block::Kind;
  e.blocks = {{Kind::assign, {"b"}, {"b = 1"}, 0},
              {Kind::nonlinear, {"a", "c"}, {"a = b", "c + a = 0"}, 1}};
  return e;
}

TEST(MatrixFigure, blocks_and_tears_of_an_explanation) {
  const MatrixFigure figure = structure_figure(two_blocks());
  ASSERT_EQ(figure.matrices.size(), 2u);
  const MatrixPicture& ordered = figure.matrices[1];
  ASSERT_EQ(ordered.blocks.size(), 1u);  // single equations are not outlined
  EXPECT_EQ(ordered.blocks[0].first, 1u);
  EXPECT_EQ(ordered.blocks[0].size, 2u);
  ASSERT_EQ(ordered.marks.size(), 5u);
  EXPECT_EQ(ordered.marks[0].kind, MatrixMark::Kind::assigned);
  EXPECT_EQ(ordered.marks[1].kind, MatrixMark::Kind::entry);  // b in the block below
  EXPECT_EQ(ordered.marks[2].kind, MatrixMark::Kind::torn);
  EXPECT_EQ(ordered.marks[4].kind, MatrixMark::Kind::assigned);
}

TEST(MatrixFigure, tears_of_linear_blocks_are_not_iterated) {
  structure::Explanation linear = two_blocks();
  linear.blocks[1].kind = structure::Block::Kind::linear;
  EXPECT_EQ(structure_figure(linear).matrices[1].marks[2].kind, MatrixMark::Kind::torn_linear);
}

TEST(MatrixFigure, the_same_bytes_each_time_in_all_formats) {
  const MatrixFigure figure = structure_figure(two_blocks());
  for (const auto format : {PictureFormat::svg, PictureFormat::png, PictureFormat::pdf}) {
    const std::string bytes = render_matrix_figure(figure, format);
    EXPECT_GT(bytes.size(), 500u);
    if (format == PictureFormat::pdf) continue;  // has its time in it
    EXPECT_EQ(bytes, render_matrix_figure(figure, format));
  }
  EXPECT_GT(count(render_matrix_figure(figure, PictureFormat::svg), "<path"), 10u);
}

TEST(MatrixFigure, a_large_matrix_stays_a_small_picture_and_an_empty_one_is_drawn_too) {
  MatrixPicture large;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    large.row_names.push_back("e" + std::to_string(i));
    large.column_names.push_back("x" + std::to_string(i));
    large.marks.push_back({i, i});
  }
  const std::string png = render_matrix_figure({.matrices = {large}}, PictureFormat::png);
  const auto width =
      static_cast<unsigned char>(png[18]) * 256 + static_cast<unsigned char>(png[19]);
  EXPECT_LT(width, 1400);
  EXPECT_GT(render_matrix_figure({.matrices = {MatrixPicture{}}}, PictureFormat::svg).size(), 100u);
}

}  // namespace
}  // namespace alembert::visual
