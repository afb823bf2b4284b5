// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

namespace {

// Sorted, for a binary search. Specification, chapters 3.7, 8, 9, 10, 11, 15, 16, 17.
constexpr auto builtin_names = std::to_array<std::string_view>({
    // clang-format off
    "Connections", "Subtask", "abs", "acos", "activeState", "actualStream", "array", "asin", "assert",
    "atan", "atan2", "backSample", "cardinality", "cat", "ceil", "change", "connect", "constructor",
    "cos", "cosh", "cross", "delay", "der", "diagonal", "div", "edge", "exp", "fill",
    "firstTick", "floor", "getInstanceName", "hold", "homotopy", "identity", "inStream", "initial",
    "initialState", "integer", "interval", "linspace", "log", "log10", "matrix", "max", "min", "mod",
    "ndims", "noClock", "noEvent", "ones", "outerProduct", "pre", "previous", "product", "promote",
    "pure", "reinit", "rem", "rooted", "sample", "scalar", "semiLinear", "shiftSample", "sign", "sin",
    "sinh", "size", "skew", "smooth", "spatialDistribution", "sqrt", "subSample", "sum", "superSample",
    "symmetric", "tan", "tanh", "terminal", "terminate", "ticksInState", "time", "timeInState",
    "transition", "transpose", "vector", "zeros",
    // clang-format on
});
static_assert(std::is_sorted(builtin_names.begin(), builtin_names.end()));

}  // namespace

std::span<const std::string_view> all_builtin_names() { return builtin_names; }

bool is_builtin_name(Name name) {
  return std::binary_search(builtin_names.begin(), builtin_names.end(), name.text());
}

}  // namespace alembert::modelica
