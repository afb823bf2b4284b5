// SPDX-License-Identifier: Apache-2.0
// Stage: base. Texts that a run works with, as numbers, since a run knows nothing else. In: a text.
// Out: its number, a whole one that a double holds exactly and that is the same in every process,
// and back. Equal numbers are equal texts; their order says nothing. The empty text is 0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alembert {

/// Remembers the text, so that `text_of_number` finds it again. Safe in several threads.
double number_of_text(std::string_view text);

/// The empty text where no text has that number.
std::string text_of_number(double number);

/// All that are remembered, in order: what a run that goes on in another process has to know.
std::vector<std::string> remembered_texts();

}  // namespace alembert
