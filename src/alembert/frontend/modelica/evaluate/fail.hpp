// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. The user's mistakes in expressions, with their place:
//   M201 not known at this stage        M202 wrong type            M203 wrong size
//   M204 wrong number of arguments      M205 unknown argument      M206 subscript out of range
//   M207 division by zero               M208 unknown name          M209 not supported
//   M210 too deep or too large          M211 assertion failed      M212 external function
//   M213 no value                       M214 cyclic definition     M215 table data
#pragma once

#include <string>

#include "alembert/frontend/modelica/syntax/source.hpp"

namespace alembert::modelica {

[[noreturn]] void fail(Place place, const char* code, std::string sentence,
                       std::vector<Note> notes = {});

}  // namespace alembert::modelica
