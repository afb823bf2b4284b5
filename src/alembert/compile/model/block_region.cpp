// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/block_region.hpp"

#include <algorithm>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/sparse_solve.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::compile {

using structure::Block;
using symbolic::ExprId;

namespace {

/// An assignment or a residual, with its partial derivatives by tears and assigned unknowns.
struct Step {
  ExprId value;
  std::vector<std::uint32_t> depends_on;  // places among the block's own symbols
  std::vector<ExprId> partials;
};

class RegionMaker {
 public:
  RegionMaker(symbolic::ExprPool& pool, const structure::DifferentiatedSystem& differentiated,
              const Block& block, std::span<const ExprId> parameters,
              const std::unordered_set<ExprId>& found)
      : pool_(pool), block_(block), parameters_(parameters), found_(found) {
    for (const auto v : block.tears) own_.push_back(differentiated.variables[v]);
    for (const auto& assignment : block.assignments)
      own_.push_back(differentiated.variables[assignment.unknown]);
    for (std::uint32_t k = 0; k < own_.size(); ++k) place_.emplace_back(own_[k], k);
    std::sort(place_.begin(), place_.end());
    std::vector<ExprId> values;
    for (const auto& assignment : block.assignments) values.push_back(assignment.value);
    for (const auto e : block.residuals) values.push_back(differentiated.residuals[e]);
    for (const ExprId value : values) steps_.push_back(make_step(value));
    find_captured();
  }

  BlockRegion make() {
    const auto n_tears = static_cast<std::uint32_t>(block_.tears.size());
    TapeBuilder builder(n_tears + static_cast<std::uint32_t>(captured_.size()),
                        static_cast<std::uint32_t>(parameters_.size()));
    Lowering lowering(pool_, builder);
    for (std::uint32_t j = 0; j < n_tears; ++j) lowering.bind(own_[j], builder.input(j));
    for (std::uint32_t k = 0; k < captured_.size(); ++k)
      lowering.bind(captured_[k], builder.input(n_tears + k));
    for (std::uint32_t k = 0; k < parameters_.size(); ++k)
      lowering.bind(parameters_[k], builder.parameter(k));

    rows_.resize(own_.size());
    for (std::uint32_t j = 0; j < n_tears; ++j) rows_[j] = {{j, builder.constant(1.0)}};
    const std::size_t n_assigned = block_.assignments.size();
    for (std::size_t k = 0; k < n_assigned; ++k) {
      const std::vector<ValueId> values = lower_steps(lowering, {&steps_[k], 1});
      lowering.bind(own_[n_tears + k], values[0]);
      rows_[n_tears + k] = chain_rule(builder, steps_[k], std::span(values).subspan(1));
    }

    BlockRegion result;
    SolveRegion& region = result.region;
    region.kind =
        block_.kind == Block::Kind::linear ? SolveRegion::Kind::linear : SolveRegion::Kind::newton;
    region.n_unknowns = n_tears;
    // Residuals all at once, so that what they have in common is computed once.
    const std::span residuals = std::span<const Step>(steps_).subspan(n_assigned);
    const std::vector<ValueId> values = lower_steps(lowering, residuals);
    std::size_t at = 0;
    std::vector<ValueId> entries;
    for (std::uint32_t i = 0; i < residuals.size(); ++i) {
      builder.output(values[at++]);
      const std::size_t n_partials = residuals[i].partials.size();
      for (const Entry& entry :
           chain_rule(builder, residuals[i], std::span(values).subspan(at, n_partials))) {
        region.jacobian_rows.push_back(i);
        region.jacobian_columns.push_back(entry.tear);
        entries.push_back(entry.value);
      }
      at += n_partials;
    }
    for (const ValueId value : entries) builder.output(value);
    region.body = std::move(builder).finish();
    region.elimination =
        SparseElimination::make(n_tears, region.jacobian_rows, region.jacobian_columns);
    result.captured = std::move(captured_);
    return result;
  }

 private:
  struct Entry {
    std::uint32_t tear;
    ValueId value;
  };
  using DerivativeRow = std::vector<Entry>;  // by tear, ascending

  Step make_step(ExprId value) {
    Step step{value, {}, {}};
    std::vector<ExprId> symbols;
    {
      const symbolic::Reach reach(pool_, value);
      for (const ExprId node : reach.nodes()) {
        if (!pool_.is_symbol(node)) continue;
        const auto found =
            std::lower_bound(place_.begin(), place_.end(), std::pair(node, std::uint32_t{0}));
        if (found == place_.end() || found->first != node) continue;
        symbols.push_back(node);
        step.depends_on.push_back(found->second);
      }
    }
    step.partials = gradient(pool_, value, symbols);
    return step;
  }

  void find_captured() {
    std::vector<ExprId> all;
    for (const Step& step : steps_) {
      all.push_back(step.value);
      all.insert(all.end(), step.partials.begin(), step.partials.end());
    }
    for (const ExprId symbol : free_symbols(pool_, all)) {
      const auto found =
          std::lower_bound(place_.begin(), place_.end(), std::pair(symbol, std::uint32_t{0}));
      const bool own = found != place_.end() && found->first == symbol;
      const symbolic::SymbolKind kind = pool_.symbol_of(symbol).kind;
      const bool is_constant =
          kind == symbolic::SymbolKind::parameter || kind == symbolic::SymbolKind::discrete;
      if (!own && (!is_constant || found_.contains(symbol))) captured_.push_back(symbol);
    }
  }

  /// Value and partials of each, end to end.
  static std::vector<ValueId> lower_steps(Lowering& lowering, std::span<const Step> steps) {
    std::vector<ExprId> expressions;
    for (const Step& step : steps) {
      expressions.push_back(step.value);
      expressions.insert(expressions.end(), step.partials.begin(), step.partials.end());
    }
    return lowering.lower(expressions);
  }

  /// Sum over what the step depends on of partial derivative times derivative by the tears.
  DerivativeRow chain_rule(TapeBuilder& builder, const Step& step,
                           std::span<const ValueId> partials) {
    sum_.resize(block_.tears.size(), no_value);
    std::vector<std::uint32_t> touched;
    for (std::size_t k = 0; k < partials.size(); ++k) {
      if (pool_.is_zero(step.partials[k])) continue;
      for (const Entry& entry : rows_[step.depends_on[k]]) {
        ValueId& sum = sum_[entry.tear];
        if (sum == no_value) {
          touched.push_back(entry.tear);
          sum = builder.apply(TapeOp::mul, partials[k], entry.value);
        } else {
          sum = builder.apply(TapeOp::fma, partials[k], entry.value, sum);
        }
      }
    }
    std::sort(touched.begin(), touched.end());
    DerivativeRow row;
    for (const std::uint32_t tear : touched) {
      row.push_back({tear, sum_[tear]});
      sum_[tear] = no_value;
    }
    return row;
  }

  symbolic::ExprPool& pool_;
  const Block& block_;
  std::span<const ExprId> parameters_;
  const std::unordered_set<ExprId>& found_;
  std::vector<ExprId> own_;                              // tears, then assigned unknowns
  std::vector<std::pair<ExprId, std::uint32_t>> place_;  // of own_, by symbol
  std::vector<Step> steps_;                              // assignments, then residuals
  std::vector<ExprId> captured_;
  std::vector<DerivativeRow> rows_;  // [own_]: derivatives by the tears
  std::vector<ValueId> sum_;         // [n tears]; no_value between calls
};

}  // namespace

BlockRegion block_region(symbolic::ExprPool& pool,
                         const structure::DifferentiatedSystem& differentiated, const Block& block,
                         std::span<const ExprId> parameters,
                         const std::unordered_set<ExprId>& found) {
  return RegionMaker(pool, differentiated, block, parameters, found).make();
}

}  // namespace alembert::compile
