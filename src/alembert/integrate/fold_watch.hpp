// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Folds ahead: where a block of equations that is nonlinear in its unknowns, and
// that no choice of states touches, turns singular. Two branches of its solution meet there; an
// iteration that begins at the last value stays on the wrong one, or finds none. In: a point, step
// by step. Out: whether the determinant of such a block is on its way through zero.
#pragma once

#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/compile/model/series_model.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

class FoldWatch {
 public:
  /// The blocks of a chart. None where the model has no Taylor series, by which a fold
  /// could be passed, or is so large that they would cost more than they bring.
  FoldWatch(ModelPoint& point, const compile::CompiledChart& chart);

  bool any() const { return !blocks_.empty(); }

  /// After a step, at its end, where the point is.
  void look();
  /// False until the first look, and after `forget`: then nothing says what comes.
  bool began() const { return began_; }
  /// What was before says nothing of what comes, as after an event.
  void forget();
  /// A determinant falls to zero within `n_steps` like the last. Most that do come along a straight
  /// line or faster; one that fades as an exponential does never arrives.
  bool ahead(double n_steps) const;
  /// A determinant was about to reach zero before `t` or soon after it.
  bool arrives_by(double t) const;
  /// At the point, at `t`, one of those has the sign that it had.
  bool kept_sign(double t);
  /// The smallest of those that were falling, at the point, beside what it was at the last look.
  double share_of_last();
  /// The least of all at the point beside what it was at the last look; below zero where one has
  /// changed its sign.
  double least_share();
  /// There are two branches that come near to each other without meeting: nothing to be passed
  /// before `t`.
  void disregard_until(double t) { disregarded_until_ = t; }
  /// One that was small and falling has grown at the point without having changed its sign: the
  /// iteration went to another branch, far away, since the one that was followed ends.
  bool jumped();
  /// All of them are far from zero again.
  bool clear() const;
  /// They stay as small as they are.
  void take_for_usual();
  /// A passage led nowhere. False where that happens again and again: then there is nothing to be
  /// found by looking.
  bool look_on_in_vain() { return ++n_in_vain_ < most_in_vain; }

  void exchange(Archive& archive);

 private:
  struct Block {
    std::vector<std::uint32_t> entries;      // of the matrix: places among its entries
    std::vector<std::uint32_t> row, column;  // of each, in the block
    std::uint32_t size = 0;
  };
  struct Trend {  // of a determinant
    double now = 0, usual = 0;
    double zero = never;       // when it would arrive, by the last step
    double seen_at = 0;        // while it was still large:
    double seen_zero = never;  // ... when it would
  };
  static constexpr std::uint32_t most_in_vain = 3;
  static constexpr double never = infinity;

  bool find_blocks(const compile::CompiledChart& chart);
  /// [n blocks], rows scaled by what they have been.
  void find_determinants();

  ModelPoint& point_;
  const compile::SeriesModel* series_ = nullptr;
  compile::Kernel matrix_;  // inputs: [time, variables of the structure]; outputs: entries
  compile::AlignedDoubles workspace_;
  std::vector<double> inputs_, entries_;
  std::vector<Block> blocks_;
  std::vector<std::vector<double>> row_sizes_;  // [n blocks][size]
  std::vector<double> found_;                   // [n blocks]
  std::vector<double> dense_;
  std::vector<Trend> trends_;  // [n blocks]
  double t_ = 0;               // of the last look
  double last_step_ = 0;
  bool began_ = false;
  std::uint32_t n_in_vain_ = 0;
  double disregarded_until_ = -never;
};

}  // namespace alembert::integrate
