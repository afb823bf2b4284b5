// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/texts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "alembert/base/message_text.hpp"

namespace alembert::modelica {

namespace {

constexpr std::size_t max_possible_texts = 256;

bool shows_a_word(std::string_view how) { return !how.empty() && how.front() != '%'; }

bool holds(Operator op, int order) {
  switch (op) {
    case Operator::equal: return order == 0;
    case Operator::not_equal: return order != 0;
    case Operator::less: return order < 0;
    case Operator::less_equal: return order <= 0;
    case Operator::greater: return order > 0;
    default: return order >= 0;
  }
}

/// Where the number is written like this: from one double to another, both among them. Found by
/// halving: what is written grows with the number.
struct Written {
  double from = 0;
  double to = 0;
};

std::optional<Written> where_written(const std::string& wanted, std::string_view how) {
  char* end = nullptr;
  const double number = std::strtod(wanted.c_str(), &end);
  if (end == wanted.c_str() || !std::isfinite(number) || written(number, how) != wanted)
    return std::nullopt;
  const auto last = [&](double direction) {
    double inside = number;
    double step = std::max(1.0, std::abs(number)) * 0x1p-40;
    while (std::isfinite(number + direction * step) &&
           written(number + direction * step, how) == wanted)
      step *= 2;
    double outside = number + direction * step;
    while (true) {
      const double middle = inside + (outside - inside) / 2;
      if (middle == inside || middle == outside) return inside;
      (written(middle, how) == wanted ? inside : outside) = middle;
    }
  };
  return Written{last(-1), last(1)};
}

/// The condition for a text with one number in it; nothing if it is no such text.
std::optional<ExprId> equals_number(Scalars& scalars, const Text& shown, const std::string& plain) {
  if (shown.values.size() != 1) return std::nullopt;
  const auto mark = find_mark(shown.text, 1);
  if (!mark || shows_a_word(mark->how) || find_mark(shown.text, 1, mark->at + mark->size))
    return std::nullopt;
  auto& pool = scalars.pool();
  const std::string before = shown.text.substr(0, mark->at);
  const std::string behind = shown.text.substr(mark->at + mark->size);
  if (plain.size() < before.size() + behind.size() || !plain.starts_with(before) ||
      !plain.ends_with(behind))
    return pool.truth(false);
  const std::string wanted =
      plain.substr(before.size(), plain.size() - before.size() - behind.size());
  const auto where = where_written(wanted, mark->how);
  if (!where) return pool.truth(false);
  const ExprId value = shown.values.front();
  return scalars.both(scalars.compare(Operator::greater_equal, value, pool.real(where->from)),
                      scalars.compare(Operator::less_equal, value, pool.real(where->to)));
}

std::vector<std::size_t> word_counts(const Text& text) {
  std::vector<std::size_t> counts;
  for (std::size_t k = 1; k <= text.values.size(); ++k) {
    const auto mark = find_mark(text.text, k);
    if (!mark || !shows_a_word(mark->how)) return {};
    counts.push_back(static_cast<std::size_t>(std::count(mark->how.begin(), mark->how.end(), '|')));
  }
  return counts;
}

}  // namespace

std::optional<std::vector<PossibleText>> possible_texts(Scalars& scalars, const Text& text) {
  auto& pool = scalars.pool();
  if (text.is_constant()) return std::vector<PossibleText>{{text.text, pool.truth(true)}};
  const std::vector<std::size_t> counts = word_counts(text);
  std::size_t n_all = counts.empty() ? 0 : 1;
  for (const std::size_t count : counts) {
    n_all *= count;
    if (n_all > max_possible_texts) return std::nullopt;
  }
  if (n_all == 0) return std::nullopt;
  std::vector<PossibleText> result;
  for (std::size_t n = 0; n < n_all; ++n) {
    std::vector<double> numbers;
    ExprId when = pool.truth(true);
    std::size_t rest = n;
    for (std::size_t k = 0; k < counts.size(); ++k, rest /= counts[k - 1]) {
      const auto word = static_cast<std::int64_t>(rest % counts[k]);
      numbers.push_back(static_cast<double>(word));
      when =
          scalars.both(when, scalars.compare(Operator::equal, text.values[k], pool.integer(word)));
    }
    result.push_back({with_numbers(text.text, numbers), when});
  }
  return result;
}

std::optional<ExprId> compared_texts(Scalars& scalars, Operator op, const Text& a, const Text& b) {
  const auto some_a = possible_texts(scalars, a);
  const auto some_b = possible_texts(scalars, b);
  if (some_a && some_b && some_a->size() * some_b->size() <= max_possible_texts) {
    ExprId any = scalars.pool().truth(false);
    for (const PossibleText& one : *some_a)
      for (const PossibleText& other : *some_b)
        if (holds(op, one.text.compare(other.text)))
          any = scalars.either(any, scalars.both(one.when, other.when));
    return any;
  }
  if (op != Operator::equal && op != Operator::not_equal) return std::nullopt;
  std::optional<ExprId> equal;
  if (b.is_constant()) equal = equals_number(scalars, a, b.text);
  if (!equal && a.is_constant()) equal = equals_number(scalars, b, a.text);
  if (!equal) return std::nullopt;
  return op == Operator::equal ? *equal : scalars.negation(*equal);
}

std::optional<Text> numbered_text(const std::vector<std::string>& words, ExprId number) {
  const std::string how = choice_of_words(words, 0);
  if (how.empty()) return std::nullopt;
  return Text{.text = mark_text(1, how), .values = {number}};
}

std::optional<Text> chosen_text(Scalars& scalars, ExprId condition, const Text& a, const Text& b) {
  if (a == b) return a;
  const auto some_a = possible_texts(scalars, a);
  const auto some_b = possible_texts(scalars, b);
  if (!some_a || !some_b) return std::nullopt;
  std::vector<std::string> words;
  const auto number_of = [&](const std::vector<PossibleText>& texts) {
    ExprId number;
    for (const PossibleText& one : texts) {
      auto word = std::find(words.begin(), words.end(), one.text);
      if (word == words.end()) word = words.insert(words.end(), one.text);
      const ExprId position = scalars.pool().integer(word - words.begin());
      number = number.valid() ? scalars.choice(one.when, position, number) : position;
    }
    return number;
  };
  const ExprId number_a = number_of(*some_a);
  const ExprId number_b = number_of(*some_b);
  return numbered_text(words, scalars.choice(condition, number_a, number_b));
}

}  // namespace alembert::modelica
