// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/unit.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

namespace alembert {

namespace {

struct Symbol {
  std::string_view name;
  std::array<std::int8_t, 7> powers;  // m kg s A K mol cd
  double factor = 1;
  bool prefixed = true;
  double offset = 0;
  std::int8_t angles = 0;
};

constexpr double pi = std::numbers::pi;

// clang-format off
constexpr Symbol symbols[] = {
    {"m", {1}}, {"g", {0, 1}, 1e-3}, {"s", {0, 0, 1}}, {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}}, {"mol", {0, 0, 0, 0, 0, 1}}, {"cd", {0, 0, 0, 0, 0, 0, 1}},
    {"rad", {}, 1, true, 0, 1}, {"sr", {}}, {"Hz", {0, 0, -1}}, {"Bq", {0, 0, -1}},
    {"N", {1, 1, -2}}, {"Pa", {-1, 1, -2}}, {"J", {2, 1, -2}}, {"W", {2, 1, -3}},
    {"C", {0, 0, 1, 1}}, {"V", {2, 1, -3, -1}}, {"F", {-2, -1, 4, 2}}, {"Ohm", {2, 1, -3, -2}},
    {"S", {-2, -1, 3, 2}}, {"Wb", {2, 1, -2, -1}}, {"T", {0, 1, -2, -1}}, {"H", {2, 1, -2, -2}},
    {"lm", {0, 0, 0, 0, 0, 0, 1}}, {"lx", {-2, 0, 0, 0, 0, 0, 1}},
    {"Gy", {2, 0, -2}}, {"Sv", {2, 0, -2}}, {"kat", {0, 0, -1, 0, 0, 1}},
    {"VA", {2, 1, -3}}, {"var", {2, 1, -3}}, {"eV", {2, 1, -2}, 1.602176634e-19},
    {"l", {3}, 1e-3}, {"L", {3}, 1e-3}, {"t", {0, 1}, 1e3}, {"bar", {-1, 1, -2}, 1e5},
    {"degC", {0, 0, 0, 0, 1}, 1, false, 273.15},
    {"degF", {0, 0, 0, 0, 1}, 5.0 / 9, false, 273.15 - 32 * 5.0 / 9},
    {"degRk", {0, 0, 0, 0, 1}, 5.0 / 9, false},
    {"deg", {}, pi / 180, false, 0, 1}, {"rev", {}, 2 * pi, false, 0, 1},
    {"rpm", {0, 0, -1}, pi / 30, false, 0, 1},
    {"min", {0, 0, 1}, 60, false}, {"h", {0, 0, 1}, 3600, false}, {"d", {0, 0, 1}, 86400, false},
    {"ha", {2}, 1e4, false}, {"atm", {-1, 1, -2}, 101325, false},
    {"mmHg", {-1, 1, -2}, 133.322387415, false}, {"kn", {1, 0, -1}, 1852.0 / 3600, false},
    {"%", {}, 0.01, false}, {"1", {}, 1, false},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {
    {"da", 1e1}, {"y", 1e-24}, {"z", 1e-21}, {"a", 1e-18}, {"f", 1e-15}, {"p", 1e-12}, {"n", 1e-9},
    {"u", 1e-6}, {"m", 1e-3}, {"c", 1e-2}, {"d", 1e-1}, {"h", 1e2}, {"k", 1e3}, {"M", 1e6},
    {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18}, {"Z", 1e21}, {"Y", 1e24},
};
// clang-format on

const Symbol* find_symbol(std::string_view name) {
  for (const Symbol& symbol : symbols)
    if (symbol.name == name) return &symbol;
  return nullptr;
}

Unit unit_of(const Symbol& symbol, double prefix = 1) {
  return {.powers = symbol.powers,
          .factor = symbol.factor * prefix,
          .offset = symbol.offset,
          .angles = symbol.angles};
}

std::optional<Unit> symbol_unit(std::string_view name) {
  if (const Symbol* symbol = find_symbol(name)) return unit_of(*symbol);
  for (const Prefix& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) continue;
    const Symbol* symbol = find_symbol(name.substr(prefix.name.size()));
    if (symbol != nullptr && symbol->prefixed) return unit_of(*symbol, prefix.factor);
  }
  return std::nullopt;
}

bool is_exponent(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+'; }

/// "m2", "s-1".
std::optional<Unit> parse_factor(std::string_view text) {
  if (text == "1") return Unit{};
  std::size_t n = text.size();
  while (n > 0 && is_exponent(text[n - 1])) --n;
  const std::optional<Unit> base = symbol_unit(text.substr(0, n));
  if (!base || n == text.size()) return base;
  std::string_view digits = text.substr(n);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int exponent = 0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (problem != std::errc{} || end != digits.data() + digits.size() || std::abs(exponent) > 9)
    return std::nullopt;
  return power(*base, exponent);
}

/// "kg.m2".
std::optional<Unit> parse_product(std::string_view text) {
  Unit product;
  bool first = true;
  while (true) {
    const std::size_t dot = text.find('.');
    const std::optional<Unit> factor = parse_factor(text.substr(0, dot));
    if (!factor) return std::nullopt;
    product = first ? *factor : product * *factor;
    first = false;
    if (dot == std::string_view::npos) return product;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::optional<Unit> above = parse_product(text.substr(0, slash));
  if (!above || slash == std::string_view::npos) return above;
  std::string_view below = text.substr(slash + 1);
  if (below.starts_with('(') && below.ends_with(')'))
    below = below.substr(1, below.size() - 2);
  else if (below.find('.') != std::string_view::npos)
    return std::nullopt;  // what is below would be a matter of taste
  const std::optional<Unit> divisor = parse_product(below);
  if (!divisor) return std::nullopt;
  return *above / *divisor;
}

Unit operator*(const Unit& a, const Unit& b) {
  Unit product{.factor = a.factor * b.factor,
               .angles = static_cast<std::int8_t>(a.angles + b.angles)};
  for (std::size_t i = 0; i < product.powers.size(); ++i)
    product.powers[i] = static_cast<std::int8_t>(a.powers[i] + b.powers[i]);
  return product;
}

Unit operator/(const Unit& a, const Unit& b) {
  Unit quotient{.factor = a.factor / b.factor,
                .angles = static_cast<std::int8_t>(a.angles - b.angles)};
  for (std::size_t i = 0; i < quotient.powers.size(); ++i)
    quotient.powers[i] = static_cast<std::int8_t>(a.powers[i] - b.powers[i]);
  return quotient;
}

std::optional<Unit> power(const Unit& unit, int numerator, int denominator) {
  constexpr int largest = 100;
  Unit result{.factor = std::pow(unit.factor, static_cast<double>(numerator) / denominator),
              .angles = static_cast<std::int8_t>(unit.angles * numerator / denominator)};
  for (std::size_t i = 0; i < result.powers.size(); ++i) {
    const int total = unit.powers[i] * numerator;
    if (total % denominator != 0 || std::abs(total / denominator) > largest) return std::nullopt;
    result.powers[i] = static_cast<std::int8_t>(total / denominator);
  }
  return result;
}

std::string base_unit_text(const Unit& unit) {
  constexpr std::string_view names[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
  constexpr std::size_t order[] = {1, 0, 2, 3, 4, 5, 6};  // kg first, as one writes it
  std::string above;
  std::string below;
  int n_below = 0;
  for (const std::size_t i : order) {
    const int exponent = unit.powers[i];
    if (exponent == 0) continue;
    std::string& side = exponent > 0 ? above : below;
    if (exponent < 0) ++n_below;
    if (!side.empty()) side += '.';
    side += names[i];
    if (std::abs(exponent) != 1) side += std::to_string(std::abs(exponent));
  }
  if (above.empty()) above = "1";
  if (n_below == 0) return above;
  return above + "/" + (n_below > 1 ? "(" + below + ")" : below);
}

double converted(double value, const Unit& from, const Unit& to) {
  return (from.factor * value + from.offset - to.offset) / to.factor;
}

}  // namespace alembert
