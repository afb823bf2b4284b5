// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Expressions of one pool in another, their names behind a prefix. In: ids of
// `from`. Out: ids of `to`. Derivative chains and pre(x) stay what they are; functions are defined
// again.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

class Transplant {
 public:
  /// "x" becomes prefix + "x". Both pools outlive this.
  Transplant(const ExprPool& from, ExprPool& to, std::string prefix)
      : from_(from), to_(to), prefix_(std::move(prefix)) {}

  /// `symbol` becomes `image` instead of one with the prefix.
  void set(ExprId symbol, ExprId image) { image_.insert_or_assign(symbol, image); }
  ExprId operator()(ExprId expression);  ///< none stays none

 private:
  ExprId image_of_symbol(ExprId symbol);
  FunctionId image_of_function(FunctionId function);

  const ExprPool& from_;
  ExprPool& to_;
  std::string prefix_;
  // Looked up, never iterated.
  std::unordered_map<ExprId, ExprId> image_;
  std::unordered_map<std::uint32_t, FunctionId> functions_;
};

}  // namespace alembert::symbolic
