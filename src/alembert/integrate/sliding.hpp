// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Motion along surfaces where comparisons are undecided, because from all sides
// the equations lead back to them (Filippov, Differential Equations with Discontinuous Righthand
// Sides, 1988). In: the crossing functions g_i of the comparisons, and the constants of a model at
// the corners, which are above some surfaces and below the others. Out: the shares a_i of the upper
// sides such that dg/dt vanishes in the mean of the corners' derivatives; beyond 0 and 1 the motion
// leaves that surface to one side. dg/dt at each corner by central differences along its own
// derivatives. Where no side moves on a surface itself, or has no value there, as roots of what is
// zero, each is looked at a little beside it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace alembert::integrate {

class Archive;
class ModelPoint;

class Sliding {
 public:
  /// Bit i: above surface i.
  using Corner = std::uint64_t;
  static constexpr std::size_t most_surfaces = 32, most_products = 4;
  /// Up to four surfaces all corners count, each by the product of its shares, whatever they do to
  /// each other. Of more those that are above one surface at most, as what comparisons do then has
  /// to be a sum; the last corner, above all, tells whether it is.
  static std::vector<Corner> corners(std::size_t n_surfaces);

  /// Where sides are looked at: these states, one for each surface, are changed such that crossing
  /// functions are -width and width. On the surfaces, at whatever they are, where it is empty.
  struct Beside {
    std::vector<std::uint32_t> states;
    std::vector<double> slopes;  // [n_surfaces][n_surfaces] of crossing functions by these states
    std::vector<double> widths;
  };

  Sliding() = default;
  /// Constants of the model [n_corners][n_constants], as `corners` has them.
  Sliding(std::vector<std::uint32_t> crossings, Beside beside, std::vector<double> constants);

  std::span<const std::uint32_t> crossings() const { return crossings_; }
  std::size_t n_corners() const { return corners_.size(); }
  std::span<double> constants(std::size_t corner);
  /// Of the upper side of each surface at (t, y), not confined to [0, 1]; NaN where a corner has no
  /// values or none are found. Leaves the derivatives of all corners behind, and the point's
  /// constants are those of one of them.
  std::span<const double> shares(ModelPoint& point, double t, std::span<const double> y);
  /// By the last shares, confined to [0, 1]: the weight of each corner. They sum up to 1.
  std::span<const double> weights();
  /// True if by the last shares the motion stays on all surfaces, though it may be at the point of
  /// leaving them, and comes back from a little beside them.
  bool is_held() const;
  /// After `shares`: which surfaces the motion stays on, and to which side it leaves the others:
  /// above where it leads upwards then, below where it leads downwards. Empty if that is nowhere
  /// so.
  enum class Place : char { below, on, above };
  std::vector<Place> places();
  std::span<const double> derivatives(std::size_t corner) const;
  /// Where a corner was looked at by the last `shares`.
  std::span<const double> states(std::size_t corner) const;
  /// The place to look at a corner from (t, y), with the point's constants.
  void go_beside(ModelPoint& point, double t, std::span<const double> y, Corner corner,
                 std::vector<double>& at);
  /// True if, by the last looks of both, what corners differ by is clearly less than it is with
  /// `farther`, which looks at them farther from the surfaces: on these they agree.
  bool vanishes_beside(const Sliding& farther) const;
  /// True if, by the last looks, derivatives are others at some corner than at the first.
  bool differs() const;
  void exchange(Archive& archive);

 private:
  bool adds_up() const { return crossings_.size() > most_products; }
  bool measure(ModelPoint& point, double t, std::span<const double> y, std::size_t corner);
  bool is_sum() const;
  bool solve(std::span<const Place> places, std::vector<double>& shares);
  void find_rates(std::span<double> shares);
  void weigh(std::span<const double> shares, std::span<double> weights) const;
  /// Of weights by share i.
  void weigh_slopes(std::span<double> shares, std::size_t i, std::span<double> slopes) const;
  void rates_by_shares(std::span<double> shares);

  std::vector<std::uint32_t> crossings_;  // [n_surfaces]
  Beside beside_;
  std::vector<Corner> corners_;
  std::vector<double> constants_;                // [n_corners][n_constants]
  std::vector<std::vector<double>> states_;      // [n_corners][n_states]
  std::vector<std::vector<double>> slopes_;      // [n_corners][n_states]
  std::vector<double> rates_;                    // [n_corners][n_surfaces], of crossing functions
  std::vector<double> shares_;                   // [n_surfaces]
  std::vector<double> weights_, weight_slopes_;  // [n_corners]
  std::vector<double> by_shares_;                // [n_surfaces][n_surfaces], of rates
  std::vector<Place> all_on_;                    // [n_surfaces]
  std::vector<std::size_t> free_;
  std::vector<double> mean_rates_;  // [n_surfaces], by shares
  std::vector<double> residual_, trial_, moved_, modes_, matrix_, off_;
};

}  // namespace alembert::integrate
