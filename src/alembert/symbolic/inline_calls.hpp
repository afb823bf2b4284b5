// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Calls that tell their own derivatives, written out once all derivatives were
// made (InlineAfterIndexReduction). In: an expression. Out: one with the same values, in which
// arguments that a function ignores do not occur.
#pragma once

#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

/// True for a call that inline_calls may write out.
bool may_be_inlined(const ExprPool& pool, ExprId node);
ExprId inline_calls(ExprPool& pool, ExprId expression);

}  // namespace alembert::symbolic
