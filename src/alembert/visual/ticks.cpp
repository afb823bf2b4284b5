// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"

namespace alembert::visual {
namespace {

const std::string minus = "\u2212";

std::string with_minus(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, minus);
  return text;
}

// The least of 1, 2, 5 times a power of ten that is not below `least`.
struct Step {
  int mantissa, power;
  double value() const { return mantissa * std::pow(10.0, power); }
};

Step nice_step(double least) {
  int power = static_cast<int>(std::floor(std::log10(least)));
  for (;; ++power)
    for (int mantissa : {1, 2, 5})
      if (const Step step{mantissa, power}; step.value() >= least * (1 - 1e-9)) return step;
}

// Thousands, millions, thousandths: only where plain numbers would be long.
int common_exponent(const Range& range) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (largest == 0) return 0;
  const int order = static_cast<int>(std::floor(std::log10(largest)));
  if (order > -3 && order < 5) return 0;
  return static_cast<int>(std::floor(order / 3.0)) * 3;
}

// The roundest number in the range.
double roundest(const Range& range, const Step& step) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  for (int power = static_cast<int>(std::floor(std::log10(largest))); power > step.power; --power) {
    const double unit = std::pow(10.0, power), at = std::floor(range.high / unit) * unit;
    if (at >= range.low) return at;
  }
  return std::ceil(range.low / step.value()) * step.value();
}

// From here on labels count from a number of their own.
constexpr double long_labels = 1e5;  // values over the step

}  // namespace

Ticks linear_ticks(const Range& range, int max_count, double least_step) {
  ensure(range.span() > 1e-295 && std::isfinite(range.span()), "an axis has a positive length");
  Ticks result;
  const double tolerance = 1e-9 * range.span();

  Step step = nice_step(std::max(range.span() / std::max(max_count, 1), least_step));
  const auto count = [&] {
    return std::floor((range.high + tolerance) / step.value()) -
           std::ceil((range.low - tolerance) / step.value()) + 1;
  };
  while (count() > std::max(max_count, 2)) step = nice_step(step.value() * 1.5);
  // One number alone tells no scale: the next shorter step that fits.
  if (count() < 2) {
    const Step lonely = step;
    const int less = lonely.mantissa == 1 ? 10 : lonely.mantissa;  // 1 is 10 tenths
    const int power = lonely.mantissa == 1 ? lonely.power - 1 : lonely.power;
    for (const int mantissa : {8, 6, 5, 4, 3, 2, 1}) {
      if (mantissa >= less) continue;
      step = {mantissa, power};
      // Three where there is room for two: about zero their number is odd.
      if (step.value() >= least_step && count() >= 2 && count() <= std::max(max_count, 3)) break;
      step = lonely;
    }
  }

  result.step = step.value();
  if (std::max(std::abs(range.low), std::abs(range.high)) > long_labels * step.value())
    result.origin = roundest(range, step);
  result.exponent = common_exponent({range.low - result.origin, range.high - result.origin});
  const int decimals = std::max(0, result.exponent - step.power);
  const double first = std::ceil((range.low - tolerance) / step.value());
  for (int i = 0; i < static_cast<int>(count()); ++i) {
    const double at = (first + i) * step.value();
    const double shown = (at - result.origin) / std::pow(10.0, result.exponent);
    const bool is_zero = std::abs(at - result.origin) < 0.5 * step.value();  // never "-0.0"
    result.ticks.push_back({.at = is_zero ? result.origin : at,
                            .label = with_minus(fmt::format("{:.{}f}", is_zero ? 0.0 : shown,
                                                            std::min(decimals, 15)))});
  }
  return result;
}

Ticks logarithmic_ticks(const Range& range, int max_count) {
  ensure(range.low > 0 && range.high > range.low, "a logarithmic axis has positive ends");
  const double low = std::log10(range.low), high = std::log10(range.high);
  if (high - low < 1.5) {
    // Powers of ten alone would leave an end without a label.
    Ticks plain = linear_ticks(range, max_count);
    plain.step = 0;
    std::erase_if(plain.ticks, [](const Tick& tick) { return tick.at <= 0; });
    return plain;
  }
  Ticks result;
  const int first = static_cast<int>(std::ceil(low - 1e-9)),
            last = static_cast<int>(std::floor(high + 1e-9));
  int stride = 1;
  while ((last - first) / stride + 1 > std::max(max_count, 2)) ++stride;
  // Multiples of the stride: 10^-12, 10^-9, 10^-6, whatever the range begins with.
  for (int power = first; power <= last; ++power) {
    const bool labelled = ((power % stride) + stride) % stride == 0;
    Tick tick{.at = std::pow(10.0, power)};
    if (labelled && power == 0) {
      tick.label = "1";
    } else if (labelled && power == 1) {
      tick.label = "10";
    } else if (labelled) {
      tick.label = "10";
      tick.exponent = with_minus(std::to_string(power));
    }
    result.ticks.push_back(tick);
  }
  if (stride == 1)
    for (int power = first - 1; power <= last; ++power)
      for (int m = 2; m <= 9; ++m) {
        const double at = m * std::pow(10.0, power);
        if (at >= range.low && at <= range.high) result.ticks.push_back({.at = at});
      }
  return result;
}

}  // namespace alembert::visual
