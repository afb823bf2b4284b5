// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. The expression pool: append-only, hash-consed arrays; equal expressions have
// equal ids. In: symbols, numbers and operations on ids. Out: ids in canonical form, children
// before parents, so that every traversal is a loop over ascending ids. Everything is freed with
// the pool. One thread builds in a pool at a time.
//
// Canonical form. Sums and products are n-ary and flat, like terms and like factors are collected,
// and the order of children follows names and content (`precedes`), not the order of construction.
// Sums and products that the C++ operators are still growing are `pending`: O(1) each, made
// canonical when first looked at, so that a loop `s = s + x[i]` costs O(n log n) in all. A finished
// sum of more than `flat_sum_limit` terms (a product of more than `flat_product_limit` factors) is
// kept whole when it becomes part of a larger one: running totals stay linear.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "alembert/base/id.hpp"
#include "alembert/symbolic/block_memory.hpp"
#include "alembert/symbolic/number.hpp"
#include "alembert/symbolic/short_list.hpp"

namespace alembert::symbolic {

using ExprId = Id<struct ExprTag>;
using FunctionId = Id<struct FunctionTag>;

enum class Op : std::uint8_t {
  number,
  symbol,
  // Algebra.
  add,  ///< n-ary; a number, if any, comes last
  mul,  ///< n-ary; a number, if any, comes first
  pow,  ///< base, exponent; sqrt(x) is x^(1/2), 1/x is x^(-1)
  // Functions of one argument.
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  exp,
  log,
  log10,
  abs,
  sign,
  floor,
  ceil,
  integer_part,  ///< Modelica's integer(): the largest integer not above the argument
  no_event,
  // Functions of two arguments.
  atan2,
  min,
  max,
  div,     ///< Modelica's div: x/y rounded towards zero
  mod,     ///< x - floor(x/y)*y
  rem,     ///< x - div(x, y)*y
  smooth,  ///< smooth(p, x): x, p times continuously differentiable
  // Functions of three arguments.
  semi_linear,  ///< x, k_plus, k_minus: x*k_plus for x >= 0, else x*k_minus
  // Conditions.
  truth,  ///< the constants true and false
  less,
  less_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,  ///< n-ary
  logical_not,
  // Choice and calls.
  if_then_else,  ///< condition, value if true, value if false
  call,          ///< user function
};

inline constexpr int n_ops = static_cast<int>(Op::call) + 1;

/// The operation's name as the text form writes it: "sin", "semiLinear", "noEvent"; "+" and the
/// like for operators.
std::string_view name(Op op);
/// True if values of this operation are conditions rather than numbers (choices take the kind of
/// their branches).
constexpr bool is_condition(Op op) { return op >= Op::truth && op <= Op::logical_not; }

/// A discrete quantity is constant between events, so for the calculus it is as a parameter.
enum class SymbolKind : std::uint8_t { time, parameter, unknown, discrete };

struct Symbol {
  SymbolKind kind;
  std::string name;         ///< of the chain's base: "x" for x, der(x), der(der(x))
  std::uint32_t order = 0;  ///< how often differentiated
  ExprId base;              ///< order 0 of the chain
  ExprId derivative;        ///< next of the chain, if anyone asked for it
  ExprId previous = {};     ///< pre(x) of this symbol, if anyone asked for it
  ExprId previous_of = {};  ///< of pre(x): x
};

/// A function written in C++: pure and thread-safe. `partials[k]`, where given, is the derivative
/// by argument k, a function of the same arguments; where not, differentiating is Error E005, or
/// takes a difference quotient if `numeric_partials` allows it.
/// One output of a FunctionFamily has `outputs` in place of `function`.
struct UserFunction {
  std::string name;
  std::uint32_t arity = 0;
  double (*function)(const double* arguments, const void* context) = nullptr;
  std::shared_ptr<const void> context;
  std::vector<FunctionId> partials = {};  // [arity], or empty
  bool numeric_partials = false;
  void (*outputs)(const double* arguments, double* values, const void* context) = nullptr;
  std::uint32_t n_outputs = 1;
  std::uint32_t output = 0;  ///< which of the values
  std::string family = {};   ///< name of the function that has these outputs
  double noise = 0x1p-52;    ///< relative error of its values, for difference quotients
};

/// A function of several outputs, which are evaluated together: pure and thread-safe. In a compiled
/// program calls of its outputs with the same arguments are one call.
struct FunctionFamily {
  std::string name;
  std::uint32_t arity = 0;
  std::uint32_t n_outputs = 0;
  void (*outputs)(const double* arguments, double* values, const void* context) = nullptr;
  std::shared_ptr<const void> context;
  std::vector<std::vector<FunctionId>> partials =
      {};  // [n_outputs][arity], empty where there are none
  bool numeric_partials = false;
};

class ExprPool {
 public:
  static constexpr std::uint32_t flat_sum_limit = 256;
  static constexpr std::uint32_t flat_product_limit = 32;

  ExprPool();
  ~ExprPool();
  ExprPool(const ExprPool&) = delete;
  ExprPool& operator=(const ExprPool&) = delete;

  // Leaves.
  ExprId number(const Number& value) {
    const auto place = static_cast<std::uint64_t>(value.numerator()) + small_integers_from;
    if (!value.is_integer() || place >= small_integers_.size()) return intern_number(value);
    const ExprId known = small_integers_[place];
    return known.valid() ? known : (small_integers_[place] = intern_number(value));
  }
  ExprId real(double value) { return number(Number::real(value)); }
  ExprId integer(std::int64_t value) { return number(Number::integer(value)); }
  ExprId truth(bool value);
  ExprId time();
  ExprId parameter(std::string_view name) { return symbol(SymbolKind::parameter, name); }
  ExprId unknown(std::string_view name) { return symbol(SymbolKind::unknown, name); }
  ExprId discrete(std::string_view name) { return symbol(SymbolKind::discrete, name); }
  /// The symbol of that name; Error N001 if the name already belongs to a symbol of another kind.
  ExprId symbol(SymbolKind kind, std::string_view name);
  /// The symbol of that name, if there is one.
  ExprId find_symbol(std::string_view name) const;
  /// pre(x): the value of a discrete quantity or an unknown just before an event, itself discrete.
  ExprId previous_symbol(ExprId symbol);
  /// All symbols in order of creation, those of derivative chains included.
  std::span<const Symbol> symbols() const { return symbols_; }
  /// The next symbol of an unknown's derivative chain.
  ExprId derivative_symbol(ExprId symbol);

  // Operations, canonical. Conditions and numbers may not be mixed: Error E002.
  ExprId add(std::span<const ExprId> terms);
  ExprId mul(std::span<const ExprId> factors);
  ExprId add(ExprId a, ExprId b);
  ExprId sub(ExprId a, ExprId b);
  ExprId mul(ExprId a, ExprId b);
  ExprId div(ExprId a, ExprId b);
  ExprId neg(ExprId a);
  ExprId pow(ExprId base, ExprId exponent);
  ExprId pow(ExprId base, std::int64_t exponent) { return pow(base, integer(exponent)); }
  ExprId sqrt(ExprId a) { return pow(a, number(Number::rational(1, 2))); }
  /// Any operation with a fixed number of arguments, logical_and and logical_or included.
  ExprId apply(Op op, std::span<const ExprId> arguments);
  ExprId apply(Op op, ExprId a);
  ExprId apply(Op op, ExprId a, ExprId b);
  ExprId if_then_else(ExprId condition, ExprId a, ExprId b);
  ExprId call(FunctionId function, std::span<const ExprId> arguments);
  /// The same operation as `original` (its function too) on other children.
  ExprId rebuild(ExprId original, std::span<const ExprId> children);

  // Pending sums and products, for the C++ operators: ids that only `resolve` and these four
  // accept.
  enum class PendingOp : std::uint8_t { add, sub, mul, div };
  ExprId pending(PendingOp op, ExprId a, ExprId b);
  static bool is_pending(ExprId id) { return (id.value & pending_bit) != 0; }
  ExprId resolve(ExprId id) { return is_pending(id) ? resolve_pending(id) : id; }

  FunctionId define_function(UserFunction function);
  FunctionId define_function(std::string name, std::uint32_t arity,
                             std::function<double(std::span<const double>)> function,
                             std::vector<FunctionId> partials = {}, bool numeric_partials = false);
  /// One function for each output, to be called with the same arguments. The first bears the name
  /// of the family, the others "name.2", "name.3" and so on.
  std::vector<FunctionId> define_functions(FunctionFamily family);
  std::vector<FunctionId> define_functions(
      std::string name, std::uint32_t arity, std::uint32_t n_outputs,
      std::function<void(std::span<const double>, std::span<double>)> outputs,
      bool numeric_partials = false);
  /// The derivative of a function by an argument: the one given, else a difference quotient if the
  /// function allows it; not valid if there is none.
  FunctionId partial(FunctionId function, std::uint32_t argument);
  FunctionId find_function(std::string_view name) const;
  const UserFunction& function(FunctionId id) const { return functions_[id.value]; }
  /// All functions in order of definition.
  std::span<const UserFunction> functions() const { return functions_; }

  // Looking at canonical ids.
  std::size_t size() const { return nodes_.size(); }
  Op op(ExprId id) const { return nodes_[id.value].op; }
  std::span<const ExprId> children(ExprId id) const {
    const Node& node = nodes_[id.value];
    return {children_.data() + node.first, node.count};
  }
  bool is_number(ExprId id) const { return op(id) == Op::number; }
  bool is_symbol(ExprId id) const { return op(id) == Op::symbol; }
  const Number& number_of(ExprId id) const { return numbers_[nodes_[id.value].payload]; }
  bool truth_of(ExprId id) const { return nodes_[id.value].payload != 0; }
  const Symbol& symbol_of(ExprId id) const { return symbols_[nodes_[id.value].payload]; }
  FunctionId function_of(ExprId id) const { return {nodes_[id.value].payload}; }
  bool is_condition(ExprId id) const { return symbolic::is_condition(op(id)); }
  bool is_zero(ExprId id) const { return id == small_integers_[small_integers_from]; }
  bool is_one(ExprId id) const { return id == small_integers_[small_integers_from + 1]; }
  /// Content hash: the same in every pool, whatever the order of construction.
  std::uint64_t hash(ExprId id) const { return nodes_[id.value].hash; }
  /// Length of the longest path down to a leaf.
  std::uint32_t height(ExprId id) const { return nodes_[id.value].height; }
  /// The canonical order of terms and factors: by leading symbol's name, then height, then content.
  bool precedes(ExprId a, ExprId b) const { return is_before(a, b); }
  /// "x", "der(x)", "der(der(x))", "time".
  std::string symbol_text(ExprId symbol) const;
  /// Bytes held by the pool.
  std::size_t memory_bytes() const;

 private:
  friend class NodeIndex;
  struct Node {
    std::uint64_t hash;
    std::uint32_t first;  // into children_
    std::uint32_t count;
    std::uint32_t payload;  // number, symbol, truth value or function
    std::uint32_t height;
    std::uint32_t lead;  // symbol (index of the chain's base) that comes first by name; none: no
                         // symbol at all
    Op op;
    bool unit_content = false;  // of a sum: known to have no number that all terms share
  };
  struct Pending {
    ExprId a;
    ExprId b;
    ExprId canonical;
    PendingOp op;
    bool absorbed = false;  // part of something larger that was made canonical
  };
  struct Term {
    ExprId rest;
    Number coefficient;
  };
  struct Factor {
    ExprId base;
    ExprId exponent;
  };
  using Terms = ShortList<Term>;
  using Factors = ShortList<Factor>;
  struct PendingParts {
    ShortList<Term> parts;  // factors with their exponents, for a product
    ShortList<std::uint32_t> walked;
  };
  struct SymbolOrder {
    std::uint64_t prefix;  // see natural_prefix
    std::uint32_t rank;    // among all bases, when they were last ranked
  };
  /// Scratch marks over nodes, reused between traversals (see traverse.hpp).
  struct Marks {
    std::vector<std::uint64_t, BlockAllocator<std::uint64_t>> entries;  // epoch << 32 | index
    std::uint32_t epoch = 0;
  };

  static constexpr std::uint32_t pending_bit = 0x80000000u;
  static constexpr std::uint32_t no_lead = 0xffffffffu;
  static constexpr std::uint32_t unranked = 0xffffffffu;
  static constexpr std::size_t line_size = 8;  // slots: one line of the processor's cache

  ExprId intern(Op op, std::uint32_t payload, std::span<const ExprId> children);
  ExprId intern(Op op, ExprId a);
  ExprId intern(Op op, ExprId a, ExprId b);
  ExprId intern_sum(std::span<const ExprId> children, bool unit_content);
  Node leaf(Op op, std::uint32_t payload) const;
  void adopt(Node& node, const Node& below) const;
  std::uint32_t first_lead(std::span<const ExprId> ids) const;
  template <class Children>
  ExprId enter(Node& node, const Children& children);
  template <class Children>
  ExprId append(Node& node, const Children& children);
  void append_children(std::span<const ExprId> children);
  /// True if the pool may move the ids while it grows.
  bool owns(std::span<const ExprId> ids) const {
    return ids.data() >= children_.data() && ids.data() < children_.data() + children_.size();
  }
  template <class Same>
  std::uint64_t* find_slot(std::uint64_t hash, std::size_t home, Same same);
  std::size_t name_slot(std::string_view name, std::uint64_t hash) const;
  ExprId enter_symbol(Symbol symbol, std::uint64_t name_hash, std::uint64_t prefix);
  ExprId intern_symbol(std::uint32_t index, std::uint64_t name_hash);
  void grow_names();
  ExprId intern_number(const Number& value);
  ExprId resolve_pending(ExprId id);
  ExprId finished(ExprId operand) const;
  ExprId pending_operand(ExprId operand, PendingOp op);
  bool is_fresh_chain(std::uint32_t root) const;
  ExprId finish_chain(std::uint32_t root);
  PendingParts pending_parts(std::uint32_t root) const;
  ExprId finish_pending(std::uint32_t index, const PendingParts& pending);
  void gather_terms(ExprId id, const Number& coefficient, Terms& terms, Number& constant);
  void sort_terms(Terms& terms);
  void sort_many(Terms& terms);
  ExprId finish_sum(Terms& terms, const Number& constant);
  void gather_factors(ExprId id, const Number& exponent, Factors& factors, Number& coefficient);
  ExprId finish_product(Factors& factors, Number coefficient);
  bool divides_by_zero(ExprId base, ExprId exponent) const;
  bool divides_by_zero(ExprId id) const;
  bool are_settled(const Factors& factors);
  ExprId join_factors(const Factors& factors, Number coefficient);
  ExprId scale(Number coefficient, ExprId rest);
  ExprId fold_function(Op op, std::span<const ExprId> arguments);
  ExprId odd_even(Op op, ExprId argument);
  ExprId compare(Op op, ExprId a, ExprId b);
  ExprId connective(Op op, std::span<const ExprId> arguments);
  bool leads_negative(ExprId id) const;
  /// Neither a number, a sum, a product, a power nor a condition: combines with such others as it
  /// is.
  bool is_indivisible(ExprId id) const {
    const Op op = this->op(id);
    return op == Op::symbol || (op > Op::pow && !symbolic::is_condition(op));
  }
  /// A sum that is opened up when it becomes part of a larger one, rather than kept whole for its
  /// size.
  bool is_open_sum(ExprId id) const {
    const Node& node = nodes_[id.value];
    return node.op == Op::add && node.count <= flat_sum_limit;
  }
  Number content(ExprId sum) const;
  /// True if `content` is one; remembered.
  bool has_unit_content(ExprId sum) {
    return nodes_[sum.value].unit_content || find_unit_content(sum);
  }
  bool find_unit_content(ExprId sum);
  void require_numbers(Op op, std::span<const ExprId> arguments) const {
    for (const ExprId argument : arguments) require_number(op, argument);
  }
  void require_number(Op op, ExprId argument) const {
    if (is_condition(argument)) [[unlikely]]
      refuse_condition(op, argument);
  }
  [[noreturn]] void refuse_condition(Op op, ExprId argument) const;
  void require_conditions(Op op, std::span<const ExprId> arguments) const;
  /// The order of symbols that are the bases of their chains.
  bool symbol_precedes(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t left = symbol_order_[a].rank;
    const std::uint32_t right = symbol_order_[b].rank;
    return left != unranked && right != unranked ? left < right : name_precedes(a, b);
  }
  bool name_precedes(std::uint32_t a, std::uint32_t b) const;
  /// `precedes` for inside the pool.
  bool is_before(ExprId a, ExprId b) const {
    const Node& left = nodes_[a.value];
    const Node& right = nodes_[b.value];
    if (left.lead == right.lead || left.lead == no_lead || right.lead == no_lead)
      return is_before_with_same_lead(a, b);
    return symbol_precedes(left.lead, right.lead);
  }
  bool is_before_with_same_lead(ExprId a, ExprId b) const;  // or with none
  void grow_table();
  void rank_symbols();
  void define_differences(FunctionId function, std::uint32_t argument);

  template <class T>
  using Array = std::vector<T, BlockAllocator<T>>;
  Array<Node> nodes_;
  Array<ExprId> children_;
  // Lines of `line_size` slots, a power of two of them; a slot is half the hash, and the id.
  using Table = Array<std::uint64_t>;
  Table table_;
  std::vector<Number> numbers_;
  std::vector<Symbol> symbols_;
  std::vector<SymbolOrder> symbol_order_;  // [n_symbols]
  std::size_t n_ranked_ = 0;
  std::vector<std::uint32_t> by_rank_;  // bases, when they were last ranked
  Table names_;                         // like table_: half the hash of a name, and its symbol
  std::size_t n_names_ = 0;
  std::vector<UserFunction> functions_;
  std::unordered_map<std::string, FunctionId> function_by_name_;  // looked up, never iterated
  Array<Pending> pending_;
  static constexpr std::uint64_t small_integers_from = 8;  // below zero
  std::array<ExprId, 32> small_integers_;                  // none: not asked for yet
  ExprId time_;
  mutable std::mutex idle_marks_mutex_;
  mutable std::vector<std::unique_ptr<Marks>> idle_marks_;
};

}  // namespace alembert::symbolic
