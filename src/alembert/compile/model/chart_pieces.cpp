// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/chart_pieces.hpp"

#include <algorithm>
#include <memory>

#include "alembert/graph/disjoint_sets.hpp"

namespace alembert::compile {

using structure::Block;
using structure::Index;

namespace {

/// Fewer unknowns than this are compiled sooner than they are cut up.
constexpr std::size_t least_unknowns = 24;
/// More pieces than this for each group of blocks that depend on each other are too small.
constexpr std::size_t most_pieces_each = 4;

/// Lists of blocks, each in solve order, one after the other.
std::vector<std::vector<Index>> cut(const std::vector<Block>& blocks,
                                    const structure::Structure& structure) {
  std::vector<Index> block_of(structure.variables.size(), structure::none);
  for (Index b = 0; b < blocks.size(); ++b)
    for (const Index v : blocks[b].unknowns()) block_of[v] = b;
  graph::DisjointSets joined(static_cast<Index>(blocks.size()));
  std::vector<char> is_lower(blocks.size(), 0);
  for (Index b = 0; b < blocks.size(); ++b)
    for (const Index e : blocks[b].equations()) {
      is_lower[b] |= structure.equations[e].derivative != structure::none;
      for (const Index v : structure.incidence[e])
        if (block_of[v] != structure::none) joined.unite(b, block_of[v]);
    }
  std::vector<std::vector<Index>> groups;
  std::vector<std::size_t> group_of(blocks.size(), blocks.size());
  for (Index b = 0; b < blocks.size(); ++b) {
    std::size_t& group = group_of[joined.find(b)];
    if (group == blocks.size()) {
      group = groups.size();
      groups.emplace_back();
    }
    groups[group].push_back(b);
  }
  std::vector<std::vector<Index>> pieces;
  for (const std::vector<Index>& group : groups) {
    std::vector<std::vector<Index>> runs;
    for (const Index b : group) {
      if (runs.empty() || is_lower[runs.back().back()] != is_lower[b]) runs.emplace_back();
      runs.back().push_back(b);
    }
    if (runs.size() > most_pieces_each) runs = {group};
    pieces.insert(pieces.end(), runs.begin(), runs.end());
  }
  return pieces;
}

ChartPieces::Key key_of(const std::vector<Block>& blocks) {
  ChartPieces::Key key;
  for (const Block& block : blocks) {
    key.push_back(static_cast<std::uint32_t>(block.kind));
    for (const auto* list : {&block.tears, &block.residuals}) {
      key.push_back(static_cast<std::uint32_t>(list->size()));
      key.insert(key.end(), list->begin(), list->end());
    }
    key.push_back(static_cast<std::uint32_t>(block.assignments.size()));
    for (const structure::Assignment& assignment : block.assignments)
      key.insert(key.end(), {assignment.unknown, assignment.equation, assignment.value.value});
  }
  return key;
}

ChartPiece make_piece(const ChartTapeRequest& request, const structure::Structure& structure,
                      std::vector<Block> blocks, Backend backend) {
  structure::ReducedSystem reduced;
  std::vector<char> is_found(structure.variables.size(), 0);
  std::vector<symbolic::ExprId> outputs;
  ChartPiece piece;
  for (const Block& block : blocks)
    for (const Index v : block.unknowns()) {
      is_found[v] = 1;
      outputs.push_back(request.differentiated.variables[v]);
      piece.targets.push_back(1 + request.place[v]);
    }
  // What other pieces have found is given here, as states are.
  for (Index v = 0; v < is_found.size(); ++v)
    if (!is_found[v] && request.place[v] < request.n_variables) reduced.states.push_back(v);
  reduced.blocks = std::move(blocks);
  piece.kernel = make_kernel(chart_tape({request.flat,
                                         request.differentiated,
                                         reduced,
                                         request.place,
                                         request.n_variables,
                                         {},
                                         request.constants},
                                        outputs),
                             backend);
  return piece;
}

/// A workspace begins with [time, variables...], then the outputs of a piece; the rest is that of
/// its kernel. All parts are aligned.
constexpr std::size_t aligned(std::size_t n) { return (n + 7) / 8 * 8; }

struct Sequence {
  std::vector<const ChartPiece*> pieces;
  Kernel last;
  std::vector<std::uint32_t> results;
  std::size_t n_inputs, n_outputs;
  std::size_t most_outputs = 0;

  static void run(const void* self, const double* inputs, const double* parameters, double* outputs,
                  double* workspace, std::size_t n_groups) {
    const auto& sequence = *static_cast<const Sequence*>(self);
    for (std::size_t g = 0; g < n_groups; ++g)
      sequence.run_one(inputs + g * sequence.n_inputs, parameters, outputs + g * sequence.n_outputs,
                       workspace);
  }

  void run_one(const double* inputs, const double* parameters, double* outputs,
               double* workspace) const {
    double* const point = workspace;
    double* const found = point + aligned(n_inputs);
    double* const rest = found + aligned(most_outputs);
    std::copy_n(inputs, n_inputs, point);
    for (const ChartPiece* piece : pieces) {
      piece->kernel(point, parameters, found, rest);
      for (std::size_t k = 0; k < piece->targets.size(); ++k) point[piece->targets[k]] = found[k];
    }
    if (last) return last(point, parameters, outputs, rest);
    for (std::size_t k = 0; k < results.size(); ++k) outputs[k] = point[results[k]];
  }
};

Kernel made(Sequence sequence, Kernel::Shape shape) {
  std::size_t most_work = sequence.last ? sequence.last.shape().workspace_size : 0;
  for (const ChartPiece* piece : sequence.pieces) {
    sequence.most_outputs = std::max(sequence.most_outputs, piece->targets.size());
    most_work = std::max(most_work, piece->kernel.shape().workspace_size);
  }
  sequence.n_inputs = shape.n_inputs;
  sequence.n_outputs = shape.n_outputs;
  shape.workspace_size = aligned(sequence.n_inputs) + aligned(sequence.most_outputs) + most_work;
  return Kernel(shape, Sequence::run, std::make_shared<const Sequence>(std::move(sequence)));
}

}  // namespace

std::vector<const ChartPiece*> ChartPieces::of(const ChartTapeRequest& request,
                                               const structure::Structure& structure,
                                               Backend backend) {
  const std::vector<Block>& all = request.reduced.blocks;
  std::size_t n_unknowns = 0;
  bool has_places = true;
  for (const Block& block : all) {
    n_unknowns += block.size();
    for (const Index v : block.unknowns())
      has_places = has_places && request.place[v] < request.n_variables;
  }
  if (n_unknowns < least_unknowns || !has_places) return {};
  std::vector<const ChartPiece*> pieces;
  for (const std::vector<Index>& list : cut(all, structure)) {
    std::vector<Block> blocks;
    for (const Index b : list) blocks.push_back(all[b]);
    auto key = key_of(blocks);
    auto piece = pieces_.find(key);
    if (piece == pieces_.end())
      piece =
          pieces_
              .emplace(std::move(key), make_piece(request, structure, std::move(blocks), backend))
              .first;
    pieces.push_back(&piece->second);
  }
  return pieces;
}

Kernel in_sequence(std::vector<const ChartPiece*> pieces, Kernel last) {
  const Kernel::Shape shape = last.shape();
  return made({std::move(pieces), std::move(last), {}, 0, 0}, shape);
}

Kernel in_sequence(std::vector<const ChartPiece*> pieces, std::vector<std::uint32_t> results,
                   Kernel::Shape shape) {
  shape.n_outputs = static_cast<std::uint32_t>(results.size());
  return made({std::move(pieces), {}, std::move(results), 0, 0}, shape);
}

}  // namespace alembert::compile
