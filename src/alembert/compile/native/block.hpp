// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. A block: a stretch of the tape (all of it, unless it is large) in the form
// that is scheduled and emitted. Leaves are no longer operations but homes; results leave by
// explicit stores. In: tape and layout. Out: nodes whose operands are local value ids.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/compile/native/home.hpp"
#include "alembert/compile/native/layout.hpp"
#include "alembert/compile/native/operands.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::native {

/// Operands a, b, c are local values, except:
///   store   a value, b index into Block::targets
///   call, call_many  a index into Tape::calls, b first frame slot of its results
///   solve   a index into Tape::regions, b first frame slot of its results
///   result  a the node that finds it (no_value if that ran in an earlier block), b frame slot
struct Node {
  TapeOp op;
  std::uint32_t a = no_value;
  std::uint32_t b = no_value;
  std::uint32_t c = no_value;
};

struct Block {
  std::vector<Node> nodes;    // value i is what nodes[i] makes
  std::vector<Home> imports;  // value nodes.size() + k is at imports[k] when the block starts
  std::vector<Home> targets;  // of the stores

  std::size_t n_values() const { return nodes.size() + imports.size(); }
};

/// How many of a, b, c are values to be read.
inline int operand_count(const Node& node) { return n_operands[static_cast<int>(node.op)]; }

/// Builds blocks of one tape; keeps its tables between blocks, so give each thread its own.
class BlockBuilder {
 public:
  BlockBuilder(const Tape& tape, const Layout& layout) : tape_(tape), layout_(layout) {}

  /// The instructions [chunk.begin, chunk.end), each `copies` times for as many groups side by
  /// side.
  Block build(const Layout::Chunk& chunk, std::uint32_t copies);

 private:
  struct LocalId {
    std::uint32_t stamp = 0;
    std::uint32_t id = 0;
  };

  std::uint32_t operand(ValueId value, std::uint32_t copy);
  std::uint32_t import(ValueId value, std::uint32_t copy);
  Home import_home(ValueId value, std::uint32_t copy) const;
  LocalId& local(ValueId value, std::uint32_t copy);
  void add(ValueId id, std::uint32_t copy);
  void add_store(std::uint32_t value, Home target);
  void add_arguments(const std::vector<ValueId>& values, std::uint32_t first_slot,
                     std::uint32_t copy);
  void add_site(ValueId id, std::uint32_t copy);
  void add_stores_of(ValueId id, std::uint32_t copy, std::size_t& next_output);
  void number_imports();

  const Tape& tape_;
  const Layout& layout_;
  Block block_;
  Layout::Chunk chunk_;
  std::uint32_t copies_ = 1;
  std::uint32_t stamp_ = 0;
  std::vector<LocalId> locals_;  // [code * copies]
};

}  // namespace alembert::compile::native
