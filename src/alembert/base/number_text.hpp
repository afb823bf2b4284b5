// SPDX-License-Identifier: Apache-2.0
// Stage: base. Numbers as text: the shortest that reads back to the same value, and a short one for
// messages.
#pragma once

#include <string>

namespace alembert {

/// "0.1", "1e+300", "nan", "inf", "-inf": the shortest text that reads back to the same double.
std::string number_text(double value);

/// At most `digits` significant digits, for sentences: "12.3457".
std::string rounded_text(double value, int digits = 6);

}  // namespace alembert
