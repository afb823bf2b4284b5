// SPDX-License-Identifier: Apache-2.0
// Changes inside a step are isolated to rounding, and with few looks: each costs an interpolation
// and all crossing functions of a model.
#include "alembert/integrate/isolate_change.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace alembert::integrate {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

struct Isolated {
  double before, after;
  int n_looks = 0;
};

/// From [0, 1], where the functions are of one sign before they are zero.
Isolated isolated(const std::vector<std::function<double(double)>>& functions) {
  const auto fill = [&](double t, Sample& sample) {
    sample.t = t;
    sample.values.clear();
    for (const auto& f : functions) sample.values.push_back(f(t));
  };
  Sample before, after, middle;
  fill(0, before);
  fill(1, after);
  const std::vector<double> first = before.values;
  Isolated result{};
  isolate_change(before, after, middle, 2,
                 {.secant = [&](double a, double b) { return earliest_zero(before, after, a, b); },
                  .look =
                      [&](double t, Sample& sample) {
                        ++result.n_looks;
                        fill(t, sample);
                        return true;
                      },
                  .is_after =
                      [&](const Sample& sample) {
                        for (std::size_t k = 0; k < first.size(); ++k)
                          if (!(sample.values[k] * first[k] > 0)) return true;
                        return false;
                      }});
  result.before = before.t;
  result.after = after.t;
  return result;
}

void expect_at(const Isolated& found, double zero) {
  EXPECT_LE(found.after - found.before, 2 * eps);
  EXPECT_NEAR(found.after, zero, 8 * eps);
}

TEST(IsolateChange, ConvergesFasterThanBisection) {
  const Isolated curved = isolated({[](double t) { return std::exp(3 * t) - 2; }});
  expect_at(curved, std::log(2.0) / 3);
  EXPECT_LE(curved.n_looks, 14);  // bisection takes 52
  const Isolated bent = isolated({[](double t) { return 0.3 - t - 0.2 * t * t; }});
  expect_at(bent, (std::sqrt(1 + 0.24) - 1) / 0.4);
  EXPECT_LE(bent.n_looks, 10);
}

TEST(IsolateChange, FindsTheFirstOfMany) {
  std::vector<std::function<double(double)>> decays;
  for (int k = 0; k < 50; ++k)
    decays.push_back([k](double t) { return std::exp(-t) - (0.9 - 0.01 * k); });
  const Isolated first = isolated(decays);
  expect_at(first, -std::log(0.9));
  EXPECT_LE(first.n_looks, 14);
}

// Neither secants nor their halves come near where a function is flat beside its zero.
TEST(IsolateChange, IsNeverMuchSlowerThanBisection) {
  const Isolated flat = isolated({[](double t) { return std::pow(t - 0.7, 21); }});
  expect_at(flat, 0.7);
  EXPECT_LE(flat.n_looks, 4 * 52);
}

}  // namespace
}  // namespace alembert::integrate
