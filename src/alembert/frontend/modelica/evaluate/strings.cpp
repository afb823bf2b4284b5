// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. String(...): values as text. What is not known becomes a
// placeholder that the run fills in.
#include <algorithm>
#include <string>

#include "alembert/base/message_text.hpp"
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

namespace {

struct TextFormat {
  std::int64_t minimum_length = 0;
  bool left_justified = true;
  std::int64_t significant_digits = 6;
  std::string format;
};

/// The width as texts of messages have it.
std::int64_t width_of(const TextFormat& format) {
  const std::int64_t width = std::clamp<std::int64_t>(format.minimum_length, 0, 400);
  return format.left_justified ? width : -width;
}

/// One conversion of printf for a double or an integer, without the '%', such as "-12.5g".
bool is_conversion(std::string_view format, std::string_view letters) {
  const std::size_t last = format.find_first_not_of("+-# 0123456789.");
  return last != std::string_view::npos && last + 1 == format.size() &&
         letters.find(format[last]) != std::string_view::npos && format.size() < 20;
}

/// How a number becomes text, as messages say it (base/message_text).
std::string how_number(const TextFormat& format, bool is_real, Place place) {
  if (format.format.empty()) {
    const std::int64_t width = width_of(format);
    const std::string blanks =
        width == 0 ? "" : std::to_string(-width);  // printf's is the other way
    if (!is_real) return "%" + blanks + ".0f";
    const auto digits = std::clamp<std::int64_t>(format.significant_digits, 1, 40);
    return "%" + blanks + "." + std::to_string(digits) + "g";
  }
  if (is_conversion(format.format, "fFeEgG")) return "%" + format.format;
  if (is_conversion(format.format, "dixXouc")) {
    std::string real = format.format;
    real.back() = 'f';
    if (real.find('.') == std::string::npos) real.insert(real.size() - 1, ".0");
    return "%" + real;
  }
  fail(place, "M202", "'" + format.format + "' is not a format for a number, such as \".4g\".");
}

/// The words that stand for the numbers 0, 1, ... of a Boolean or an enumeration.
std::vector<std::string> words_of(const Value& value) {
  if (value.kind == ValueKind::boolean) return {"false", "true"};
  std::vector<std::string> words = {""};
  for (const Name literal : value.enumeration->literals) words.push_back(literal.string());
  return words;
}

}  // namespace

Value Evaluation::string_of(const CallSite& site) {
  if (site.n_arguments() == 0)
    fail(site.place(), "M204", "'String' needs the value that is to become text.");
  const Value value = evaluate(*site.expression.operands[0], site.scope);
  if (value.kind == ValueKind::string) return value;
  if (value.kind == ValueKind::record && value.record) {
    std::vector<Argument> given = arguments(site.expression, site.scope);
    if (auto text = overloaded_call(*value.record->type, "'String'", given, site.place())) {
      if (text->kind != ValueKind::string)
        fail(site.place(), "M202",
             "the operator 'String' of '" + value.record->name + "' gives " + type_text(*text) +
                 ", but it must give a String.");
      return std::move(*text);
    }
  }
  if (!value.has_scalars() || !value.is_scalar())
    fail(site.place(), "M202", "there is no text for a value of type " + type_text(value) + ".");

  TextFormat format;
  const auto option = [&](const Expression& expression, std::string_view name) {
    const Value given = constant(expression, site.scope);
    if (name == "format")
      format.format = given.texts.empty() ? "" : given.texts[0].text;
    else if (given.scalars.empty())
      fail(expression.place, "M202", "this option needs a number.");
    else if (name == "minimumLength")
      format.minimum_length = static_cast<std::int64_t>(*scalars.number(given.scalar()));
    else if (name == "significantDigits")
      format.significant_digits = static_cast<std::int64_t>(*scalars.number(given.scalar()));
    else if (name == "leftJustified")
      format.left_justified = *scalars.number(given.scalar()) != 0;
    else
      fail(expression.place, "M205", "'String' has no argument '" + std::string(name) + "'.");
  };
  const bool is_real = value.kind == ValueKind::real;
  constexpr std::string_view of_real[] = {"significantDigits", "minimumLength", "leftJustified"};
  constexpr std::string_view of_others[] = {"minimumLength", "leftJustified"};
  for (std::size_t k = 1; k < site.n_arguments(); ++k) {
    const Expression& expression = *site.expression.operands[k];
    const bool is_format = k == 1 && evaluate(expression, site.scope).kind == ValueKind::string;
    if (is_format)
      option(expression, "format");
    else if (is_real && k <= 3)
      option(expression, of_real[k - 1]);
    else if (!is_real && k <= 2)
      option(expression, of_others[k - 1]);
    else
      fail(expression.place, "M204", "too many arguments for 'String'.");
  }
  for (const NamedArgument& named : site.expression.named) option(*named.value, named.name.text());

  const bool has_words = !value.is_numeric();
  const std::vector<std::string> words = has_words ? words_of(value) : std::vector<std::string>{};
  const std::string how = has_words ? choice_of_words(words, width_of(format))
                                    : how_number(format, is_real, site.place());
  if (const auto number = scalars.number(value.scalar())) {
    if (!has_words) return string_value(written(*number, how));
    const auto k = static_cast<std::size_t>(*number);
    return string_value(padded(k < words.size() ? words[k] : "", width_of(format)));
  }
  Value text = string_value(mark_text(1, how == "%.6g" ? "" : how));  // as messages have it
  text.texts[0].values.push_back(value.kind == ValueKind::boolean
                                     ? scalars.number_of_condition(value.scalar())
                                     : value.scalar());
  return text;
}

}  // namespace alembert::modelica
