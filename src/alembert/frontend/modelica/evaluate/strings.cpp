// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. String(...): values as text. What is not known becomes a
// placeholder that the run fills in.
#include <cstdio>
#include <string>

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

std::string padded(std::string text, const TextFormat& format) {
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(format.minimum_length, 0));
  if (text.size() >= wanted) return text;
  const std::string blanks(wanted - text.size(), ' ');
  return format.left_justified ? text + blanks : blanks + text;
}

/// One conversion of printf for a double or an integer, without the '%', such as "-12.5g".
bool is_conversion(std::string_view format, std::string_view letters) {
  const std::size_t last = format.find_first_not_of("+-# 0123456789.");
  return last != std::string_view::npos && last + 1 == format.size() &&
         letters.find(format[last]) != std::string_view::npos && format.size() < 20;
}

std::string formatted(const std::string& format, double value) {
  char buffer[512];
  const int length = std::snprintf(buffer, sizeof buffer, ("%" + format).c_str(), value);
  return std::string(buffer, static_cast<std::size_t>(std::clamp(length, 0, 511)));
}

std::string real_text(double value, const TextFormat& format, Place place) {
  if (format.format.empty()) {
    const auto digits = std::clamp<std::int64_t>(format.significant_digits, 1, 40);
    return padded(formatted("." + std::to_string(digits) + "g", value), format);
  }
  if (is_conversion(format.format, "fFeEgG")) return formatted(format.format, value);
  if (is_conversion(format.format, "dixXouc")) {
    std::string real = format.format;
    real.back() = 'f';
    if (real.find('.') == std::string::npos) real.insert(real.size() - 1, ".0");
    return formatted(real, value);
  }
  fail(place, "M202", "'" + format.format + "' is not a format for a number, such as \".4g\".");
}

}  // namespace

Value Evaluation::string_of(const CallSite& site) {
  if (site.n_arguments() == 0)
    fail(site.place(), "M204", "'String' needs the value that is to become text.");
  const Value value = evaluate(*site.expression.operands[0], site.scope);
  if (value.kind == ValueKind::string) return value;
  if (value.kind == ValueKind::record && value.record) {
    std::vector<Argument> given = arguments(site.expression, site.scope);
    if (auto text = overloaded_call(*value.record->type, "'String'", given, site.place()))
      return std::move(*text);
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

  const auto number = scalars.number(value.scalar());
  if (!number) {
    Value text = string_value("{1}");
    const ExprId shown = value.kind == ValueKind::boolean
                             ? scalars.number_of_condition(value.scalar())
                             : value.scalar();
    text.texts[0].values.push_back(shown);
    return text;
  }
  switch (value.kind) {
    case ValueKind::boolean: return string_value(padded(*number != 0 ? "true" : "false", format));
    case ValueKind::enumeration: {
      const auto& literals = value.enumeration->literals;
      const auto k = static_cast<std::size_t>(*number) - 1;
      std::string name = k < literals.size() ? literals[k].string() : "";
      return string_value(padded(std::move(name), format));
    }
    case ValueKind::integer:
      if (format.format.empty())
        return string_value(padded(std::to_string(static_cast<std::int64_t>(*number)), format));
      [[fallthrough]];
    default: return string_value(real_text(*number, format, site.place()));
  }
}

}  // namespace alembert::modelica
