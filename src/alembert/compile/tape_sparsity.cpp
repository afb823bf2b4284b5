// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "alembert/compile/tape_derivative.hpp"

namespace alembert::compile {
namespace {

/// Sets of columns, made by union only; equal arguments give the same set without making one.
class ColumnSets {
 public:
  using Id = std::uint32_t;  // 0: empty

  Id single(std::uint32_t column) { return store({column}); }

  Id merged(Id a, Id b) {
    if (a == b || b == 0) return a;
    if (a == 0) return b;
    const auto &x = sets_[a], &y = sets_[b];
    if (std::includes(x.begin(), x.end(), y.begin(), y.end())) return a;
    if (std::includes(y.begin(), y.end(), x.begin(), x.end())) return b;
    std::vector<std::uint32_t> both;
    std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
    return store(std::move(both));
  }

  const std::vector<std::uint32_t>& operator[](Id id) const { return sets_[id]; }

 private:
  Id store(std::vector<std::uint32_t> set) {
    sets_.push_back(std::move(set));
    return static_cast<Id>(sets_.size() - 1);
  }

  std::vector<std::vector<std::uint32_t>> sets_ = {{}};
};

}  // namespace

ColumnSparsity tape_sparsity(const Tape& tape, std::span<const std::uint32_t> inputs) {
  std::vector<std::uint32_t> column_of(tape.n_inputs, no_value);
  for (std::uint32_t k = 0; k < inputs.size(); ++k) column_of[inputs[k]] = k;
  ColumnSets sets;
  std::vector<ColumnSets::Id> depends(tape.code.size(), 0);
  const auto of_all = [&](const std::vector<ValueId>& values) {
    ColumnSets::Id all = 0;
    for (const ValueId value : values) all = sets.merged(all, depends[value]);
    return all;
  };
  for (std::size_t id = 0; id < tape.code.size(); ++id) {
    const auto& [op, a, b, c] = tape.code[id];
    switch (op) {
      case TapeOp::input:
        if (column_of[a] != no_value) depends[id] = sets.single(column_of[a]);
        break;
      case TapeOp::parameter:
      case TapeOp::constant: break;
      case TapeOp::call:
      case TapeOp::call_many: depends[id] = of_all(tape.calls[a].arguments); break;
      case TapeOp::solve: depends[id] = of_all(tape.regions[a].captured); break;
      default: {
        const int n = n_value_operands(op);
        if (n > 0) depends[id] = depends[a];
        if (n > 1) depends[id] = sets.merged(depends[id], depends[b]);
        if (n > 2) depends[id] = sets.merged(depends[id], depends[c]);
      }
    }
  }
  std::vector<std::vector<std::uint32_t>> rows(inputs.size());
  for (std::uint32_t i = 0; i < tape.outputs.size(); ++i)
    for (const std::uint32_t column : sets[depends[tape.outputs[i]]]) rows[column].push_back(i);
  ColumnSparsity result;
  for (const auto& column : rows) {
    result.row.insert(result.row.end(), column.begin(), column.end());
    result.column_start.push_back(static_cast<std::uint32_t>(result.row.size()));
  }
  return result;
}

}  // namespace alembert::compile
