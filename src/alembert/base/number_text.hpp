// SPDX-License-Identifier: Apache-2.0
// Stage: base. Numbers as text: the shortest that reads back to the same value, and a short one for
// messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace alembert {

/// "0.1", "1e+300", "nan", "inf", "-inf": the shortest text that reads back to the same double.
std::string number_text(double value);

inline constexpr std::size_t longest_number_text = 24;  // "-1.7976931348623157e+308"

/// The same into a buffer, for inner loops.
std::string_view number_text(double value, std::span<char, longest_number_text> buffer);

/// At most `digits` significant digits, for sentences: "12.3457".
std::string rounded_text(double value, int digits = 6);

}  // namespace alembert
