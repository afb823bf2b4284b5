// SPDX-License-Identifier: Apache-2.0
// Operator precedence with two stacks instead of recursion: values read so far, and frames, the
// operators and brackets that still wait for one. A sum or a product is one frame with as many
// values as it has operands, so that a million terms are added in one go.
#include "alembert/symbolic/parse.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/base/similar_names.hpp"
#include "alembert/symbolic/names.hpp"
#include "alembert/symbolic/parse_text.hpp"

namespace alembert::symbolic {

namespace {

using parsing::Span;
using parsing::Text;
using parsing::Token;
using Kind = Token::Kind;

/// How tightly an operator binds. `open` is for brackets and choices, which only their own words
/// close.
enum class Level : std::uint8_t {
  open,
  logical_or,
  logical_and,
  logical_not,
  relation,
  sum,
  sign,
  product,
  tight_sign,
  power
};

struct Value {
  ExprId id;
  Span span;
};

struct Frame {
  enum class Kind : std::uint8_t { operation, group, call, condition, then_branch, else_branch };
  Kind kind = Kind::operation;
  Level level = Level::open;
  Token::Kind token = Token::Kind::end;  ///< operation: the operator before the last value
  std::uint32_t count = 0;               ///< operation: values it has; call: arguments finished
  Span span;                             ///< of the operator, bracket or word
};

class Parser {
 public:
  Parser(ExprPool& pool, std::string_view text, const ParseOptions& options)
      : pool_(pool), options_(options), text_(text, options.file) {
    advance();
  }

  /// One expression up to the end of the text, or up to a '=' if that is allowed.
  Value expression(bool allow_equals);
  bool at(Kind kind) const { return token_.kind == kind; }
  void advance() { token_ = text_.token(token_.span.end); }
  const Token& token() const { return token_; }
  const Text& text() const { return text_; }

 private:
  // Reading.
  bool operand();                         // true if it is complete
  bool after_operand(bool allow_equals);  // true if the expression goes on
  bool name();
  void binary(Level level);
  void prefix(Level level);
  void right_bracket();
  void comma();
  void branch();
  void finish(bool allow_equals);

  // Reducing.
  void close_operations(Level above);
  void close_to_bracket();
  void reduce_operation();
  void reduce_choice();
  void reduce_call(Span right);
  void apply_sign(Frame& frame);
  ExprId call(const Frame& frame, std::span<const Value> arguments);
  ExprId total_derivative(const Value& argument);
  ExprId value_before(const Value& argument);

  // Building: mistakes that only the pool knows of get a place in the text.
  enum class Wants { numbers, conditions };
  template <class Build>
  ExprId build(Wants wants, std::span<const Value> operands, Span whole, Build&& build);
  void put(ExprId id, Span span) { values_.push_back({id, span}); }
  std::vector<ExprId> ids(std::span<const Value> values);
  std::span<const Value> last_values(std::size_t count) const {
    return std::span(values_).last(count);
  }
  void replace_last(std::size_t count, ExprId id, Span span) {
    values_.resize(values_.size() - count);
    put(id, span);
  }

  // Complaining.
  [[noreturn]] void unknown_name(const std::string& name, Span span);
  [[noreturn]] void unknown_function(const std::string& name, Span span);
  [[noreturn]] void wrong_count(Span name, std::size_t wanted, bool or_more, std::size_t given);
  [[noreturn]] void unfinished(const Frame& frame);
  [[noreturn]] void expected_operand();

  ExprPool& pool_;
  const ParseOptions& options_;
  Text text_;
  Token token_;
  bool wants_operand_ = true;
  std::vector<Value> values_;
  std::vector<Frame> frames_;
};

// ---- reading ------------------------------------------------------------------------------------

Value Parser::expression(bool allow_equals) {
  wants_operand_ = true;
  for (;;) {
    if (wants_operand_) {
      wants_operand_ = !operand();
    } else if (!after_operand(allow_equals)) {
      const Value value = values_.back();
      values_.clear();
      return value;
    }
  }
}

bool Parser::operand() {
  const Span span = token_.span;
  switch (token_.kind) {
    case Kind::number: put(pool_.number(text_.number(span)), span); break;
    case Kind::word_true: put(pool_.truth(true), span); break;
    case Kind::word_false: put(pool_.truth(false), span); break;
    case Kind::word_inf: put(pool_.real(std::numeric_limits<double>::infinity()), span); break;
    case Kind::word_nan: put(pool_.real(std::numeric_limits<double>::quiet_NaN()), span); break;
    case Kind::name:
    case Kind::word_der: return name();
    case Kind::left:
      frames_.push_back({.kind = Frame::Kind::group, .span = span});
      advance();
      return false;
    case Kind::word_if:
      frames_.push_back({.kind = Frame::Kind::condition, .span = span});
      advance();
      return false;
    case Kind::plus: advance(); return false;
    case Kind::minus: {
      // -a*b is -(a*b), but in a*-b and a^-b the sign belongs to what follows.
      const bool tight = !frames_.empty() && frames_.back().level >= Level::product;
      prefix(tight ? Level::tight_sign : Level::sign);
      return false;
    }
    case Kind::word_not: prefix(Level::logical_not); return false;
    default: expected_operand();
  }
  advance();
  return true;
}

void Parser::prefix(Level level) {
  frames_.push_back({.level = level, .token = token_.kind, .count = 0, .span = token_.span});
  advance();
}

/// A symbol, or a function up to its opening bracket.
bool Parser::name() {
  const Token name = token_;
  advance();
  if (at(Kind::left)) {
    frames_.push_back({.kind = Frame::Kind::call, .span = name.span});
    advance();
    if (!at(Kind::right)) return false;
    reduce_call(token_.span);
    advance();
    return true;
  }
  if (name.kind == Kind::word_der)
    text_.fail("P002", "expected '(' after 'der', found " + text_.describe(token_), token_.span);
  const std::string path = text_.path(name.span);
  ExprId id = pool_.find_symbol(path);
  // Quotes around a whole name are spelling; a symbol whose name has them inside is found first.
  const std::string bare = is_quoted(path) ? unquoted(path) : path;
  if (!id.valid()) id = pool_.find_symbol(bare);
  if (!id.valid() && path == "time") id = pool_.time();
  if (!id.valid() && options_.meaning) id = options_.meaning(bare);
  if (!id.valid() && options_.unknown_name == ParseOptions::UnknownName::make_unknown)
    id = pool_.unknown(bare);
  if (!id.valid()) unknown_name(path, name.span);
  put(id, name.span);
  return true;
}

bool Parser::after_operand(bool allow_equals) {
  switch (token_.kind) {
    case Kind::plus:
    case Kind::minus: binary(Level::sum); break;
    case Kind::times:
    case Kind::divide: binary(Level::product); break;
    case Kind::power: binary(Level::power); break;
    case Kind::less:
    case Kind::less_equal:
    case Kind::greater:
    case Kind::greater_equal:
    case Kind::equal:
    case Kind::not_equal: binary(Level::relation); break;
    case Kind::word_and: binary(Level::logical_and); break;
    case Kind::word_or: binary(Level::logical_or); break;
    case Kind::right: right_bracket(); break;
    case Kind::comma: comma(); break;
    case Kind::word_then:
    case Kind::word_else:
    case Kind::word_elseif: branch(); break;
    case Kind::end:
    case Kind::equals: finish(allow_equals); return false;
    default:
      text_.fail("P002",
                 "expected an operator, found " + text_.describe(token_) +
                     (at(Kind::left) ? "; write '*' to multiply" : ""),
                 token_.span);
  }
  return true;
}

void Parser::binary(Level level) {
  close_operations(level);
  Frame* top = frames_.empty() ? nullptr : &frames_.back();
  const bool joins = top != nullptr && top->kind == Frame::Kind::operation && top->level == level &&
                     level != Level::power;
  if (joins && level == Level::relation)
    text_.fail("P010",
               "comparisons do not chain: " + text_.describe(token_) + " follows another one, " +
                   text_.quote(top->span) + ". Write 'a < b and b < c'.",
               token_.span);
  if (joins) {
    apply_sign(*top);
    top->token = token_.kind;
    top->span = token_.span;
    ++top->count;
  } else {
    frames_.push_back({.level = level, .token = token_.kind, .count = 2, .span = token_.span});
  }
  wants_operand_ = true;
  advance();
}

void Parser::right_bracket() {
  close_to_bracket();
  if (frames_.empty())
    text_.fail("P006", "this ')' closes nothing; there is no '(' for it", token_.span);
  const Frame frame = frames_.back();
  if (frame.kind == Frame::Kind::group) {
    frames_.pop_back();
    values_.back().span = {frame.span.begin, token_.span.end};
  } else if (frame.kind == Frame::Kind::call) {
    ++frames_.back().count;
    reduce_call(token_.span);
  } else {
    unfinished(frame);
  }
  advance();
}

void Parser::comma() {
  close_to_bracket();
  if (frames_.empty() || frames_.back().kind == Frame::Kind::group)
    text_.fail("P002",
               "expected an operator, found ','; commas only separate the arguments of functions",
               token_.span);
  if (frames_.back().kind != Frame::Kind::call) unfinished(frames_.back());
  ++frames_.back().count;
  wants_operand_ = true;
  advance();
}

/// then, else or elseif.
void Parser::branch() {
  const auto matches = [&](const Frame& frame) {
    return frame.kind == (at(Kind::word_then) ? Frame::Kind::condition : Frame::Kind::then_branch);
  };
  close_operations(Level::open);
  while (!frames_.empty() && frames_.back().kind == Frame::Kind::else_branch) {
    reduce_choice();
    close_operations(Level::open);
  }
  if (frames_.empty() || !matches(frames_.back())) {
    std::vector<Note> notes;
    if (!frames_.empty())
      notes.push_back(
          {text_.quote(frames_.back().span) + " is still open", text_.origin(frames_.back().span)});
    text_.fail("P011",
               text_.describe(token_) + " has no 'if' to belong to; write 'if a < b then c else d'",
               token_.span, std::move(notes));
  }
  frames_.back().kind = at(Kind::word_then) ? Frame::Kind::then_branch : Frame::Kind::else_branch;
  if (at(Kind::word_elseif))
    frames_.push_back({.kind = Frame::Kind::condition, .span = token_.span});
  wants_operand_ = true;
  advance();
}

void Parser::finish(bool allow_equals) {
  close_to_bracket();
  if (!frames_.empty()) unfinished(frames_.back());
  if (at(Kind::equals) && !allow_equals)
    text_.fail("P002", "expected an operator, found '='; write '==' to compare", token_.span);
}

// ---- reducing -----------------------------------------------------------------------------------

void Parser::close_operations(Level above) {
  while (!frames_.empty() && frames_.back().kind == Frame::Kind::operation &&
         frames_.back().level > above)
    reduce_operation();
}

/// Down to a bracket, or a choice that still lacks a word.
void Parser::close_to_bracket() {
  close_operations(Level::open);
  while (!frames_.empty() && frames_.back().kind == Frame::Kind::else_branch) {
    reduce_choice();
    close_operations(Level::open);
  }
}

/// Gives the last value of a sum or product the sign or inverse that its operator asks for.
void Parser::apply_sign(Frame& frame) {
  Value& last = values_.back();
  const std::span<const Value> operand(&last, 1);
  if (frame.token == Kind::minus)
    last.id = build(Wants::numbers, operand, last.span, [&] { return pool_.neg(last.id); });
  else if (frame.token == Kind::divide)
    last.id = build(Wants::numbers, operand, last.span, [&] { return pool_.pow(last.id, -1); });
}

void Parser::reduce_operation() {
  Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.count == 0) {  // a prefix
    const Value value = values_.back();
    const Span span{frame.span.begin, value.span.end};
    const bool minus = frame.token == Kind::minus;
    const ExprId id = build(minus ? Wants::numbers : Wants::conditions, last_values(1), span, [&] {
      return minus ? pool_.neg(value.id) : pool_.apply(Op::logical_not, value.id);
    });
    return replace_last(1, id, span);
  }
  apply_sign(frame);
  const auto operands = last_values(frame.count);
  const Span span{operands.front().span.begin, operands.back().span.end};
  const ExprId a = operands.front().id;
  const ExprId b = operands.back().id;
  const Wants wants = frame.level <= Level::logical_and ? Wants::conditions : Wants::numbers;
  const ExprId id = build(wants, operands, span, [&] {
    switch (frame.token) {
      case Kind::plus:
      case Kind::minus: return pool_.add(ids(operands));
      case Kind::times:
      case Kind::divide: return pool_.mul(ids(operands));
      case Kind::power: return pool_.pow(a, b);
      case Kind::less: return pool_.apply(Op::less, a, b);
      case Kind::less_equal: return pool_.apply(Op::less_equal, a, b);
      case Kind::greater: return pool_.apply(Op::less, b, a);
      case Kind::greater_equal: return pool_.apply(Op::less_equal, b, a);
      case Kind::equal: return pool_.apply(Op::equal, a, b);
      case Kind::not_equal: return pool_.apply(Op::not_equal, a, b);
      case Kind::word_and: return pool_.apply(Op::logical_and, ids(operands));
      default: return pool_.apply(Op::logical_or, ids(operands));
    }
  });
  replace_last(frame.count, id, span);
}

void Parser::reduce_choice() {
  const auto parts = last_values(3);
  const Span span{frames_.back().span.begin, parts[2].span.end};
  // If the condition is one, the branches are at fault, which are pointed at together with it.
  const ExprId id = build(Wants::conditions, parts.first(1), span, [&] {
    return pool_.if_then_else(parts[0].id, parts[1].id, parts[2].id);
  });
  frames_.pop_back();
  replace_last(3, id, span);
}

void Parser::reduce_call(Span right) {
  const Frame frame = frames_.back();
  frames_.pop_back();
  const auto arguments = last_values(frame.count);
  const Span whole{frame.span.begin, right.end};
  const ExprId id = build(Wants::numbers, arguments, whole, [&] { return call(frame, arguments); });
  replace_last(frame.count, id, whole);
}

ExprId Parser::call(const Frame& frame, std::span<const Value> arguments) {
  const std::string path = text_.path(frame.span);
  const auto takes = [&](std::size_t count, bool or_more = false) {
    const bool right = or_more ? arguments.size() >= count : arguments.size() == count;
    if (!right) wrong_count(frame.span, count, or_more, arguments.size());
  };
  if (path == "der") {
    takes(1);
    return total_derivative(arguments[0]);
  }
  if (path == "sqrt") {
    takes(1);
    return pool_.sqrt(arguments[0].id);
  }
  if (path == "pre") {
    takes(1);
    return value_before(arguments[0]);
  }
  for (int i = static_cast<int>(Op::sin); i <= static_cast<int>(Op::semi_linear); ++i) {
    const auto op = static_cast<Op>(i);
    if (path != symbolic::name(op)) continue;
    if (op != Op::min && op != Op::max) {
      takes(op == Op::semi_linear ? 3 : op >= Op::atan2 ? 2 : 1);
      return pool_.apply(op, ids(arguments));
    }
    takes(2, true);
    ExprId least = arguments[0].id;
    for (const Value& argument : arguments.subspan(1)) least = pool_.apply(op, least, argument.id);
    return least;
  }
  FunctionId function = pool_.find_function(path);
  if (!function.valid() && is_quoted(path)) function = pool_.find_function(unquoted(path));
  if (!function.valid()) unknown_function(path, frame.span);
  takes(pool_.function(function).arity);
  return pool_.call(function, ids(arguments));
}

ExprId Parser::total_derivative(const Value& argument) {
  const bool is_unknown =
      pool_.is_symbol(argument.id) && pool_.symbol_of(argument.id).kind == SymbolKind::unknown;
  if (is_unknown) return pool_.derivative_symbol(argument.id);
  if (pool_.is_condition(argument.id))
    text_.fail("E002", "'der' needs a number, but its argument is a condition", argument.span);
  return der(Expr(pool_, argument.id)).id_in(pool_);
}

ExprId Parser::value_before(const Value& argument) {
  const bool varies =
      pool_.is_symbol(argument.id) && (pool_.symbol_of(argument.id).kind == SymbolKind::unknown ||
                                       pool_.symbol_of(argument.id).kind == SymbolKind::discrete);
  if (!varies) text_.fail("E002", "'pre' needs the name of a quantity that varies", argument.span);
  return pool_.previous_symbol(argument.id);
}

std::vector<ExprId> Parser::ids(std::span<const Value> values) {
  std::vector<ExprId> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), [](const Value& v) { return v.id; });
  return result;
}

template <class Build>
ExprId Parser::build(Wants wants, std::span<const Value> operands, Span whole, Build&& build) {
  try {
    return build();
  } catch (const Error& error) {
    const Diagnostic& diagnostic = error.diagnostics().front();
    if (diagnostic.origin.span.known()) throw;
    // Numbers and conditions mixed up: the first of the wrong kind is the place to point at.
    const auto is_wrong = [&](const Value& value) {
      return pool_.is_condition(value.id) == (wants == Wants::numbers);
    };
    const auto wrong = std::find_if(operands.begin(), operands.end(), is_wrong);
    const Span place = wrong == operands.end() ? whole : wrong->span;
    text_.fail(diagnostic.code.c_str(), diagnostic.text, place, diagnostic.notes);
  }
}

// ---- complaining --------------------------------------------------------------------------------

void Parser::unknown_name(const std::string& name, Span span) {
  const std::string shown = text_.quote(span);
  if (is_built_in_function(name) || pool_.find_function(name).valid())
    text_.fail("P003", shown + " is a function; write '" + name + "(...)'", span);
  std::vector<std::string_view> known = {"time"};
  for (const Symbol& symbol : pool_.symbols())
    if (symbol.order == 0) known.push_back(symbol.name);
  const std::string nearest = nearest_name(name, known);
  text_.fail("P003",
             "unknown name " + shown +
                 (nearest.empty() ? ". Declare it before it is used."
                                  : "; did you mean '" + nearest + "'?"),
             span);
}

void Parser::unknown_function(const std::string& name, Span span) {
  const std::string shown = text_.quote(span);
  if (pool_.find_symbol(name).valid())
    text_.fail("P004", shown + " is not a function; write '" + name + "*(...)' to multiply", span);
  std::vector<std::string_view> known = {"sqrt", "der", "pre"};
  for (int op = static_cast<int>(Op::sin); op <= static_cast<int>(Op::semi_linear); ++op)
    known.push_back(symbolic::name(static_cast<Op>(op)));
  for (const UserFunction& function : pool_.functions()) known.push_back(function.name);
  const std::string nearest = nearest_name(name, known);
  text_.fail("P004",
             "unknown function " + shown +
                 (nearest.empty() ? ". Define it before it is used."
                                  : "; did you mean '" + nearest + "'?"),
             span);
}

void Parser::wrong_count(Span name, std::size_t wanted, bool or_more, std::size_t given) {
  text_.fail("P005",
             text_.quote(name) + " takes " + std::to_string(wanted) +
                 (or_more       ? " or more arguments"
                  : wanted == 1 ? " argument"
                                : " arguments") +
                 ", " + std::to_string(given) + " given",
             name);
}

/// The text ends, or a bracket closes, where `frame` still lacks something.
void Parser::unfinished(const Frame& frame) {
  const std::string found = text_.describe(token_);
  switch (frame.kind) {
    case Frame::Kind::condition:
      text_.fail("P011", "expected 'then' after the condition of 'if', found " + found, token_.span,
                 {{"the 'if' is here", text_.origin(frame.span)}});
    case Frame::Kind::then_branch:
      text_.fail("P011", "expected 'else', found " + found + "; every 'if' needs both branches",
                 token_.span, {{"the 'if' is here", text_.origin(frame.span)}});
    case Frame::Kind::call:
      text_.fail("P006",
                 "expected ',' or ')' to go on with the arguments of " + text_.quote(frame.span) +
                     ", found " + found,
                 token_.span, {{"the call starts here", text_.origin(frame.span)}});
    default:
      text_.fail("P006", "expected ')', found " + found, token_.span,
                 {{"the '(' that is not closed is here", text_.origin(frame.span)}});
  }
}

void Parser::expected_operand() {
  const std::string found = text_.describe(token_);
  if (frames_.empty() && values_.empty() && at(Kind::end))
    text_.fail("P002", "expected an expression, found nothing", token_.span);
  std::string after;
  if (!frames_.empty()) {
    const Frame& frame = frames_.back();
    const bool branches =
        frame.kind == Frame::Kind::then_branch || frame.kind == Frame::Kind::else_branch;
    if (!branches) after = " after " + text_.quote(frame.span);
    if (frame.kind == Frame::Kind::call) after = " as argument of " + text_.quote(frame.span);
  }
  text_.fail("P002", "expected a number, a name or '('" + after + ", found " + found, token_.span);
}

}  // namespace

ExprId parse_id(ExprPool& pool, std::string_view text, const ParseOptions& options) {
  return Parser(pool, text, options).expression(false).id;
}

Expr parse(ExprPool& pool, std::string_view text, const ParseOptions& options) {
  return {pool, parse_id(pool, text, options)};
}

Equation parse_equation(ExprPool& pool, std::string_view text, const ParseOptions& options) {
  Parser parser(pool, text, options);
  const auto side = [&](bool left) {
    const Value value = parser.expression(left);
    if (pool.is_condition(value.id))
      parser.text().fail(
          "P012", "both sides of an equation are numbers, but this one is a condition", value.span);
    return value;
  };
  const Value left = side(true);
  if (!parser.at(Kind::equals))
    parser.text().fail("P012",
                       "expected '=' and the right-hand side of the equation, found nothing",
                       parser.token().span);
  parser.advance();
  const Value right = side(false);
  return {Expr(pool, left.id), Expr(pool, right.id)};
}

}  // namespace alembert::symbolic
