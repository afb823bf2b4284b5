// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/names.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "alembert/base/characters.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

namespace {

using Word = std::string_view;

constexpr Word reserved_words[] = {"and", "der", "else", "elseif", "false", "if",
                                   "inf", "nan", "not",  "or",     "then",  "true"};

/// Keywords of C99, and what <math.h> and the helpers of `c_prelude` define.
// clang-format off
constexpr Word c_words[] = {
    "acos", "acosh", "alembert_mod", "alembert_semi_linear", "alembert_sign", "asin", "asinh",
    "atan", "atan2", "atanh", "auto", "break", "case", "cbrt", "ceil", "char", "const",
    "continue", "copysign", "cos", "cosh", "default", "do", "double", "else", "enum", "erf",
    "erfc", "exp", "exp2", "expm1", "extern", "fabs", "fdim", "float", "floor", "fma", "fmax",
    "fmin", "fmod", "for", "fpclassify", "frexp", "gamma", "goto", "hypot", "if", "ilogb",
    "inline", "int", "isfinite", "isinf", "isnan", "isnormal", "j0", "j1", "jn", "ldexp",
    "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "long", "lrint",
    "lround", "main", "modf", "nan", "nearbyint", "nextafter", "nexttoward", "pow", "register",
    "remainder", "remquo", "restrict", "return", "rint", "round", "scalbln", "scalbn", "short",
    "signbit", "signed", "signgam", "sin", "sinh", "sizeof", "sqrt", "static", "struct", "switch",
    "tan", "tanh", "tgamma", "trunc", "typedef", "union", "unsigned", "void", "volatile", "while",
    "y0", "y1", "yn", "HUGE_VAL", "INFINITY", "NAN"};
// clang-format on

constexpr Word greek_letters[] = {"alpha", "beta",  "gamma",   "delta",  "epsilon", "zeta",   "eta",
                                  "theta", "iota",  "kappa",   "lambda", "mu",      "nu",     "xi",
                                  "pi",    "rho",   "sigma",   "tau",    "upsilon", "phi",    "chi",
                                  "psi",   "omega", "Gamma",   "Delta",  "Theta",   "Lambda", "Xi",
                                  "Pi",    "Sigma", "Upsilon", "Phi",    "Psi",     "Omega"};

bool is_one_of(std::span<const Word> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::string_view escape_letters = "abfnrtv";
constexpr std::string_view escaped_bytes = "\a\b\f\n\r\t\v";

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string hex(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {digits[byte >> 4], digits[byte & 15]};
}

/// The first component of a path, without subscripts.
std::string_view first_identifier(std::string_view path) {
  std::size_t length = 0;
  while (length < path.size() && continues_identifier(path[length])) ++length;
  return path.substr(0, length);
}

bool is_path(std::string_view name) {
  const PathScan scan = scan_path(name);
  return scan.expected == nullptr && scan.length == name.size();
}

}  // namespace

bool starts_identifier(char c) {
  return is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool continues_identifier(char c) { return starts_identifier(c) || is_digit(c); }

PathScan scan_path(std::string_view text, bool allow_spaces_in_subscripts) {
  std::size_t at = 0;
  const auto here = [&] { return at < text.size() ? text[at] : '\0'; };
  const auto skip_spaces = [&] {
    while (allow_spaces_in_subscripts && is_space(here())) ++at;
  };
  for (;;) {
    if (here() == '\'') {
      const std::size_t first = ++at;
      while (at < text.size() && text[at] != '\'') at += text[at] == '\\' ? 2 : 1;
      if (at >= text.size()) return {text.size(), "a closing quote (')"};
      if (at == first) return {at, "a name between the quotes"};
      ++at;
    } else if (starts_identifier(here())) {
      while (continues_identifier(here())) ++at;
    } else {
      return {at, "a name"};
    }
    while (here() == '[') {
      do {
        ++at;
        skip_spaces();
        if (!is_digit(here())) return {at, "a whole number as subscript"};
        while (is_digit(here())) ++at;
        skip_spaces();
      } while (here() == ',');
      if (here() != ']') return {at, "']'"};
      ++at;
    }
    // A dot belongs to the path only if a component follows: `a.*b` is for others to complain
    // about.
    const bool goes_on = here() == '.' && at + 1 < text.size() &&
                         (starts_identifier(text[at + 1]) || text[at + 1] == '\'');
    if (!goes_on) return {at, nullptr};
    ++at;
  }
}

bool is_reserved_word(std::string_view word) { return is_one_of(reserved_words, word); }

bool is_built_in_function(std::string_view word) {
  if (word == "sqrt" || word == "der" || word == "pre") return true;
  for (int op = static_cast<int>(Op::sin); op <= static_cast<int>(Op::semi_linear); ++op)
    if (name(static_cast<Op>(op)) == word) return true;
  return false;
}

bool is_plain_name(std::string_view name) {
  return is_path(name) && !is_reserved_word(first_identifier(name));
}

bool is_modelica_name(std::string_view name) {
  if (!is_path(name)) return false;
  // Every component may be a keyword or hold letters beyond ASCII; quoted ones are fine as they
  // are.
  for (std::size_t at = 0; at < name.size();) {
    if (name[at] == '\'') {
      for (++at; name[at] != '\''; ++at)
        if (name[at] == '\\') ++at;
      ++at;
      continue;
    }
    const std::string_view word = first_identifier(name.substr(at));
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (!std::all_of(word.begin(), word.end(), is_ascii)) return false;
    if (is_one_of(modelica_keywords, word)) return false;
    at += std::max<std::size_t>(word.size(), 1);
  }
  return true;
}

std::string quoted(std::string_view name) {
  std::string text = "'";
  for (const char c : name) {
    const std::size_t escape = escaped_bytes.find(c);
    if (c == '\'' || c == '\\') {
      text += '\\';
      text += c;
    } else if (escape != std::string_view::npos) {
      text += '\\';
      text += escape_letters[escape];
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      text += "\\x" + hex(c);
    } else {
      text += c;
    }
  }
  return text + "'";
}

bool is_quoted(std::string_view path) {
  if (path.size() < 3 || path.front() != '\'') return false;
  std::size_t at = 1;
  while (at < path.size() && path[at] != '\'') at += path[at] == '\\' ? 2 : 1;
  return at + 1 == path.size();
}

std::string unquoted(std::string_view text) {
  if (text.size() < 2) return std::string(text);
  text = text.substr(1, text.size() - 2);
  std::string name;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      name += text[at];
      continue;
    }
    const char c = text[++at];
    const std::size_t escape = escape_letters.find(c);
    if (c == 'x' && at + 2 < text.size() && hex_digit(text[at + 1]) >= 0 &&
        hex_digit(text[at + 2]) >= 0) {
      name += static_cast<char>(hex_digit(text[at + 1]) * 16 + hex_digit(text[at + 2]));
      at += 2;
    } else {
      name += escape != std::string_view::npos ? escaped_bytes[escape] : c;
    }
  }
  return name;
}

// ---- C ------------------------------------------------------------------------------------------

std::string c_identifier(std::string_view name, std::uint32_t order) {
  // A double underscore opens an escape, so a name with none in it, nor underscores at its ends, is
  // itself.
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool inside = i > 0 && i + 1 < name.size();
    if (i == 0 && !is_letter(c)) text += "n__n";  // an identifier starts with a letter
    if (is_letter(c) || (is_digit(c) && i > 0) || (c == '_' && inside && name[i - 1] != '_')) {
      text += c;
      continue;
    }
    constexpr std::string_view common = "_.[],";
    constexpr std::string_view codes = "uplrc";
    const std::size_t code = common.find(c);
    text += code == std::string_view::npos ? "__x" + hex(c) : std::string("__") + codes[code];
  }
  if (is_one_of(c_words, name)) text += "__k";
  if (order > 0) text += "__der" + (order > 1 ? std::to_string(order) : std::string());
  return text;
}

// ---- LaTeX --------------------------------------------------------------------------------------

namespace {

std::string latex_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '#':
      case '$':
      case '%':
      case '&':
      case '_':
      case '{':
      case '}':
        result += '\\';
        result += c;
        break;
      case '\\': result += "\\backslash{}"; break;
      case '^': result += "\\hat{}"; break;
      case '~': result += "\\sim{}"; break;
      case ' ': result += "\\ "; break;
      default: result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return result;
}

/// A word on its own: a Greek letter, a single character, or upright text.
std::string latex_word(std::string_view word) {
  if (is_one_of(greek_letters, word)) return std::string("\\").append(word);
  const bool digits = std::all_of(word.begin(), word.end(), is_digit);
  if (word.size() == 1 || digits) return latex_escaped(word);
  return "\\mathrm{" + latex_escaped(word) + "}";
}

/// One component of a path: its head, dotted if it is a derivative, and subscripts.
std::string latex_component(std::string_view component, std::uint32_t order) {
  std::vector<std::string_view> subscripts;
  std::string_view head = component;
  if (const std::size_t bracket = head.find('['); bracket != std::string_view::npos) {
    std::string_view rest = head.substr(bracket);
    head = head.substr(0, bracket);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find_first_of("[],"), rest.size());
      if (end > 0) subscripts.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::vector<std::string_view> leading;
  if (const std::size_t underscore = head.find('_', 1); underscore != std::string_view::npos) {
    std::string_view rest = head.substr(underscore + 1);
    head = head.substr(0, underscore);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('_'), rest.size());
      if (end > 0) leading.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::size_t digits = head.size();
  while (digits > 1 && is_digit(head[digits - 1])) --digits;
  if (digits < head.size()) leading.insert(leading.begin(), head.substr(digits));
  head = head.substr(0, digits);
  subscripts.insert(subscripts.begin(), leading.begin(), leading.end());

  std::string text = latex_word(head);
  constexpr std::array<const char*, 5> dots = {"", "\\dot{", "\\ddot{", "\\dddot{", "\\ddddot{"};
  if (order > 0 && order < dots.size()) text = dots[order] + text + "}";
  for (std::size_t i = 0; i < subscripts.size(); ++i)
    text += (i == 0 ? "_{" : ",") + latex_word(subscripts[i]);
  if (!subscripts.empty()) text += '}';
  if (order >= dots.size()) text += "^{(" + std::to_string(order) + ")}";
  return text;
}

}  // namespace

std::string latex_name(std::string_view name, std::uint32_t order) {
  if (!is_path(name) || name.find('\'') != std::string_view::npos) {
    const std::string text = "\\mathrm{" + latex_escaped(name) + "}";
    constexpr std::array<const char*, 3> dots = {"", "\\dot{", "\\ddot{"};
    if (order == 0) return text;
    if (order < dots.size()) return dots[order] + text + "}";
    return text + "^{(" + std::to_string(order) + ")}";
  }
  std::string text;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('.'), name.size());
    const bool last = end == name.size();
    text += latex_component(name.substr(0, end), last ? order : 0);
    if (!last) text += '.';
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return text;
}

}  // namespace alembert::symbolic
