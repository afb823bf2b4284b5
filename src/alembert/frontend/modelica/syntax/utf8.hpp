// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax. Is it UTF-8? (RFC 3629: no overlong forms, no surrogates.)
#pragma once

#include <cstddef>
#include <string_view>

namespace alembert::modelica {

/// Bytes of the character that the text begins with; 0 if it is none, or there is none.
std::size_t valid_character_length(std::string_view text);

/// The position of the first byte that belongs to no character; the size if all is well.
std::size_t first_invalid_byte(std::string_view text);

}  // namespace alembert::modelica
