// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/series_model.hpp"

#include <algorithm>
#include <limits>

#include "alembert/base/error.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::compile {

using symbolic::ExprId;

namespace {

/// Straight-line code of a series should not be longer than this.
constexpr double most_operations = 3e6;
constexpr std::uint32_t most_useful_stages = 60;

bool sums_over_orders(TapeOp op) {
  return op == TapeOp::mul || op == TapeOp::div || op == TapeOp::sqrt || is_elementary(op) ||
         (op >= TapeOp::fma && op <= TapeOp::fnms);
}

/// (n + 1) (n + 2) ... m, or the inverse where m < n.
double factorial_ratio(std::int64_t m, std::int64_t n) {
  double ratio = 1;
  for (std::int64_t k = n + 1; k <= m; ++k) ratio *= double(k);
  for (std::int64_t k = m + 1; k <= n; ++k) ratio /= double(k);
  return ratio;
}

}  // namespace

SeriesModel::SeriesModel(const SeriesRequest& request)
    : offsets_(request.plan.differentiations),
      n_values_(static_cast<std::uint32_t>(request.variables.size())),
      n_crossings_(static_cast<std::uint32_t>(request.crossings.size())),
      backend_(request.backend) {
  const auto& variables = request.plan.structure.variables;
  chains_.resize(request.flat.unknowns.size());
  chain_of_.resize(n_values_);
  order_of_.resize(n_values_);
  for (std::size_t j = 0; j < chains_.size(); ++j) {
    chains_[j].place.resize(request.plan.highest_order[j] + 1);
    n_hidden_ = std::max(n_hidden_, request.plan.highest_order[j]);
    unknown_names_.push_back(request.flat.pool->symbol_text(request.flat.unknowns[j].symbol));
  }
  for (std::uint32_t v = 0; v < n_values_; ++v) {
    chains_[variables[v].unknown].place[variables[v].order] = v;
    chain_of_[v] = variables[v].unknown;
    order_of_[v] = variables[v].order;
  }
  for (const auto& equation : request.flat.equations)
    equation_texts_.push_back(flat::equation_text(request.flat, equation));

  TapeBuilder builder(1 + n_values_, static_cast<std::uint32_t>(request.constants.size()));
  Lowering lowering(*request.flat.pool, builder);
  lowering.bind(request.flat.pool->time(), builder.input(0));
  for (std::uint32_t i = 0; i < request.constants.size(); ++i)
    lowering.bind(request.constants[i], builder.parameter(i));
  for (std::uint32_t v = 0; v < n_values_; ++v)
    lowering.bind(request.variables[v], builder.input(1 + v));
  for (const ValueId value : lowering.lower(request.residuals)) builder.output(value);
  for (const EliminatedVariable& eliminated : request.eliminated)
    lowering.bind(eliminated.symbol, lowering.lower(eliminated.value));
  for (const ValueId value : lowering.lower(request.crossings)) builder.output(value);
  tape_ = std::move(builder).finish();

  require_series(request);
  branches_ = TapeSeries::branches(tape_);
  measure();
  write_matrix(request);
}

void SeriesModel::require_series(const SeriesRequest& request) const {
  if (!request.flat.delays.empty())
    throw Error("C004",
                "the model delays a quantity, and what was is no Taylor series. Use another "
                "method, such as auto.",
                request.flat.delays.front().origin);
  if (!request.flat.transports.empty())
    throw Error("C004",
                "what moves through a pipe (spatialDistribution) is no Taylor series. Use another "
                "method, such as auto.",
                request.flat.transports.front().origin);
  const auto obstacle = TapeSeries::obstacle(tape_);
  if (!obstacle) return;
  const symbolic::ExprPool& pool = *request.flat.pool;
  std::vector<Note> notes;
  for (std::size_t i = 0; i < request.residuals.size() && notes.empty(); ++i) {
    const symbolic::Reach reach(pool, request.residuals[i]);
    for (const ExprId node : reach.nodes()) {
      const bool here = pool.op(node) == symbolic::Op::call
                            ? pool.function(pool.function_of(node)).name == obstacle->function
                            : symbolic::name(pool.op(node)) == obstacle->function;
      if (!here) continue;
      notes.push_back({equation_texts_[i], request.flat.equations[i].origin});
      break;
    }
  }
  throw Error("C003",
              "the function '" + obstacle->function +
                  "' has no Taylor series that is known here, which methods that take the "
                  "equations as they are (taylor, rattle) need. Write it as an expression, or use "
                  "another method, such as auto.",
              request.flat.origin, notes);
}

/// Which coefficients each instruction needs, and which of them wait for a stage to be solved.
void SeriesModel::measure() {
  constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();
  const std::size_t n = tape_.code.size();
  std::vector<std::uint32_t> known(n, unlimited);  // coefficient s + known is known after stage s
  need_.assign(n, 0);
  const auto each_operand = [&](const Instruction& i, auto&& visit) {
    const std::uint32_t operands[] = {i.a, i.b, i.c};
    for (int k = 0; k < n_value_operands(i.op); ++k) visit(operands[k]);
  };
  for (ValueId v = 0; v < n; ++v) {
    const Instruction& i = tape_.code[v];
    if (i.op == TapeOp::input && i.a > 0)
      known[v] = chains_[chain_of_[i.a - 1]].highest() - order_of_[i.a - 1];
    each_operand(i, [&](ValueId u) { known[v] = std::min(known[v], known[u]); });
    if (sums_over_orders(i.op)) ++n_products_;
  }
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    std::uint32_t& need = need_[tape_.outputs[i]];
    need = std::max(need, offsets_[i]);
  }
  for (ValueId v = static_cast<ValueId>(n); v-- > 0;) {
    each_operand(tape_.code[v], [&](ValueId u) { need_[u] = std::max(need_[u], need_[v]); });
    if (tape_.code[v].op == TapeOp::call || tape_.code[v].op == TapeOp::call_many)
      for (const ValueId u : tape_.calls[tape_.code[v].a].arguments)
        need_[u] = std::max(need_[u], need_[v]);
  }
  awaits_.resize(n);
  for (ValueId v = 0; v < n; ++v) awaits_[v] = known[v] == need_[v];
  const double others = double(n) + 10.0 * double(n_values_);
  most_stages_ = 2;
  while (most_stages_ < most_useful_stages &&
         0.5 * double(n_products_) * most_stages_ * most_stages_ + others * most_stages_ <
             most_operations)
    ++most_stages_;
}

void SeriesModel::write_matrix(const SeriesRequest& request) {
  symbolic::ExprPool& pool = *request.flat.pool;
  std::vector<ExprId> entries;
  symbolic::NodeIndex place(pool);
  for (std::uint32_t v = 0; v < n_values_; ++v) place.set(request.variables[v], v);
  for (std::uint32_t i = 0; i < request.residuals.size(); ++i) {
    std::vector<std::uint32_t> columns;
    std::vector<ExprId> by;
    for (const ExprId symbol : free_symbols(pool, request.residuals[i])) {
      const std::uint32_t v = place[symbol];
      if (v == symbolic::NodeIndex::absent) continue;
      if (chains_[chain_of_[v]].highest() != order_of_[v] + offsets_[i]) continue;
      columns.push_back(chain_of_[v]);
      by.push_back(symbol);
    }
    const std::vector<ExprId> row = gradient(pool, request.residuals[i], by);
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (pool.is_zero(row[k])) continue;
      matrix_entries_.push_back({i, columns[k]});
      entries.push_back(row[k]);
      bool constant = true;
      for (const ExprId symbol : free_symbols(pool, row[k])) {
        const auto kind = pool.symbol_of(symbol).kind;
        constant = constant && kind == symbolic::SymbolKind::parameter;
        if (const std::uint32_t v = place[symbol]; v != symbolic::NodeIndex::absent)
          linear_in_highest_ = linear_in_highest_ && order_of_[v] < chains_[chain_of_[v]].highest();
      }
      matrix_constant_.push_back(constant);
    }
  }
  std::vector<ExprId> inputs{pool.time()};
  inputs.insert(inputs.end(), request.variables.begin(), request.variables.end());
  matrix_tape_ = lower(pool, inputs, request.constants, entries);
}

std::vector<Pivot> SeriesModel::pivots_at(double time, const double* y,
                                          const double* constants) const {
  const Kernel kernel = make_kernel(matrix_tape_, Backend::interpreter);
  std::vector<double> inputs(1 + n_values_);
  inputs[0] = time;
  std::copy_n(y, n_values_, inputs.begin() + 1);
  std::vector<double> entries(matrix_entries_.size());
  AlignedDoubles workspace(kernel.shape().workspace_size);
  kernel(inputs.data(), constants, entries.data(), workspace.data());
  return choose_pivots(static_cast<std::uint32_t>(chains_.size()), matrix_entries_, entries,
                       matrix_constant_);
}

bool SeriesModel::branch_holds(std::size_t branch, double difference) const {
  switch (tape_.code[branches_[branch].node].op) {
    case TapeOp::less:
    case TapeOp::min: return difference < 0;
    case TapeOp::less_equal: return difference <= 0;
    case TapeOp::max: return difference > 0;
    default: return difference >= 0;  // abs, sign
  }
}

std::string SeriesModel::describe_singular(std::span<const Pivot> pivots) const {
  std::vector<char> row(offsets_.size(), 0), column(chains_.size(), 0);
  for (const Pivot& pivot : pivots) row[pivot.row] = column[pivot.column] = 1;
  std::vector<std::string> equations, unknowns;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (!row[i]) equations.push_back(equation_texts_[i]);
  for (std::size_t j = 0; j < column.size(); ++j)
    if (!column[j]) unknowns.push_back(flat::in_quotes(unknown_names_[j]));
  return "the equations do not determine " + flat::listed(unknowns) + " here; " +
         flat::listed(equations) + " says nothing new";
}

// ---- kernels
// --------------------------------------------------------------------------------------

/// Writes one kernel: what is common to both.
class SeriesModel::Writer {
 public:
  Writer(const SeriesModel& model, const std::vector<Pivot>& pivots)
      : model_(model),
        n_inputs_(1 + model.n_values_ + model.n_branches()),
        builder_(n_inputs_, model.tape_.n_parameters),
        series_(model.tape_, builder_) {
    for (std::uint32_t b = 0; b < model.n_branches(); ++b)
      series_.set_branch(b,
                         builder_.apply(TapeOp::not_equal, builder_.input(1 + model.n_values_ + b),
                                        builder_.constant(0.0)));
    series_.set_input(0, 0, builder_.input(0));
    series_.set_input(0, 1, builder_.constant(1.0));
    std::vector<ValueId> entries = copy_matrix();
    elimination_.emplace(builder_, static_cast<std::uint32_t>(model.chains_.size()),
                         model.matrix_entries_, entries, pivots);
  }

  /// Derivative `order` of an unknown, as input.
  ValueId given(std::uint32_t unknown, std::uint32_t order) {
    return builder_.input(1 + model_.chains_[unknown].place[order]);
  }

  /// A derivative of an unknown is known: a coefficient of it and of its lower derivatives.
  void set_derivative(std::uint32_t unknown, std::int64_t order, ValueId value) {
    const Chain& chain = model_.chains_[unknown];
    for (std::uint32_t m = 0; m <= chain.highest() && m <= order; ++m) {
      const auto k = static_cast<std::uint32_t>(order - m);
      series_.set_input(1 + chain.place[m], k, scaled(factorial_ratio(0, k), value));
    }
  }

  /// The same of a coefficient.
  void set_coefficient(std::uint32_t unknown, std::int64_t order, ValueId value) {
    const Chain& chain = model_.chains_[unknown];
    for (std::uint32_t m = 0; m <= chain.highest() && m <= order; ++m) {
      const auto k = static_cast<std::uint32_t>(order - m);
      series_.set_input(1 + chain.place[m], k, scaled(factorial_ratio(order, k), value));
    }
  }

  void sweep(std::int64_t stage, bool only_waiting) {
    for (ValueId v = 0; v < model_.tape_.code.size(); ++v) {
      if (only_waiting && !model_.awaits_[v]) continue;
      const std::int64_t k = stage + model_.need_[v];
      if (k >= 0) series_.compute(v, static_cast<std::uint32_t>(k));
    }
  }

  /// By unknown: how much (s + d_j)! / s! times coefficient s + d_j is too large in stage s.
  std::vector<ValueId> solve(std::int64_t stage) {
    const std::int64_t base = std::max<std::int64_t>(stage, 0);
    std::vector<ValueId> right(model_.offsets_.size(), no_value);
    for (std::size_t i = 0; i < right.size(); ++i) {
      const std::int64_t k = stage + model_.offsets_[i];
      if (k < 0) continue;
      right[i] = scaled(factorial_ratio(k, base),
                        series_.at(model_.tape_.outputs[i], static_cast<std::uint32_t>(k)));
    }
    return elimination_->solve(std::move(right));
  }

  ValueId scaled(double factor, ValueId value) {
    if (value == no_value || factor == 1) return value;
    if (factor == -1) return builder_.apply(TapeOp::neg, value);
    return builder_.apply(TapeOp::mul, value, builder_.constant(factor));
  }

  ValueId number(ValueId value) { return value == no_value ? builder_.constant(0.0) : value; }

  Tape correct() {
    std::vector<ValueId> result(model_.n_values_);
    const auto n_unknowns = static_cast<std::uint32_t>(model_.chains_.size());
    for (std::int64_t stage = -std::int64_t{model_.n_hidden_}; stage <= 0; ++stage) {
      enter_given(stage);
      sweep(stage, false);
      const std::vector<ValueId> excess = solve(stage);
      for (std::uint32_t j = 0; j < n_unknowns; ++j) {
        const std::int64_t order = stage + model_.chains_[j].highest();
        if (order < 0) continue;
        ValueId value = given(j, static_cast<std::uint32_t>(order));
        if (excess[j] != no_value) value = builder_.apply(TapeOp::sub, value, excess[j]);
        result[model_.chains_[j].place[static_cast<std::size_t>(order)]] = value;
        if (excess[j] != no_value) set_derivative(j, order, value);
      }
      if (stage < 0) sweep(stage, true);
    }
    for (const ValueId value : result) builder_.output(value);
    builder_.output(elimination_->quality());
    return finish();
  }

  Tape highest() {
    sweep_given();
    const std::vector<ValueId> excess = solve(0);
    for (std::uint32_t j = 0; j < model_.chains_.size(); ++j) {
      const ValueId value = given(j, model_.chains_[j].highest());
      builder_.output(excess[j] == no_value ? value
                                            : builder_.apply(TapeOp::sub, value, excess[j]));
    }
    builder_.output(elimination_->quality());
    return finish();
  }

  Tape independence() {
    builder_.output(elimination_->independence());
    return finish();
  }

  Tape series(std::uint32_t n_stages) {
    sweep_given();
    const auto n_unknowns = static_cast<std::uint32_t>(model_.chains_.size());
    std::vector<std::vector<ValueId>> found(n_unknowns);
    for (std::uint32_t stage = 1; stage <= n_stages; ++stage) {
      sweep(stage, false);
      const std::vector<ValueId> excess = solve(stage);  // over the zero that stands for it
      for (std::uint32_t j = 0; j < n_unknowns; ++j) {
        const std::int64_t order = std::int64_t{stage} + model_.chains_[j].highest();
        const ValueId value = scaled(-factorial_ratio(stage, order), excess[j]);
        found[j].push_back(number(value));
        if (value != no_value) set_coefficient(j, order, value);
      }
      sweep(stage, true);
    }
    for (const auto& coefficients : found)
      for (const ValueId value : coefficients) builder_.output(value);
    builder_.output(elimination_->quality());
    for (std::uint32_t c = 0; c < model_.n_crossings_; ++c)
      for (std::uint32_t k = 0; k <= n_stages; ++k)
        builder_.output(number(series_.at(model_.tape_.outputs[model_.offsets_.size() + c], k)));
    for (const SeriesBranch& branch : model_.branches_)
      for (std::uint32_t k = 0; k <= n_stages; ++k) {
        const ValueId left = number(series_.at(branch.left, k));
        const ValueId right = branch.right == no_value ? no_value : series_.at(branch.right, k);
        builder_.output(right == no_value ? left : builder_.apply(TapeOp::sub, left, right));
      }
    return finish();
  }

 private:
  /// The entries of the matrix at the point given.
  std::vector<ValueId> copy_matrix() {
    const Tape& tape = model_.matrix_tape_;
    TapeSeries values(tape, builder_);
    values.set_input(0, 0, builder_.input(0));
    for (std::uint32_t v = 0; v < model_.n_values_; ++v)
      values.set_input(1 + v, 0, builder_.input(1 + v));
    for (ValueId v = 0; v < tape.code.size(); ++v) values.compute(v, 0);
    std::vector<ValueId> entries;
    for (const ValueId output : tape.outputs) entries.push_back(number(values.at(output, 0)));
    return entries;
  }

  void enter_given(std::int64_t stage) {
    for (std::uint32_t j = 0; j < model_.chains_.size(); ++j) {
      const std::int64_t order = stage + model_.chains_[j].highest();
      if (order >= 0) set_derivative(j, order, given(j, static_cast<std::uint32_t>(order)));
    }
  }

  /// All stages up to 0 as they are.
  void sweep_given() {
    for (std::int64_t stage = -std::int64_t{model_.n_hidden_}; stage <= 0; ++stage) {
      enter_given(stage);
      sweep(stage, false);
    }
  }

  Tape finish() { return std::move(builder_).finish(); }

  const SeriesModel& model_;
  std::uint32_t n_inputs_;
  TapeBuilder builder_;
  TapeSeries series_;
  std::optional<StaticElimination> elimination_;
};

SeriesTapes SeriesModel::tapes(std::uint32_t n_stages, const std::vector<Pivot>& pivots) const {
  return {Writer(*this, pivots).correct(), Writer(*this, pivots).series(n_stages)};
}

const SeriesKernels& SeriesModel::kernels(std::uint32_t n_stages,
                                          const std::vector<Pivot>& pivots) const {
  const std::lock_guard lock(mutex_);
  auto& entry = kernels_[{n_stages, pivots}];
  if (entry) return *entry;
  auto made = std::make_unique<SeriesKernels>();
  made->n_stages = n_stages;
  made->pivots = pivots;
  const SeriesTapes made_from = tapes(n_stages, pivots);
  made->correct = make_kernel(made_from.correct, backend_);
  made->series = make_kernel(made_from.series, backend_);
  made->finish = make_kernel(Writer(*this, pivots).highest(), backend_);
  made->independence = make_kernel(Writer(*this, pivots).independence(), backend_);
  entry = std::move(made);
  return *entry;
}

}  // namespace alembert::compile
