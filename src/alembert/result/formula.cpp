// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/formula.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::result {
namespace {

using Column = std::vector<double>;  // [n_rows], or one value for all rows

struct Function {
  std::string_view name;
  int n_arguments;
  double (*apply)(double, double);
};

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

constexpr int by_infix = 0;  // number of arguments of what is written between its operands
constexpr int at_a_time = -1;

const Function functions[] = {
    {"sin", 1, [](double x, double) { return std::sin(x); }},
    {"cos", 1, [](double x, double) { return std::cos(x); }},
    {"tan", 1, [](double x, double) { return std::tan(x); }},
    {"asin", 1, [](double x, double) { return std::asin(x); }},
    {"acos", 1, [](double x, double) { return std::acos(x); }},
    {"atan", 1, [](double x, double) { return std::atan(x); }},
    {"atan2", 2, [](double y, double x) { return std::atan2(y, x); }},
    {"sinh", 1, [](double x, double) { return std::sinh(x); }},
    {"cosh", 1, [](double x, double) { return std::cosh(x); }},
    {"tanh", 1, [](double x, double) { return std::tanh(x); }},
    {"exp", 1, [](double x, double) { return std::exp(x); }},
    {"log", 1, [](double x, double) { return std::log(x); }},
    {"log10", 1, [](double x, double) { return std::log10(x); }},
    {"sqrt", 1, [](double x, double) { return std::sqrt(x); }},
    {"abs", 1, [](double x, double) { return std::abs(x); }},
    {"sign", 1, [](double x, double) { return sign(x); }},
    {"min", 2, [](double a, double b) { return std::min(a, b); }},
    {"max", 2, [](double a, double b) { return std::max(a, b); }},
};

struct Operator {
  enum class Kind { infix, negate, open, call, at_time } kind = Kind::infix;
  int precedence = 0;
  bool right_to_left = false;
  double (*apply)(double, double) = nullptr;
  int n_arguments = by_infix;
  int n_given = 1;  // of a call, so far
  std::size_t place = 0;
};

std::optional<Operator> infix_operator(char sign) {
  const auto make = [](int precedence, bool right_to_left, double (*apply)(double, double)) {
    return Operator{.precedence = precedence, .right_to_left = right_to_left, .apply = apply};
  };
  switch (sign) {
    case '+': return make(1, false, [](double a, double b) { return a + b; });
    case '-': return make(1, false, [](double a, double b) { return a - b; });
    case '*': return make(2, false, [](double a, double b) { return a * b; });
    case '/': return make(2, false, [](double a, double b) { return a / b; });
    case '^': return make(4, true, [](double a, double b) { return std::pow(a, b); });
    default: return std::nullopt;
  }
}

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_name(char c) {
  return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

class Evaluation {
 public:
  Evaluation(std::string_view text, const Trajectory& trajectory, const NamedConstants& constants)
      : text_(text), trajectory_(trajectory), constants_(constants) {}

  Column run() {
    bool wants_operand = true;
    while (skip_spaces(), at_ < text_.size()) {
      if (wants_operand)
        wants_operand = read_operand();
      else
        wants_operand = read_after_operand();
    }
    if (wants_operand) fail(at_, text_.empty() ? "it is empty" : "something is missing at its end");
    while (!operators_.empty()) {
      if (is_bracket(operators_.back())) fail(operators_.back().place, "a '(' is not closed");
      reduce();
    }
    Column result = std::move(operands_.back());
    if (result.size() == 1) result.assign(trajectory_.n_rows(), result[0]);
    return result;
  }

 private:
  /// Returns whether another operand is wanted after it: a sign or an opening bracket was read.
  bool read_operand() {
    const char c = text_[at_];
    if (c == '-' || c == '+') {
      if (c == '-') push({.kind = Operator::Kind::negate, .precedence = 3, .right_to_left = true});
      ++at_;
      return true;
    }
    if (c == '(') {
      push({.kind = Operator::Kind::open});
      ++at_;
      return true;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
      read_number();
      return false;
    }
    if (c == '\'') {
      const std::size_t end = text_.find('\'', at_ + 1);
      if (end == text_.npos) fail(at_, "a quotation mark is not closed");
      const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
      const std::string_view quoted = text_.substr(at_, end - at_ + 1);
      at_ = end + 1;
      push_column(trajectory_.find(quoted) ? quoted : inside);
      return false;
    }
    if (starts_name(c)) return read_name();
    fail(at_, std::string("'") + c + "' cannot stand here");
  }

  bool read_after_operand() {
    const char c = text_[at_];
    if (c == '(') {  // v(t): a value at a time
      push({.kind = Operator::Kind::at_time, .n_arguments = at_a_time});
      ++at_;
      return true;
    }
    if (c == ')') {
      close();
      ++at_;
      return false;
    }
    if (c == ',') {
      while (!operators_.empty() && !is_bracket(operators_.back())) reduce();
      if (operators_.empty() || operators_.back().kind != Operator::Kind::call)
        fail(at_, "a comma stands outside of a call");
      ++operators_.back().n_given;
      ++at_;
      return true;
    }
    std::optional<Operator> next = infix_operator(c);
    if (!next) fail(at_, std::string("'") + c + "' cannot stand here");
    while (!operators_.empty() && !is_bracket(operators_.back()) &&
           (operators_.back().precedence > next->precedence ||
            (operators_.back().precedence == next->precedence && !next->right_to_left)))
      reduce();
    push(*next);
    ++at_;
    return true;
  }

  void read_number() {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail(at_, "this is not a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    operands_.push_back({value});
  }

  /// A name with its dots and indices, der(...), or a function and the '(' after it.
  bool read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (continues_name(text_[at_]) || text_[at_] == '[')) {
      if (text_[at_] == '[') {
        at_ = text_.find(']', at_);
        if (at_ == text_.npos) fail(begin, "a '[' is not closed");
      }
      ++at_;
    }
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (at_ < text_.size() && text_[at_] == '(') {
      if (name == "der") {
        skip_brackets(begin);
        push_column(without_spaces(text_.substr(begin, at_ - begin)));
        return false;
      }
      const auto* function = std::find_if(std::begin(functions), std::end(functions),
                                          [&](const Function& f) { return f.name == name; });
      if (function != std::end(functions) && !trajectory_.find(name)) {
        push({.kind = Operator::Kind::call,
              .apply = function->apply,
              .n_arguments = function->n_arguments});
        ++at_;
        return true;
      }
    }
    push_column(without_spaces(name));
    return false;
  }

  void skip_brackets(std::size_t begin) {
    int depth = 0;
    do {
      if (at_ == text_.size()) fail(begin, "a '(' is not closed");
      depth += text_[at_] == '(' ? 1 : text_[at_] == ')' ? -1 : 0;
      ++at_;
    } while (depth > 0);
  }

  static std::string without_spaces(std::string_view text) {
    std::string kept;
    for (const char c : text)
      if (std::isspace(static_cast<unsigned char>(c)) == 0) kept += c;
    return kept;
  }

  void push_column(std::string_view name) {
    const auto constant = constants_.find(name);
    if (constant != constants_.end() && !trajectory_.find(name))
      operands_.push_back({constant->second});
    else if (name == "pi" && !trajectory_.find(name))
      operands_.push_back({3.14159265358979323846});
    else
      operands_.push_back(trajectory_.column(name));
  }

  void push(Operator op) {
    op.place = at_;
    operators_.push_back(op);
  }

  static bool is_bracket(const Operator& op) {
    return op.kind == Operator::Kind::open || op.kind == Operator::Kind::call ||
           op.kind == Operator::Kind::at_time;
  }

  /// At a ')': everything up to the bracket, and then what the bracket asks for.
  void close() {
    while (!operators_.empty() && !is_bracket(operators_.back())) reduce();
    if (operators_.empty()) fail(at_, "a ')' has no '('");
    const Operator bracket = operators_.back();
    operators_.pop_back();
    if (bracket.kind == Operator::Kind::open) return;
    if (bracket.kind == Operator::Kind::at_time) {
      const Column time = pop();
      const Column values = pop();
      if (time.size() != 1) fail(bracket.place, "the time in 'v(t)' must be a number");
      operands_.push_back(
          {values.size() == 1 ? values[0] : value_at_time(trajectory_.times(), values, time[0])});
      return;
    }
    if (bracket.n_given != bracket.n_arguments)
      fail(bracket.place, "the function takes " + std::to_string(bracket.n_arguments) +
                              (bracket.n_arguments == 1 ? " argument" : " arguments"));
    if (bracket.n_arguments == 1)
      operands_.push_back(combine(pop(), {0}, bracket.apply));
    else
      reduce_two(bracket.apply);
  }

  void reduce() {
    const Operator op = operators_.back();
    operators_.pop_back();
    if (op.kind == Operator::Kind::negate)
      operands_.push_back(combine(pop(), {0}, [](double a, double) { return -a; }));
    else
      reduce_two(op.apply);
  }

  void reduce_two(double (*apply)(double, double)) {
    const Column second = pop();
    operands_.push_back(combine(pop(), second, apply));
  }

  static Column combine(Column a, const Column& b, double (*apply)(double, double)) {
    if (a.size() == 1 && b.size() != 1) a.assign(b.size(), a[0]);
    const bool one = b.size() == 1;
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = apply(a[i], b[one ? 0 : i]);
    return a;
  }

  Column pop() {
    Column top = std::move(operands_.back());
    operands_.pop_back();
    return top;
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  [[noreturn]] void fail(std::size_t place, const std::string& why) const {
    throw Error("R011", "'" + std::string(text_) + "' is not an expression: " + why +
                            " (character " + std::to_string(place + 1) +
                            "). Write names of the result, numbers, " +
                            "+ - * / ^, functions such as sin, or v(0) for v at time 0.");
  }

  std::string_view text_;
  const Trajectory& trajectory_;
  const NamedConstants& constants_;
  std::size_t at_ = 0;
  std::vector<Column> operands_;
  std::vector<Operator> operators_;
};

}  // namespace

std::vector<double> evaluate_formula(std::string_view text, const Trajectory& trajectory,
                                     const NamedConstants& constants) {
  if (const auto column = trajectory.find(text)) return trajectory.column(*column);
  return Evaluation(text, trajectory, constants).run();
}

double value_at_time(const std::vector<double>& times, const std::vector<double>& values,
                     double time) {
  ensure(times.size() == values.size(), "a column has a value for each time");
  if (times.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return values.front();
  const auto i = static_cast<std::size_t>(after - times.begin()) - 1;
  if (after == times.end()) return values.back();
  const double fraction = (time - times[i]) / (times[i + 1] - times[i]);
  if (fraction == 0) return values[i];
  return values[i] + fraction * (values[i + 1] - values[i]);
}

}  // namespace alembert::result
