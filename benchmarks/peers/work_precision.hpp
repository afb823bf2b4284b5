// SPDX-License-Identifier: Apache-2.0
// What a method costs at equal accuracy: samples at several tolerances, and the time read off the
// line through (log error, log time).
#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <vector>

namespace alembert::peers {

/// Of this process alone: a busy machine does not count.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The best of as many as fit into a moment.
inline double seconds_of(const std::function<void()>& job) {
  double best = 1e9, total = 0;
  for (int k = 0; k < 200 && total < 0.04; ++k) {
    const double begin = cpu_seconds();
    job();
    const double s = cpu_seconds() - begin;
    best = std::min(best, s);
    total += s;
  }
  return best;
}

struct Sample {
  double relative, error, seconds;
};

/// Time at the error wanted: between the two nearest samples, on logarithmic scales.
inline double time_at(double error, std::vector<Sample> samples) {
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.seconds < b.seconds; });
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (samples[k].error > error) continue;
    if (k == 0) return samples[0].seconds;
    const Sample &a = samples[k - 1], &b = samples[k];
    const double part = std::log(a.error / error) / std::log(a.error / b.error);
    return a.seconds * std::pow(b.seconds / a.seconds, part);
  }
  return std::nan("");
}

/// What the same method costs here above there: at equal tolerances, the mean of the logarithms.
inline double overhead(const std::vector<Sample>& ours, const std::vector<Sample>& theirs) {
  double sum = 0;
  int n = 0;
  for (const Sample& a : ours)
    for (const Sample& b : theirs)
      if (a.relative == b.relative) {
        sum += std::log(a.seconds / b.seconds);
        ++n;
      }
  return std::exp(sum / n);
}

/// The same over many tolerances, run by turns, so that both meet the same hours of the machine:
/// for a single tolerance it is luck how soon multistep methods raise their order. The jobs tell
/// whether they arrived.
inline double overhead_by_turns(const std::function<bool(double)>& ours,
                                const std::function<bool(double)>& theirs, double longest) {
  constexpr int least_turns = 5, most_turns = 50;
  constexpr double moment = 0.02;
  std::vector<Sample> our_samples, their_samples;
  for (double relative = 1e-3; relative > 0.9e-8; relative /= 2) {
    double our_best = 1e9, their_best = 1e9, total = 0;
    bool both_arrive = true;
    for (int k = 0; k < most_turns && both_arrive && (k < least_turns || total < moment); ++k) {
      const double begin = cpu_seconds();
      both_arrive = theirs(relative);
      const double middle = cpu_seconds();
      both_arrive = ours(relative) && both_arrive;
      const double end = cpu_seconds();
      their_best = std::min(their_best, middle - begin);
      our_best = std::min(our_best, end - middle);
      total += end - begin;
      if (total > longest) break;
    }
    if (!both_arrive) continue;
    our_samples.push_back({relative, 0, our_best});
    their_samples.push_back({relative, 0, their_best});
    if (our_best + their_best > longest) break;
  }
  return overhead(our_samples, their_samples);
}

}  // namespace alembert::peers
