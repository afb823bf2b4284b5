// SPDX-License-Identifier: Apache-2.0
// Stage: base. Texts that show numbers of a run. In: a text with marks, "{1}", "{2}", ..., one for
// each number, or "{1:how}" with how it is written. Out: the text with the numbers in place.
//
// `how` is a conversion of printf for a double ("%-8.3f"), or a choice of words by number, counted
// from 0, behind the width to which they are filled up ("8|false|true", "-8|false|true" from the
// left), or "text" where the number stands for a text (text_number.hpp); without it a number is
// rounded to six digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace alembert {

struct Mark {
  std::size_t at = 0;  ///< where it begins
  std::size_t size = 0;
  std::string_view how = {};  ///< of the text that was looked at
};

/// The mark of that number, counted from 1, at or behind `from`.
std::optional<Mark> find_mark(std::string_view text, std::size_t number, std::size_t from = 0);

std::string mark_text(std::size_t number, std::string_view how);

/// How words are written by number; empty where they cannot stand in a mark.
std::string choice_of_words(std::span<const std::string> words, std::int64_t width);

/// `text` filled up with blanks to the width, at its end, or where the width is negative before it.
std::string padded(std::string text, std::int64_t width);

/// The number as `how` says.
std::string written(double number, std::string_view how);

/// All marks filled in; those without a number stay.
std::string with_numbers(std::string_view text, std::span<const double> numbers);

}  // namespace alembert
