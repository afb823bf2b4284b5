// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Text of expressions in which the numbers of some symbols stand for truth values:
// 0 for false, 1 for true. In: an id, and which symbols these are. Out: text in which `0 <> b` is
// b, and `if x > 1 then 1 else 0`, as the value of such a symbol, is x > 1: what somebody wrote who
// knows b as a Boolean. Plain text of `print` shows the numbers, since it is read back.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "alembert/symbolic/print.hpp"

namespace alembert::symbolic {

/// Whether a symbol, which is no pre(v), stands for a truth value.
using IsTruth = std::function<bool(ExprId symbol)>;

/// What an expression as a whole is: a number or condition, or a number that stands for a truth
/// value.
enum class Reading { plain, truth };

std::string to_text(const ExprPool& pool, ExprId id, Notation notation, const IsTruth& is_truth,
                    Reading reading = Reading::plain);
std::string to_short_text(const ExprPool& pool, ExprId id, const IsTruth& is_truth,
                          std::size_t max_length = 80, Reading reading = Reading::plain);

}  // namespace alembert::symbolic
