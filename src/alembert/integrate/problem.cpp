// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/problem.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/integrate/start_changes.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/parse.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::integrate {

using compile::CompiledModel;
using symbolic::ExprId;

/// A quantity as a kernel over [time, variables..., derivatives that the model has not], and the
/// variables whose derivatives those are.
struct Solution::Evaluator {
  compile::Kernel kernel;
  std::vector<std::uint32_t> differentiated;
};

Solution::Solution(std::shared_ptr<const CompiledModel> model, SimulationResult result,
                   std::shared_ptr<const DenseHistory> history)
    : model_(std::move(model)),
      result_(std::move(result)),
      history_(std::move(history)),
      symbols_(model_->n_variables()) {
  const symbolic::ExprPool& pool = *model_->flat().pool;
  for (const flat::Unknown& unknown : model_->flat().unknowns)
    for (ExprId symbol = unknown.symbol;
         symbol.valid() && model_->variable_of(symbol) < model_->n_variables();
         symbol = pool.symbol_of(symbol).derivative)
      symbols_[model_->variable_of(symbol)] = symbol;
}

ExprId Solution::parse(std::string_view quantity) const {
  symbolic::ExprPool& pool = *model_->flat().pool;
  const auto observed = [this](std::string_view name) {
    const auto& all = model_->flat().observed;
    const auto found = std::ranges::find(all, name, &flat::Observed::name);
    return found != all.end() ? found->value : ExprId::none();
  };
  if (const ExprId value = observed(quantity); value.valid()) return value;
  const auto& names = model_->variable_names();
  const auto found = std::find(names.begin(), names.end(), quantity);
  if (found != names.end()) return symbols_[static_cast<std::size_t>(found - names.begin())];
  if (const ExprId symbol = pool.find_symbol(quantity); symbol.valid()) return symbol;
  return symbolic::parse_id(pool, quantity, {.meaning = observed});
}

const Solution::Evaluator& Solution::evaluator(ExprId quantity) const {
  auto& entry = evaluators_[quantity];
  if (entry) return *entry;
  symbolic::ExprPool& pool = *model_->flat().pool;
  auto made = std::make_shared<Evaluator>();
  std::vector<ExprId> inputs{pool.time()};
  inputs.insert(inputs.end(), symbols_.begin(), symbols_.end());
  for (const ExprId symbol : symbolic::free_symbols(pool, quantity)) {
    const symbolic::Symbol& s = pool.symbol_of(symbol);
    if (s.kind != symbolic::SymbolKind::unknown || s.order == 0 ||
        model_->variable_of(symbol) < model_->n_variables())
      continue;
    const auto below = std::find_if(symbols_.begin(), symbols_.end(), [&](ExprId variable) {
      return pool.symbol_of(variable).derivative == symbol;
    });
    if (below == symbols_.end())
      throw Error("I017", "'" + pool.symbol_text(symbol) +
                              "' cannot be had: the model has no derivative of such an order.");
    inputs.push_back(symbol);
    made->differentiated.push_back(static_cast<std::uint32_t>(below - symbols_.begin()));
  }
  made->kernel = compile::make_kernel(
      compile::lower(pool, inputs, model_->constants().symbols, std::vector<ExprId>{quantity}));
  entry = std::move(made);
  return *entry;
}

namespace {

/// All variables in a segment, for states that need not be those of the solution.
class SegmentPoint {
 public:
  SegmentPoint(const CompiledModel& model, const DenseHistory::Segment& segment)
      : model_(model),
        segment_(segment),
        n_states_(segment.chart->states.size()),
        constants_(*segment.constants),
        inputs_(1 + model.n_variables()),
        outputs_(model.n_variables() + model.n_observed()),
        interpolated_(segment.width()),
        workspace_(std::max(segment.chart->variables.shape().workspace_size,
                            segment.chart->derivatives.shape().workspace_size)) {}

  /// [n_states] at a time of the segment.
  std::vector<double> states(double t) {
    segment_.at(t, interpolated_);
    return {interpolated_.begin(), interpolated_.begin() + static_cast<std::ptrdiff_t>(n_states_)};
  }
  /// The states a little later, to first order: along their slopes, or along the polynomial where
  /// the chart has none, because all variables are its states.
  using Tangent = std::function<std::vector<double>(double later)>;
  Tangent tangent(double t, const std::vector<double>& y) {
    if (!segment_.chart->derivatives) return [this, t](double later) { return states(t + later); };
    enter(t, y);
    std::vector<double> f(n_states_);
    segment_.chart->derivatives(inputs_.data(), constants_.data(), f.data(), workspace_.data());
    return [y, f](double later) {
      std::vector<double> moved = y;
      for (std::size_t i = 0; i < y.size(); ++i) moved[i] += later * f[i];
      return moved;
    };
  }
  std::span<const double> variables(double t, std::span<const double> y) {
    enter(t, y);
    segment_.chart->variables(inputs_.data(), constants_.data(), outputs_.data(),
                              workspace_.data());
    return std::span<const double>(outputs_).first(model_.n_variables());
  }
  const std::vector<double>& constants() const { return constants_; }

 private:
  void enter(double t, std::span<const double> y) {
    inputs_[0] = t;
    std::copy(segment_.guess.begin(), segment_.guess.end(), inputs_.begin() + 1);
    for (std::size_t i = 0; i < n_states_; ++i) inputs_[1 + segment_.chart->states[i]] = y[i];
    if (interpolated_.size() == n_states_) return;
    segment_.at(t, interpolated_);
    std::copy(interpolated_.begin() + static_cast<std::ptrdiff_t>(n_states_), interpolated_.end(),
              constants_.begin() + model_.constants().delays);
  }

  const CompiledModel& model_;
  const DenseHistory::Segment& segment_;
  std::size_t n_states_;
  std::vector<double> constants_, inputs_, outputs_, interpolated_;
  compile::AlignedDoubles workspace_;
};

}  // namespace

double Solution::value(double t, const Evaluator& evaluator, Side side) const {
  if (history_->empty()) throw Error("I017", "the run took no step: no solution is known.");
  if (!history_->knows(t))
    throw Error("I017", "the solution is known from " + number_text(history_->start()) + " to " +
                            number_text(history_->end()) + ", not at " + number_text(t) + ".");
  const DenseHistory::Segment& segment = history_->find(t, side);
  SegmentPoint point(*model_, segment);
  const std::vector<double> y = point.states(t);
  const auto here = point.variables(t, y);
  std::vector<double> inputs{t};
  inputs.insert(inputs.end(), here.begin(), here.end());
  if (!evaluator.differentiated.empty()) {
    // Along the slope of the solution; four points, so that the error is of order h^4.
    const SegmentPoint::Tangent tangent = point.tangent(t, y);
    const double length = segment.t - segment.t_old;
    const double h = 1e-3 * (length > 0 ? length : std::max(1e-3, 1e-3 * std::abs(t)));
    std::vector<double> derivatives(evaluator.differentiated.size(), 0.0);
    for (const auto& [steps, weight] :
         {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
      const auto there = point.variables(t + steps * h, tangent(steps * h));
      for (std::size_t k = 0; k < derivatives.size(); ++k)
        derivatives[k] += weight / (12 * h) * there[evaluator.differentiated[k]];
    }
    inputs.insert(inputs.end(), derivatives.begin(), derivatives.end());
    point.variables(t, y);  // what is delayed, as it is here
  }
  double result = 0;
  compile::AlignedDoubles workspace(evaluator.kernel.shape().workspace_size);
  evaluator.kernel(inputs.data(), point.constants().data(), &result, workspace.data());
  return result;
}

double Solution::operator()(double t, const symbolic::Expr& quantity, Side side) const {
  return value(t, evaluator(quantity.id_in(*model_->flat().pool)), side);
}

double Solution::operator()(double t, std::string_view quantity, Side side) const {
  return value(t, evaluator(parse(quantity)), side);
}

std::vector<double> Solution::values(ExprId quantity) const {
  const Evaluator& at_each = evaluator(quantity);
  const std::vector<double>& t = times();
  std::vector<double> result;
  result.reserve(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    const bool before = i + 1 < t.size() && t[i + 1] == t[i];
    result.push_back(history_->knows(t[i])
                         ? value(t[i], at_each, before ? Side::before : Side::after)
                         : std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

std::vector<double> Solution::operator[](const symbolic::Expr& quantity) const {
  return values(quantity.id_in(*model_->flat().pool));
}

std::vector<double> Solution::operator[](std::string_view quantity) const {
  return values(parse(quantity));
}

Problem::Problem(flat::FlatSystem flat, SimulateOptions options)
    : Problem(std::make_shared<const CompiledModel>(std::move(flat)), std::move(options)) {}

Problem::Problem(std::shared_ptr<const CompiledModel> model, SimulateOptions options)
    : model_(std::move(model)), options_(std::move(options)) {}

Problem Problem::remake(const Values& values) const {
  Problem changed = *this;
  const auto& parameters = model_->flat().parameters;
  const auto& names = model_->variable_names();
  for (const auto& [name, value] : values) {
    const bool is_parameter = std::any_of(parameters.begin(), parameters.end(), [&](const auto& p) {
      return model_->flat().pool->symbol_text(p.symbol) == name;
    });
    if (is_parameter)
      changed.options_.parameters[name] = value;
    else if (std::find(names.begin(), names.end(), name) != names.end() ||
             find_discrete(*model_, name))
      changed.options_.starts[name] = value;
    else
      throw Error("I013", "'" + name + "' is neither a parameter nor a variable of " +
                              model_->flat().name + ".");
  }
  return changed;
}

Problem Problem::remake(SimulateOptions options) const {
  options.parameters.insert(options_.parameters.begin(), options_.parameters.end());
  options.starts.insert(options_.starts.begin(), options_.starts.end());
  return Problem(model_, std::move(options));
}

Solution Problem::solve() const {
  auto history = std::make_shared<DenseHistory>();
  SimulateOptions options = options_;
  options.dense = history.get();
  SimulationResult result = simulate(*model_, options);
  return Solution(model_, std::move(result), std::move(history));
}

}  // namespace alembert::integrate
