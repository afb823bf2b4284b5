// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/batch_output.hpp"

#include <algorithm>

#include "alembert/base/constants.hpp"
#include "alembert/result/hdf5_writer.hpp"

namespace alembert::ensemble {

namespace {

constexpr std::size_t values_in_memory = std::size_t{1} << 23;  // 64 MB

}  // namespace

BatchReduction::BatchReduction(std::uint32_t n_states, std::uint64_t n_systems)
    : low(n_states * n_systems, infinity),
      high(n_states * n_systems, -infinity),
      mean(n_states * n_systems, 0.0),
      n_states_(n_states),
      n_systems_(n_systems),
      squares_(n_states * n_systems, 0.0),
      n_steps_(n_systems, 0) {}

// B. P. Welford, Technometrics 4 (1962): no cancellation, however many steps.
void BatchReduction::add(const BatchView& view) {
  for (std::uint64_t s = 0; s < view.n_systems; ++s) ++n_steps_[view.first + s];
  for (std::uint32_t i = 0; i < n_states_; ++i) {
    const std::size_t row = i * n_systems_ + view.first;
    for (std::uint64_t s = 0; s < view.n_systems; ++s) {
      const double value = view.value(s, i);
      const std::size_t at = row + s;
      low[at] = std::min(low[at], value);
      high[at] = std::max(high[at], value);
      const double difference = value - mean[at];
      mean[at] += difference / double(n_steps_[view.first + s]);
      squares_[at] += difference * (value - mean[at]);
    }
  }
}

std::vector<double> BatchReduction::variance() const {
  std::vector<double> result = squares_;
  for (std::size_t i = 0; i < result.size(); ++i)
    if (const std::uint64_t n = n_steps_[i % n_systems_]; n > 0) result[i] /= double(n);
  return result;
}

std::uint64_t run_to_hdf5(const Batch& batch, std::span<double> states, std::uint64_t n_systems,
                          std::span<const double> parameters, double t, std::uint64_t n_steps,
                          const std::filesystem::path& path) {
  result::Hdf5Writer file(path);
  file.texts("names", batch.names());
  const std::size_t row = std::size_t{batch.n_states()} * n_systems;
  const std::uint64_t at_once =
      std::max<std::uint64_t>(1, values_in_memory / std::max<std::size_t>(1, row));
  std::vector<double> times, values;
  std::uint64_t n_mended = 0;
  file.begin("values", {n_steps, batch.n_states(), n_systems});
  for (std::uint64_t done = 0; done < n_steps;) {
    const std::uint64_t n_now = std::min(at_once, n_steps - done);
    values.resize(n_now * row);
    n_mended += batch.run_stored(states, n_systems, parameters, t, n_now, values);
    file.part(done, values);
    // As the kernel adds them, so that the parts make no difference.
    for (std::uint64_t k = 0; k < n_now; ++k) times.push_back(t += batch.step_length());
    done += n_now;
  }
  file.end();
  file.numbers("time", {n_steps}, times);
  file.commit();
  return n_mended;
}

}  // namespace alembert::ensemble
