// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. The Fourier transform of a real signal, as amplitudes and
// phases: Cooley and Tukey's splitting by the prime factors of the length.
#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"

namespace alembert::modelica {

namespace {

using Complex = std::complex<double>;

std::size_t smallest_factor(std::size_t n) {
  for (std::size_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

/// The transform of every `stride`-th entry from `first` on, n of them. roots[k] = exp(-2 pi i k /
/// N) for the whole length N. The depth is the number of prime factors of n.
std::vector<Complex> transform(const std::vector<double>& signal, std::size_t first,
                               std::size_t stride, std::size_t n,
                               const std::vector<Complex>& roots) {
  if (n == 1) return {signal[first]};
  const std::size_t p = smallest_factor(n);
  const std::size_t m = n / p;
  std::vector<std::vector<Complex>> parts;
  for (std::size_t r = 0; r < p; ++r)
    parts.push_back(transform(signal, first + r * stride, stride * p, m, roots));
  const std::size_t root_step = roots.size() / n;
  std::vector<Complex> result(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t r = 0; r < p; ++r) result[k] += parts[r][k % m] * roots[r * k % n * root_step];
  return result;
}

/// info = ModelicaFFT_kiss_fftr(u, nu, work, nwork, amplitudes, phases). Amplitudes are parts of
/// the number of frequencies, n/2 + 1, as the standard library has it; phases are in radians.
void real_fft(ExternalCall& call) {
  const std::vector<double> signal = call.numbers(0);
  const std::size_t n = signal.size();
  std::vector<double> amplitudes(call.argument(4).count(), 0.0);
  std::vector<double> phases(call.argument(5).count(), 0.0);
  const bool is_even = n > 0 && n % 2 == 0 && amplitudes.size() == n / 2 + 1;
  call.result = call.integer_value(is_even ? 0 : 1);
  if (is_even) {
    std::vector<Complex> roots(n);
    for (std::size_t k = 0; k < n; ++k)
      roots[k] =
          std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
    const std::vector<Complex> spectrum = transform(signal, 0, 1, n, roots);
    for (std::size_t k = 0; k < amplitudes.size(); ++k)
      amplitudes[k] = std::abs(spectrum[k]) / static_cast<double>(n / 2 + 1);
    for (std::size_t k = 0; k < phases.size(); ++k) phases[k] = std::arg(spectrum[k]);
  }
  call.outputs[4] = call.reals_like(4, amplitudes);
  call.outputs[5] = call.reals_like(5, phases);
}

}  // namespace

ExternalFunction find_fourier_function(std::string_view name) {
  return name == "ModelicaFFT_kiss_fftr" ? real_fft : nullptr;
}

}  // namespace alembert::modelica
