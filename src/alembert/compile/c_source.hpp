// SPDX-License-Identifier: Apache-2.0
// Stage: compile. The tape as C99: the third consumer. Self-contained (math.h only), compiles
// without warnings under -Wall -Wextra -pedantic. Arithmetic gives the same bits when the compiler
// does not contract (-ffp-contract=off); elementary functions are the C library's, so results
// differ there by a few ulp. In: a tape and a name. Out: a source text with
//   void NAME(const double* inputs, const double* parameters, double* outputs);
//
// Outputs may not overlap inputs or parameters. A user function `f` becomes an external function
// that whoever links the source provides, its context included:
//   double NAME_f(const double* arguments);
//   void NAME_f(const double* arguments, double* values);   with several outputs
// (characters that C does not know become underscores; a second function of that name gets _2, and
// so on). Long tapes are cut into functions of a few hundred operations, which compilers take in
// linear time; values that pass from one to another are kept on the stack.
#pragma once

#include <string>
#include <string_view>

#include "alembert/compile/tape.hpp"

namespace alembert::compile {

/// `name` must be an identifier of C.
std::string to_c_source(const Tape& tape, std::string_view name);

}  // namespace alembert::compile
