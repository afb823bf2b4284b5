// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/transport_profile.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/archive.hpp"

namespace alembert::integrate {

namespace {

using Nodes = TransportProfile::Nodes;
constexpr std::size_t n_points = TransportProfile::n_points;
constexpr double last = n_points - 1;

struct Polynomial {
  double value, first, second;
};

/// Neville's scheme over s = 0, 1, 2, 3, 4, differentiated twice.
Polynomial at_parameter(const Nodes& nodes, double s) {
  // What is constant stays so to the last bit.
  if (std::all_of(nodes.begin(), nodes.end(), [&](double v) { return v == nodes[0]; }))
    return {nodes[0], 0, 0};
  Nodes p = nodes, first{}, second{};
  for (std::size_t width = 1; width < n_points; ++width)
    for (std::size_t i = 0; i + width < n_points; ++i) {
      const double to_left = s - static_cast<double>(i);
      const double to_right = static_cast<double>(i + width) - s;
      const auto all = static_cast<double>(width);
      second[i] =
          (to_right * second[i] + to_left * second[i + 1] + 2 * (first[i + 1] - first[i])) / all;
      first[i] = (to_right * first[i] + to_left * first[i + 1] + p[i + 1] - p[i]) / all;
      p[i] = (to_right * p[i] + to_left * p[i + 1]) / all;
    }
  return {p[0], first[0], second[0]};
}

/// Where ascending nodes have this value: Newton's method between two nodes, halving where it
/// leaves them.
double parameter_of(const Nodes& nodes, double value) {
  std::size_t k = 0;
  while (k + 2 < n_points && nodes[k + 1] < value) ++k;
  auto below = static_cast<double>(k), above = static_cast<double>(k + 1);
  const double width = nodes[k + 1] - nodes[k];
  double s = width > 0 ? below + (value - nodes[k]) / width : below;
  if (!(s > below)) return below;
  if (!(s < above)) return above;
  constexpr int most_steps = 60;
  for (int step = 0; step < most_steps; ++step) {
    const Polynomial here = at_parameter(nodes, s);
    (here.value < value ? below : above) = s;
    double next = s - (here.value - value) / here.first;
    if (!(next > below && next < above)) next = 0.5 * (below + above);
    const double change = std::abs(next - s);
    s = next;
    if (change <= 4 * eps * last) break;
  }
  return s;
}

/// The polynomial through the nodes between two parameters; from > to turns it round.
Nodes part_of(const Nodes& nodes, double from, double to) {
  Nodes part;
  for (std::size_t i = 0; i < n_points; ++i)
    part[i] = at_parameter(nodes, from + (to - from) * static_cast<double>(i) / last).value;
  return part;
}

/// Parameters between which the polynomial rises or falls, from 0 to 4.
std::vector<double> turns(const Nodes& nodes) {
  std::vector<double> found{0.0};
  const auto rate = [&](double s) { return at_parameter(nodes, s).first; };
  constexpr int looks = 32;
  double before = 0, rate_before = rate(0);
  for (int k = 1; k <= looks; ++k) {
    const double after = last * k / looks;
    const double rate_after = rate(after);
    if (rate_before * rate_after < 0) {
      double low = before, high = after;
      while (true) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        (rate(middle) * rate_before > 0 ? low : high) = middle;
      }
      found.push_back(high);
    }
    if (rate_after != 0) rate_before = rate_after;
    before = after;
  }
  found.push_back(last);
  return found;
}

}  // namespace

TransportProfile::Local TransportProfile::look(const Piece& piece, double place) {
  const double s = parameter_of(piece.places, place);
  const Polynomial x = at_parameter(piece.places, s), v = at_parameter(piece.values, s);
  Local local{v.value, v.first / x.first, 0};
  local.second = (v.second - local.first * x.second) / (x.first * x.first);
  // Where everything stands still, as at a turn of the flow, there is no slope.
  if (!std::isfinite(local.first)) local.first = 0;
  if (!std::isfinite(local.second)) local.second = 0;
  return local;
}

bool TransportProfile::jumps(double a, double b) const {
  return std::abs(a - b) > tolerance_ * std::max(std::abs(a), std::abs(b));
}

void TransportProfile::begin(double position, std::span<const double> points,
                             std::span<const double> values, double tolerance) {
  position_ = position;
  entered_up_to_ = position;
  tolerance_ = tolerance;
  pieces_.clear();
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const bool steep = points[k + 1] == points[k];
    if (steep && !pieces_.empty() && jumps(values[k], values[k + 1])) pieces_.back().jump_above = 1;
    if (steep) continue;
    Piece piece;
    for (std::size_t i = 0; i < n_points; ++i) {
      const double share = static_cast<double>(i) / last;
      piece.places[i] = (1 - share) * points[k] + share * points[k + 1] - position;
      piece.values[i] = values[k] + share * (values[k + 1] - values[k]);
    }
    piece.low = piece.places.front();
    piece.high = piece.places.back();
    pieces_.push_back(piece);
  }
  // A jump at the very end has left.
  pieces_.back().jump_above = 0;
  find_borders();
}

void TransportProfile::trim(std::size_t end, double place) {
  if (end == 1) {
    while (pieces_.size() > 1 && pieces_.back().low >= place) pieces_.pop_back();
    pieces_.back().high = std::clamp(place, pieces_.back().low, pieces_.back().high);
    pieces_.back().jump_above = 0;
  } else {
    while (pieces_.size() > 1 && pieces_.front().high <= place) pieces_.pop_front();
    pieces_.front().low = std::clamp(place, pieces_.front().low, pieces_.front().high);
  }
}

void TransportProfile::enter(std::size_t end, const Nodes& places, const Nodes& values,
                             bool turned) {
  Piece piece{places, values, places.front(), places.back()};
  if (end == 0) {
    if (turned) trim(0, piece.high);
    piece.high = pieces_.front().low;
    piece.jump_above = jumps(values.back(), look(pieces_.front(), pieces_.front().low).value);
    pieces_.push_front(piece);
  } else {
    if (turned) trim(1, piece.low);
    Piece& before = pieces_.back();
    piece.low = before.high;
    before.jump_above = jumps(values.front(), look(before, before.high).value);
    pieces_.push_back(piece);
  }
}

void TransportProfile::move(const Nodes& positions, const std::array<Nodes, 2>& inputs,
                            double since) {
  // Dense output of multistep methods is off by a little more than the tolerance from step to step.
  const double noise = 10 * tolerance_ * std::max(1.0, std::abs(position_));
  const std::vector<double> parts = turns(positions);
  for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
    const double from = parts[k], to = parts[k + 1];
    Nodes passed = part_of(positions, from, to);
    const double reached = passed.back();
    const bool forward = reached > passed.front();
    const double ahead = forward ? reached - entered_up_to_ : entered_up_to_ - reached;
    const bool turned = forward != (went_forward_ != 0);
    if (!(ahead > (turned ? noise : 0.0))) continue;
    entered_up_to_ = reached;
    went_forward_ = forward;
    // Places ascend: what enters at 0 last is the lowest.
    const Nodes values = forward ? part_of(inputs[0], to, from) : part_of(inputs[1], from, to);
    if (forward) std::reverse(passed.begin(), passed.end());
    for (double& place : passed) place = (forward ? 0.0 : 1.0) - place;
    std::sort(passed.begin(), passed.end());  // where it turns, rounding decides
    enter(forward ? 0 : 1, passed, values, turned);
    if (forward)
      while (pieces_.size() > 1 && pieces_.back().low >= 1 - std::min(since, reached) &&
             !pieces_[pieces_.size() - 2].jump_above)
        pieces_.pop_back();
    else
      while (pieces_.size() > 1 && pieces_.front().high <= -std::max(since, reached) &&
             !pieces_.front().jump_above)
        pieces_.pop_front();
  }
  position_ = positions.back();
  find_borders();
}

void TransportProfile::find_borders() {
  borders_ = {0, pieces_.size() - 1};
  while (borders_[0] + 1 < pieces_.size() && !pieces_[borders_[0]].jump_above) ++borders_[0];
  while (borders_[1] > 0 && !pieces_[borders_[1] - 1].jump_above) --borders_[1];
}

/// Continued as a straight line where a jump, or the last step, ends what is known.
TransportProfile::Local TransportProfile::at(std::size_t end, double position) const {
  const double place = static_cast<double>(end) - position;
  const std::size_t inner = borders_[end];
  const auto first = pieces_.begin() + static_cast<std::ptrdiff_t>(end == 1 ? inner : 0);
  const auto behind =
      end == 1 ? pieces_.end() : pieces_.begin() + static_cast<std::ptrdiff_t>(inner + 1);
  const auto found =
      std::partition_point(first, behind, [&](const Piece& piece) { return piece.high < place; });
  const Piece& piece = found == behind ? *(behind - 1) : *found;
  const double inside = std::clamp(place, piece.low, piece.high);
  Local local = look(piece, inside);
  const bool ahead = end == 1 ? place < piece.low : place > piece.high;
  if (ahead) local.value += local.first * (place - inside);
  if (place != inside) local.second = 0;
  return local;
}

double TransportProfile::leaving(std::size_t end, double position, double entering) const {
  const double place = static_cast<double>(end) - position;
  const std::size_t inner = borders_[end];
  const bool up_to_entry = inner == (end == 1 ? 0 : pieces_.size() - 1);
  const double entry = end == 1 ? -position_ : 1 - position_;
  const double beyond = end == 1 ? entry - place : place - entry;
  if (!up_to_entry || !(beyond > 0)) return at(end, position).value;
  // What entered since the last step lies between what entered last then and what does now.
  const double known =
      look(pieces_[inner], end == 1 ? pieces_[inner].low : pieces_[inner].high).value;
  const double share = beyond / std::abs(position - position_);
  return known + share * (entering - known);
}

double TransportProfile::slope(std::size_t end, double position, unsigned order) const {
  const Local local = at(end, position);
  return order == 1 ? -local.first : local.second;
}

double TransportProfile::next_front(std::size_t end) const {
  constexpr double far = 1e6;
  const std::size_t k = borders_[end];
  if (end == 1) return k > 0 ? 1 - pieces_[k].low : far + std::max(0.0, 2 * position_);
  return k + 1 < pieces_.size() ? -pieces_[k].high : -far + std::min(0.0, 2 * position_);
}

void TransportProfile::pass_fronts(double beyond) {
  while (borders_[1] > 0 && position_ - beyond >= 1 - pieces_[borders_[1]].low) {
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(borders_[1]), pieces_.end());
    pieces_.back().jump_above = 0;
    find_borders();
  }
  while (borders_[0] + 1 < pieces_.size() && position_ + beyond <= -pieces_[borders_[0]].high) {
    pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(borders_[0] + 1));
    find_borders();
  }
}

void TransportProfile::exchange(Archive& archive) {
  std::vector<Piece> pieces(pieces_.begin(), pieces_.end());
  archive(pieces, position_, entered_up_to_, went_forward_, tolerance_);
  pieces_.assign(pieces.begin(), pieces.end());
  if (!pieces_.empty()) find_borders();
}

}  // namespace alembert::integrate
