// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/structure_figure.hpp"

#include "alembert/flat/wording.hpp"
#include "alembert/structure/singular_parts.hpp"

namespace alembert::visual {

namespace {

using structure::Explanation;

MatrixPicture as_written(const Explanation& explanation) {
  const auto& incidence = explanation.as_written;
  MatrixPicture picture{
      .title = "as written", .row_names = incidence.equations, .column_names = incidence.unknowns};
  for (std::uint32_t i = 0; i < incidence.entries.size(); ++i)
    for (const std::uint32_t j : incidence.entries[i]) picture.marks.push_back({i, j});
  return picture;
}

MatrixPicture ordered(const Explanation& explanation) {
  const auto& incidence = explanation.ordered;
  MatrixPicture picture{.title = explanation.differentiated.empty()
                                     ? "in solve order"
                                     : "differentiated, in solve order",
                        .row_names = incidence.equations,
                        .column_names = incidence.unknowns};
  std::vector<MatrixMark::Kind> inside(incidence.unknowns.size());
  std::vector<std::uint32_t> block_end(incidence.unknowns.size());
  std::uint32_t first = 0;
  for (const auto& block : explanation.blocks) {
    const auto size = static_cast<std::uint32_t>(block.unknowns.size());
    if (size > 1) picture.blocks.push_back({first, size});
    for (std::uint32_t k = 0; k < size; ++k) {
      inside[first + k] = k >= block.n_torn ? MatrixMark::Kind::assigned
                          : block.kind == structure::Block::Kind::linear
                              ? MatrixMark::Kind::torn_linear
                              : MatrixMark::Kind::torn;
      block_end[first + k] = first + size;
    }
    first += size;
  }
  for (std::uint32_t i = 0; i < incidence.entries.size(); ++i)
    for (const std::uint32_t j : incidence.entries[i])
      picture.marks.push_back(
          {i, j, block_end[i] == block_end[j] ? inside[j] : MatrixMark::Kind::entry});
  return picture;
}

}  // namespace

namespace {

std::string fault_title(const structure::SingularIncidence& incidence) {
  const auto n_equations = incidence.n_equations_at_fault;
  const auto n_unknowns = incidence.n_unknowns_at_fault;
  if (n_equations + n_unknowns == 0) return "as written";
  return (n_equations > n_unknowns   ? "too many equations, at fault first: "
          : n_equations < n_unknowns ? "too few equations, at fault first: "
                                     : "the part at fault first: ") +
         flat::counted(n_equations, "equation") + " for " + flat::counted(n_unknowns, "unknown");
}

}  // namespace

MatrixFigure structure_figure(const Explanation& explanation) {
  return {.title = explanation.model, .matrices = {as_written(explanation), ordered(explanation)}};
}

MatrixFigure singular_figure(const flat::FlatSystem& flat) {
  structure::SingularIncidence incidence = structure::singular_incidence(flat);
  MatrixPicture picture{.title = fault_title(incidence),
                        .row_names = std::move(incidence.equations),
                        .column_names = std::move(incidence.unknowns)};
  for (std::uint32_t i = 0; i < incidence.entries.size(); ++i)
    for (const std::uint32_t j : incidence.entries[i]) {
      const bool at_fault = i < incidence.n_equations_at_fault && j < incidence.n_unknowns_at_fault;
      picture.marks.push_back(
          {i, j, at_fault ? MatrixMark::Kind::at_fault : MatrixMark::Kind::entry});
    }
  return {.title = flat.name, .matrices = {std::move(picture)}};
}

}  // namespace alembert::visual
