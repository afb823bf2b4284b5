// SPDX-License-Identifier: Apache-2.0
// Stage: compile. From expressions to a tape. In: canonical ids. Out: operations, with shared
// subexpressions computed once, sums and products shaped for fused multiply-add, small powers
// unrolled, divisions by a common divisor turned into one reciprocal. The order of operations
// follows the canonical order of terms, so it depends on the content of the expressions only. No
// recursion; linear in what is lowered.
#pragma once

#include <span>
#include <vector>

#include "alembert/compile/tape.hpp"
#include "alembert/symbolic/pool.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::compile {

/// Lowers expressions into a tape under construction, in as many calls as it takes (regions come in
/// between).
class Lowering {
 public:
  Lowering(const symbolic::ExprPool& pool, TapeBuilder& builder)
      : pool_(pool), builder_(builder), index_(pool) {}

  /// Says which value stands for a symbol, or for a whole subexpression.
  void bind(symbolic::ExprId expression, ValueId value);
  /// Values of expressions; conditions come as numbers 1 and 0. Error C001 names a symbol without a
  /// value.
  std::vector<ValueId> lower(std::span<const symbolic::ExprId> expressions);
  ValueId lower(symbolic::ExprId expression);

 private:
  struct Product;
  struct Term;
  struct Slot {
    ValueId value = no_value;  // not lowered yet
    std::uint32_t uses = 0;    // parents in the current batch
    bool needed = false;       // the node's own value is wanted, not only its parts
  };

  void collect(std::span<const symbolic::ExprId> roots);
  void mark_needed(std::span<const symbolic::ExprId> roots);
  void need(symbolic::ExprId id) { slot(id).needed = true; }
  void need_factors(symbolic::ExprId product);
  ValueId emit(symbolic::ExprId node);
  ValueId emit_sum(symbolic::ExprId node);
  ValueId emit_chunk(std::span<const Term> terms, bool& negative);
  ValueId emit_power(ValueId base, const symbolic::Number& exponent);
  ValueId unrolled(ValueId base, std::uint64_t exponent);
  ValueId emit_function(symbolic::ExprId node);
  Product product_of(symbolic::ExprId node);
  ValueId fold_factors(std::span<const ValueId> factors);
  ValueId emit_product(const Product& product);
  bool is_reciprocal(symbolic::ExprId id) const;
  bool is_fused_power(symbolic::ExprId id) const;
  Slot& slot(symbolic::ExprId id);
  ValueId value(symbolic::ExprId id) const;

  const symbolic::ExprPool& pool_;
  TapeBuilder& builder_;
  symbolic::NodeIndex index_;            // places in slots_
  std::vector<Slot> slots_;              // of all nodes met so far
  std::vector<symbolic::ExprId> batch_;  // nodes of the current call, ascending
};

/// A tape with inputs, parameters and outputs in the given order.
Tape lower(const symbolic::ExprPool& pool, std::span<const symbolic::ExprId> inputs,
           std::span<const symbolic::ExprId> parameters, std::span<const symbolic::ExprId> outputs);

}  // namespace alembert::compile
