// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/text_call.hpp"

#include "alembert/base/message_text.hpp"
#include "alembert/base/text_number.hpp"

namespace alembert::symbolic {

namespace {

/// In front of the text in the name of its function. No function of a model has such a name.
constexpr std::string_view prefix = "text \"";

/// Texts change in steps: their numbers have no slope.
std::vector<FunctionId> no_slopes(ExprPool& pool, std::size_t arity) {
  const std::string name = "text without slope#" + std::to_string(arity);
  FunctionId zero = pool.find_function(name);
  if (!zero.valid())
    zero = pool.define_function(
        name, static_cast<std::uint32_t>(arity), [](std::span<const double>) { return 0.0; }, {},
        true);
  return std::vector(arity, zero);
}

}  // namespace

ExprId text_call(ExprPool& pool, const std::string& text, std::span<const ExprId> values) {
  const std::string name = std::string(prefix) + text + "\"";
  FunctionId function = pool.find_function(name);
  if (!function.valid()) {
    const auto arity = static_cast<std::uint32_t>(values.size());
    if (arity == 0) {
      const double number = number_of_text(text);
      function =
          pool.define_function(name, 0, [number](std::span<const double>) { return number; });
    } else {
      function = pool.define_function(
          name, arity,
          [text](std::span<const double> numbers) {
            return number_of_text(with_numbers(text, numbers));
          },
          no_slopes(pool, arity));
    }
  }
  return pool.call(function, values);
}

ExprId text_order(ExprPool& pool, ExprId a, ExprId b) {
  const std::string name = "order of texts";
  FunctionId function = pool.find_function(name);
  if (!function.valid())
    function = pool.define_function(
        name, 2,
        [](std::span<const double> numbers) {
          const int order = text_of_number(numbers[0]).compare(text_of_number(numbers[1]));
          return order < 0 ? -1.0 : order > 0 ? 1.0 : 0.0;
        },
        no_slopes(pool, 2));
  const ExprId arguments[] = {a, b};
  return pool.call(function, arguments);
}

std::optional<std::string> called_text(const ExprPool& pool, ExprId id) {
  if (pool.op(id) != Op::call) return std::nullopt;
  const std::string& name = pool.function(pool.function_of(id)).name;
  if (!name.starts_with(prefix)) return std::nullopt;
  return name.substr(prefix.size(), name.size() - prefix.size() - 1);
}

}  // namespace alembert::symbolic
