// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. What moves through pipes in a run (spatialDistribution). In: points of accepted
// steps. Out: what the point takes from pipes, how far steps may lead, and where the next jumps
// leave. What enters in a step is kept as polynomials over parts of it, which are halved until they
// agree with the model to a tenth of the tolerance.
#pragma once

#include <array>
#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/function_ref.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/transport_profile.hpp"

namespace alembert::integrate {

class TransportLine {
 public:
  TransportLine(ModelPoint& point, double tolerance);

  bool any() const { return n_ > 0; }
  /// From the start of a run on. Error I009 where the contents at the start make no sense.
  void begin();
  /// After a checkpoint was read.
  void go_on();
  /// The step from t_old to t; `complete` brings the point to a time in it. False where it cannot.
  bool remember(double t_old, double t, FunctionRef<bool(double)> complete);
  /// To be told each event, before anything else: jumps leave.
  void pass_fronts();
  /// With the point where a step ends: the share of the step in which the contents move by less
  /// than the length of a pipe; 1 for all of it.
  double share_within();
  /// Steps should be no longer, so that what leaves entered before.
  double next_step_limit() const { return next_limit_; }
  void exchange(Archive& archive);

 private:
  using Nodes = TransportProfile::Nodes;
  static constexpr std::size_t n_points = TransportProfile::n_points;
  /// Of all pipes at one time: [n][3], what is offered at both ends and the position.
  using Sample = std::vector<double>;

  bool remember_part(double t_old, double t, const std::array<Sample, n_points>& samples,
                     FunctionRef<bool(double)> complete, int depth);
  bool take(double t, FunctionRef<bool(double)> complete, Sample& sample);
  bool agrees(const std::array<Sample, n_points>& samples, const Sample& between,
              double share) const;
  void tell_fronts();

  ModelPoint& point_;
  std::size_t n_;
  double tolerance_;
  std::vector<TransportProfile> pipes_;  // [n]
  /// Of the step that is being remembered.
  struct Part {
    std::size_t pipe;
    std::array<Nodes, 3> nodes;  // what is offered at both ends, positions
  };
  std::vector<Part> parts_;
  std::vector<double> largest_;     // [n][2]: of what was offered
  std::vector<double> velocities_;  // [n], where the last step ended
  double end_ = 0;
  double next_limit_ = infinity;
};

}  // namespace alembert::integrate
