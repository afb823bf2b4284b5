// SPDX-License-Identifier: Apache-2.0
// Stage: structure. How a block is solved. In: equations and unknowns of a strong component. Out: a
// Block: assigned where there is a closed form (one equation with a unique solution, or a small
// linear system whose pivots cannot vanish), else linear or nonlinear, and torn. An equation is
// asked about the unknowns that occur in it only, so that a large sparse block costs its entries.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/coefficients.hpp"
#include "alembert/structure/reduced_system.hpp"
#include "alembert/structure/sample_point.hpp"

namespace alembert::structure {

class BlockMaker {
 public:
  BlockMaker(const flat::FlatSystem& flat, const Structure& structure,
             const DifferentiatedSystem& system);

  /// unknowns: ascending. Blocks come in the order in which they are solved.
  Block make(std::span<const Index> equations, std::span<const Index> unknowns);

 private:
  Block solve(std::span<const Index> equations, std::span<const Index> unknowns);

  /// As many equations as unknowns.
  struct Component {
    std::span<const Index> equations;
    std::span<const Index> unknowns;

    std::size_t size() const { return unknowns.size(); }
  };
  struct Row {
    std::vector<Index> unknowns;  // places among the block's unknowns, ascending
    std::vector<ExprId> symbols;
    std::vector<Coefficient> coefficients;
  };

  bool assign_single(const Component& component, Block& block);
  Row read_row(Index equation, bool with_coefficients);
  bool is_linear(Index equation, const Row& row);
  bool assign_small_linear(const Component& component, Block& block);
  void tear_block(const Component& component, const std::vector<Row>& rows, Block& block);

  symbolic::ExprPool& pool_;
  const Structure& s_;
  const DifferentiatedSystem& system_;
  CoefficientReader reader_;
  SamplePoint sample_;
  std::vector<Index> place_;  // [n variables]: among the block's unknowns; none between blocks
};

}  // namespace alembert::structure
