// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/inline_calls.hpp"

#include <algorithm>
#include <vector>

#include "alembert/symbolic/called_function.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::symbolic {

bool may_be_inlined(const ExprPool& pool, ExprId node) {
  if (pool.op(node) != Op::call) return false;
  const CalledFunction* called = CalledFunction::of(pool.function(pool.function_of(node)));
  return called != nullptr && called->tells_derivative();
}

ExprId inline_calls(ExprPool& pool, ExprId expression) {
  if (pool.functions().empty()) return expression;  // a million equations need not be read for it
  const Reach reach(pool, expression);
  if (std::ranges::none_of(reach.nodes(), [&](ExprId node) { return may_be_inlined(pool, node); }))
    return expression;
  std::vector<ExprId> images;  // [nodes reached]
  std::vector<ExprId> below;
  images.reserve(reach.size());
  for (const ExprId node : reach.nodes()) {
    below.clear();
    bool changed = false;
    for (const ExprId child : pool.children(node)) {
      below.push_back(images[reach.index_of(child)]);
      changed = changed || below.back() != child;
    }
    ExprId image = node;
    if (pool.op(node) == Op::call) {
      const FunctionId function = pool.function_of(node);
      ExprId inlined;
      if (may_be_inlined(pool, node))
        inlined = CalledFunction::of(pool.function(function))->as_expression(pool, function, below);
      if (inlined.valid())
        image = inlined;
      else if (changed)
        image = pool.call(function, below);
    } else if (changed) {
      image = pool.apply(pool.op(node), below);
    }
    images.push_back(image);
  }
  return images[reach.index_of(expression)];
}

}  // namespace alembert::symbolic
