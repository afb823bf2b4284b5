// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. What is in a pipe of length 1. In: how far everything moved in accepted steps,
// and what entered meanwhile. Out: what leaves, and where the next jump does. Everything has a
// *place* that moves with it: where it is, less the position of the contents. So contents never
// change; they are a row of pieces by ascending place, added at the end where they enter and
// forgotten at the other. In a piece, places and values are polynomials of a parameter through five
// points of a step. A jump between two pieces leaves at an event only: until then the pieces before
// it go on as straight lines.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>

namespace alembert::integrate {

class Archive;

class TransportProfile {
 public:
  static constexpr std::size_t n_points = 5;
  using Nodes = std::array<double, n_points>;  // at equidistant parameters, both ends included

  /// Points from 0 to 1, not falling, and the values there. Two values that differ by more than
  /// `tolerance` of the larger one are a jump; the contents do not turn for less than ten
  /// times as much, which may be noise of the positions.
  void begin(double position, std::span<const double> points, std::span<const double> values,
             double tolerance);
  /// Through an accepted step or a part of it: positions, and what both ends were offered. The
  /// positions may turn. What left since the position was `since` may still be asked for.
  void move(const Nodes& positions, const std::array<Nodes, 2>& inputs, double since);
  /// At the end of what was told.
  double position() const { return position_; }
  /// What leaves at an end (0 or 1) when the position is that; `entering`: what enters at the other
  /// end by then, for what is carried through the pipe since the last step.
  double leaving(std::size_t end, double position, double entering) const;
  /// Its first or second derivative by the position.
  double slope(std::size_t end, double position, unsigned order) const;
  /// The position at which the next jump leaves there; far away if there is none.
  double next_front(std::size_t end) const;
  /// Forgets what is before jumps that left, by more than this share of the pipe.
  void pass_fronts(double beyond);
  void exchange(Archive& archive);

 private:
  struct Piece {
    Nodes places;  // ascending
    Nodes values;
    double low, high;              // what of it counts
    std::uint64_t jump_above = 0;  // between it and the next one
  };
  /// Of a piece at a place, by its polynomials.
  struct Local {
    double value;
    double first, second;  // derivatives by the place
  };
  static Local look(const Piece& piece, double place);
  Local at(std::size_t end, double position) const;

  /// `turned`: what lies behind the place where it begins has left, else it lies there by noise.
  void enter(std::size_t end, const Nodes& places, const Nodes& values, bool turned);
  void trim(std::size_t end, double place);
  bool jumps(double a, double b) const;
  void find_borders();

  std::deque<Piece> pieces_;
  /// Of the pieces before the next jump to leave at each end: the last at end 0, the first at 1.
  std::array<std::size_t, 2> borders_{};
  double position_ = 0;
  double entered_up_to_ = 0;        // a position: turns that may be noise are not entered
  std::uint64_t went_forward_ = 1;  // what was entered last
  double tolerance_ = 0;
};

}  // namespace alembert::integrate
