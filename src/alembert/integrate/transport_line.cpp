// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/transport_line.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"

namespace alembert::integrate {

namespace {

constexpr std::size_t n_kept = 3;  // of each pipe in a sample
constexpr std::size_t position = ModelPoint::position;

/// The contents at the start, in the order of places.
void require_profile(std::span<const double> points, std::span<const double> values,
                     const Origin& origin) {
  const auto wrong = [&](const std::string& what) {
    throw Error("I009",
                what +
                    ". Let the initial points of spatialDistribution begin with 0, end with 1, "
                    "and never fall.",
                origin);
  };
  if (points.front() != 0) wrong("the first initial point is " + number_text(points.front()));
  if (points.back() != 1) wrong("the last initial point is " + number_text(points.back()));
  for (std::size_t k = 0; k + 1 < points.size(); ++k)
    if (!(points[k] <= points[k + 1]))
      wrong("the initial point " + number_text(points[k + 1]) + " comes behind " +
            number_text(points[k]));
  for (const double value : values)
    if (!std::isfinite(value)) wrong("an initial value of spatialDistribution is not a number");
}

}  // namespace

TransportLine::TransportLine(ModelPoint& point, double tolerance)
    : point_(point),
      n_(point.model().flat().transports.size()),
      tolerance_(tolerance),
      pipes_(n_),
      largest_(2 * n_, 0.0),
      velocities_(n_, 0.0) {}

void TransportLine::begin() {
  if (n_ == 0) return;
  const auto& transports = point_.model().flat().transports;
  std::vector<double> starts(point_.model().events().transport_starts.shape().n_outputs);
  point_.run(point_.model().events().transport_starts, starts);
  const auto numbers = point_.transports();
  std::span<const double> left = starts;
  for (std::size_t j = 0; j < n_; ++j) {
    const std::size_t n = transports[j].points.size();
    require_profile(left.first(n), left.subspan(n, n), transports[j].origin);
    pipes_[j].begin(numbers[j * ModelPoint::n_of_transport + position], left.first(n),
                    left.subspan(n, n), tolerance_);
    left = left.subspan(2 * n);
  }
  end_ = point_.time();
  tell_fronts();
  go_on();
}

void TransportLine::go_on() {
  if (n_ == 0) return;
  point_.follow(&pipes_);
  point_.note_velocities(end_, velocities_);
}

void TransportLine::tell_fronts() {
  const auto fronts = point_.constants().subspan(point_.model().constants().fronts, 2 * n_);
  for (std::size_t j = 0; j < n_; ++j)
    for (const std::size_t end : {0, 1}) fronts[2 * j + end] = pipes_[j].next_front(end);
}

void TransportLine::pass_fronts() {
  if (n_ == 0) return;
  // Events are found to a few units in the last place.
  for (TransportProfile& pipe : pipes_)
    pipe.pass_fronts(-8 * eps * std::max(1.0, std::abs(pipe.position())));
  tell_fronts();
}

double TransportLine::share_within() {
  constexpr double caution = 0.9;
  double share = 1;
  const auto numbers = point_.transports();
  for (std::size_t j = 0; j < n_; ++j) {
    const double moved =
        std::abs(numbers[j * ModelPoint::n_of_transport + position] - pipes_[j].position());
    if (moved > 1) share = std::min(share, caution / moved);
  }
  return share;
}

bool TransportLine::take(double t, FunctionRef<bool(double)> complete, Sample& sample) {
  if (!complete(t)) return false;
  const auto numbers = point_.transports();
  sample.resize(n_kept * n_);
  for (std::size_t j = 0; j < n_; ++j) {
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(j * ModelPoint::n_of_transport),
                n_kept, sample.begin() + static_cast<std::ptrdiff_t>(j * n_kept));
    for (const std::size_t end : {0, 1})
      largest_[2 * j + end] = std::max(largest_[2 * j + end], std::abs(sample[j * n_kept + end]));
  }
  return true;
}

/// The polynomials through the samples at a share of their time.
bool TransportLine::agrees(const std::array<Sample, n_points>& samples, const Sample& between,
                           double share) const {
  constexpr double part = 0.1;  // of the tolerance
  std::array<double, n_points> weights;
  for (std::size_t i = 0; i < n_points; ++i) {
    weights[i] = 1;
    for (std::size_t k = 0; k < n_points; ++k)
      if (k != i)
        weights[i] *= (share * double(n_points - 1) - double(k)) / (double(i) - double(k));
  }
  for (std::size_t q = 0; q < between.size(); ++q) {
    double value = 0;
    for (std::size_t i = 0; i < n_points; ++i) value += weights[i] * samples[i][q];
    const std::size_t j = q / n_kept, of = q % n_kept;
    // A position is off by a part of the pipe, of which the profile is at most as large.
    const double size = of == position ? 1.0 : largest_[2 * j + of];
    const double rounding = 100 * eps * std::abs(between[q]);
    if (std::abs(value - between[q]) > part * tolerance_ * size + rounding) return false;
  }
  return true;
}

bool TransportLine::remember_part(double t_old, double t,
                                  const std::array<Sample, n_points>& samples,
                                  FunctionRef<bool(double)> complete, int depth) {
  constexpr int deepest = 8;
  const double h = t - t_old;
  // Near its ends a polynomial through equidistant points is worst.
  constexpr double first_look = 0.125, second_look = 0.875;
  Sample first, second;
  if (!take(t_old + first_look * h, complete, first) ||
      !take(t_old + second_look * h, complete, second))
    return false;
  const bool is_good = agrees(samples, first, first_look) && agrees(samples, second, second_look);
  if (!is_good && depth < deepest) {
    Sample third, fifth;
    if (!take(t_old + 0.375 * h, complete, third) || !take(t_old + 0.625 * h, complete, fifth))
      return false;
    const std::array<Sample, n_points> left{samples[0], first, samples[1], third, samples[2]};
    const std::array<Sample, n_points> right{samples[2], fifth, samples[3], second, samples[4]};
    const double middle = t_old + 0.5 * h;
    return remember_part(t_old, middle, left, complete, depth + 1) &&
           remember_part(middle, t, right, complete, depth + 1);
  }
  for (std::size_t j = 0; j < n_; ++j) {
    std::array<Nodes, n_kept> nodes;
    for (std::size_t i = 0; i < n_points; ++i)
      for (std::size_t of = 0; of < n_kept; ++of) nodes[of][i] = samples[i][j * n_kept + of];
    parts_.push_back({j, nodes});
    const Nodes& x = nodes[position];
    velocities_[j] = (25 * x[4] - 48 * x[3] + 36 * x[2] - 16 * x[1] + 3 * x[0]) / (3 * h);
  }
  return true;
}

bool TransportLine::remember(double t_old, double t, FunctionRef<bool(double)> complete) {
  if (n_ == 0 || t <= t_old) return true;
  std::array<Sample, n_points> samples;
  for (std::size_t i = 0; i < n_points; ++i) {
    const double there =
        i + 1 == n_points ? t : t_old + (t - t_old) * double(i) / double(n_points - 1);
    if (!take(there, complete, samples[i])) return false;
  }
  parts_.clear();
  if (!remember_part(t_old, t, samples, complete, 0)) return false;
  // Only now: samples are taken from pipes as they were where the step began.
  std::vector<double> before(n_);
  for (std::size_t j = 0; j < n_; ++j) before[j] = pipes_[j].position();
  for (const Part& part : parts_)
    pipes_[part.pipe].move(part.nodes[position], {part.nodes[0], part.nodes[1]}, before[part.pipe]);
  end_ = t;
  next_limit_ = infinity;
  for (std::size_t j = 0; j < n_; ++j) {
    // A jump that left though no event was made of it, as while the run looks away.
    constexpr double clearly = 1e-9;
    pipes_[j].pass_fronts(clearly * std::max(1.0, std::abs(pipes_[j].position())));
    constexpr double caution = 0.9;
    const double mean = (pipes_[j].position() - before[j]) / (t - t_old);
    const double fastest = std::max(std::abs(mean), std::abs(velocities_[j]));
    if (fastest > 0) next_limit_ = std::min(next_limit_, caution / fastest);
  }
  point_.note_velocities(end_, velocities_);
  tell_fronts();
  return true;
}

void TransportLine::exchange(Archive& archive) {
  for (TransportProfile& pipe : pipes_) pipe.exchange(archive);
  archive(largest_, velocities_, end_, next_limit_);
}

}  // namespace alembert::integrate
