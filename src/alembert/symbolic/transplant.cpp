// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/transplant.hpp"

#include "alembert/symbolic/traverse.hpp"

namespace alembert::symbolic {

ExprId Transplant::operator()(ExprId expression) {
  if (!expression.valid()) return expression;
  std::vector<ExprId> below;
  const Reach reach(from_, expression);
  for (const ExprId node : reach.nodes()) {
    if (image_.contains(node)) continue;
    below.clear();
    for (const ExprId child : from_.children(node)) below.push_back(image_.at(child));
    ExprId image;
    switch (from_.op(node)) {
      case Op::number: image = to_.number(from_.number_of(node)); break;
      case Op::truth: image = to_.truth(from_.truth_of(node)); break;
      case Op::symbol: image = image_of_symbol(node); break;
      case Op::call: image = to_.call(image_of_function(from_.function_of(node)), below); break;
      default: image = to_.apply(from_.op(node), below);
    }
    image_.emplace(node, image);
  }
  return image_.at(expression);
}

ExprId Transplant::image_of_symbol(ExprId id) {
  const Symbol& symbol = from_.symbol_of(id);
  if (symbol.kind == SymbolKind::time) return to_.time();
  if (symbol.previous_of.valid()) return to_.previous_symbol((*this)(symbol.previous_of));
  if (symbol.order == 0) return to_.symbol(symbol.kind, prefix_ + symbol.name);
  ExprId image = (*this)(symbol.base);
  for (std::uint32_t i = 0; i < symbol.order; ++i) image = to_.derivative_symbol(image);
  return image;
}

/// The outputs of a family stay together.
FunctionId Transplant::image_of_function(FunctionId id) {
  const auto known = functions_.find(id.value);
  if (known != functions_.end()) return known->second;
  const std::uint32_t first = id.value - from_.function(id).output;
  const std::uint32_t n = from_.function(id).n_outputs;
  std::vector<UserFunction> family;
  for (std::uint32_t k = 0; k < n; ++k) {
    UserFunction& function = family.emplace_back(from_.function({first + k}));
    function.name = prefix_ + function.name;
    if (!function.family.empty()) function.family = prefix_ + function.family;
    for (FunctionId& partial : function.partials)
      if (partial.valid()) partial = image_of_function(partial);
  }
  for (std::uint32_t k = 0; k < n; ++k)
    functions_.emplace(first + k, to_.define_function(std::move(family[k])));
  return functions_.at(id.value);
}

}  // namespace alembert::symbolic
