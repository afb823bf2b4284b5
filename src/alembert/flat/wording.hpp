// SPDX-License-Identifier: Apache-2.0
// Stage: flat. Pieces of the sentences that diagnostics are made of. In: names, counts,
// expressions. Out: text short enough for a message, whatever the size of the model.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/flat/flat_system.hpp"

namespace alembert::flat {

/// 'name'
std::string in_quotes(std::string_view name);
/// "1 equation", "3 equations"
std::string counted(std::size_t n, std::string_view noun);
/// "a", "a and b", "a, b and c"; from the seventh on "a, b, c, d, e and 12 more"
std::string listed(std::span<const std::string> parts);
/// 'name' (file:line:column), as far as the place is known
std::string located(std::string_view name, const Origin& origin);
/// The shortest decimal that reads back to the same double; "infinite" and "not a number" in words.
std::string number_text(double value);
/// 'expression', cut where it is long
std::string expression_text(const FlatSystem& system, ExprId expression);
/// equation 'left = right', cut in the same way
std::string equation_text(const FlatSystem& system, const FlatEquation& equation);
/// The same of an equation at the ticks of a clock, where pre(x) is what was written previous(x);
/// without quotes and the word before them.
std::string clocked_text(const FlatSystem& system, ExprId left, ExprId right,
                         std::size_t max_length = 80);
/// F006 for a symbol that nobody declared; `where` reads "equation 'x = k'", perhaps with a count.
Diagnostic undeclared_symbol(const FlatSystem& system, ExprId symbol, const std::string& where,
                             const Origin& origin);
/// F009 for a parameter or start value (`what`) with symbols that vary during a run.
Diagnostic varying_definition(const FlatSystem& system, const std::string& what, ExprId value,
                              std::span<const ExprId> varying, const std::string& advice,
                              const Origin& origin);

}  // namespace alembert::flat
