// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/batch.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <thread>

#include "alembert/base/error.hpp"
#include "alembert/ensemble/lane_kernel.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace alembert::ensemble {

using compile::AlignedDoubles;
using compile::Kernel;

namespace {

/// States of a block, before and after a step, in half of the first cache.
constexpr std::size_t block_bytes = 16 * 1024;
constexpr std::uint64_t steps_between_looks = 32;

/// Trajectories larger than this go past the caches, to memory: what is stored is not read again
/// soon, and a line of the cache need not be fetched to be overwritten.
constexpr std::size_t streamed_bytes = 8 * 1024 * 1024;

#if defined(__SSE2__)
/// `to` is a multiple of 16 bytes, n even.
inline void stream_lanes(const double* from, std::uint64_t n, double* to) {
  for (std::uint64_t i = 0; i < n; i += 2) _mm_stream_pd(to + i, _mm_loadu_pd(from + i));
}
inline bool can_stream(const double* to, std::uint64_t n_systems, std::uint32_t lanes) {
  return reinterpret_cast<std::uintptr_t>(to) % 16 == 0 && n_systems % 2 == 0 && lanes % 2 == 0;
}
inline void end_streams() { _mm_sfence(); }
#else
inline void stream_lanes(const double* from, std::uint64_t n, double* to) {
  std::copy_n(from, n, to);
}
inline bool can_stream(const double*, std::uint64_t, std::uint32_t) { return false; }
inline void end_streams() {}
#endif

/// The usual numbers are copied without a call.
inline void copy_lanes(const double* from, std::uint64_t n, double* to) {
  if (n == 4)
    std::memcpy(to, from, 4 * sizeof(double));
  else if (n == 8)
    std::memcpy(to, from, 8 * sizeof(double));
  else
    std::copy_n(from, n, to);
}

}  // namespace

struct Batch::Block {
  std::uint64_t first_group = 0;
  std::uint64_t n_groups = 0;
  double* before;            // [n_groups][width][lanes]
  double* after;             // likewise
  const double* parameters;  // of the first group, or of all
};

Batch::Batch(StepTape step, const std::optional<StepTape>& safe, double length,
             const BatchOptions& options)
    : options_(options),
      length_(length),
      step_(std::move(step)),
      kernel_(lane_kernel(step_.tape, options.lanes, options.parameters_per_system)),
      n_parameters_(step_.tape.n_parameters) {
  if (!safe || !step_.has_margin) return;
  // Its inputs are those of the fast one without the margin, which is last.
  ensure(safe->width + 1 == step_.width, "the safe step has all but the margin");
  safe_ = lane_kernel(safe->tape, 1, false);
}

Batch::Batch(const OdeTape& ode, const OdeTape* safe, FixedMethod method, double step,
             const BatchOptions& options)
    : Batch(make_step(ode, method, step),
            safe == nullptr ? std::nullopt : std::optional(make_step(*safe, method, step)), step,
            options) {}

/// Makes the step again, by a safer way, in the lanes whose margin is not positive.
std::uint64_t Batch::mend(const Block& block, const double* before, double* after,
                          double* workspace) const {
  const std::uint32_t width = step_.width, lanes = kernel_.shape().lanes;
  std::uint64_t n_mended = 0;
  std::vector<double> in(width), out(width), parameters(n_parameters_);
  for (std::uint64_t g = 0; g < block.n_groups; ++g) {
    const double* margins = after + (g * width + width - 1) * lanes;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (margins[lane] > 0) continue;
      for (std::uint32_t i = 0; i + 1 < width; ++i) in[i] = before[(g * width + i) * lanes + lane];
      for (std::uint32_t i = 0; i < n_parameters_; ++i)
        parameters[i] = options_.parameters_per_system
                            ? block.parameters[(g * n_parameters_ + i) * lanes + lane]
                            : block.parameters[i];
      safe_(in.data(), parameters.data(), out.data(), workspace);
      for (std::uint32_t i = 0; i + 1 < width; ++i) after[(g * width + i) * lanes + lane] = out[i];
      ++n_mended;
    }
  }
  return n_mended;
}

std::uint64_t Batch::run_blocks(Block& block, std::uint64_t n_steps, const BatchObserver& observer,
                                double* trajectory, std::uint64_t n_systems) const {
  const std::uint32_t width = step_.width, lanes = kernel_.shape().lanes;
  AlignedDoubles workspace(
      std::max(kernel_.shape().workspace_size, safe_ ? safe_.shape().workspace_size : 0));
  const std::uint64_t first = block.first_group * lanes;
  const std::uint64_t n_here = std::min<std::uint64_t>(block.n_groups * lanes, n_systems - first);
  const bool streams = n_steps * step_.n_states * n_systems * sizeof(double) > streamed_bytes &&
                       can_stream(trajectory, n_systems, lanes);
  const auto store = [&](std::uint64_t s) {
    const std::uint64_t n_full = n_here / lanes;
    for (std::uint32_t i = 0; i < step_.n_states; ++i) {
      double* out = trajectory + ((s - 1) * step_.n_states + i) * n_systems + first;
      const double* in = block.before + std::size_t{i} * lanes;
      const std::size_t stride = std::size_t{width} * lanes;
      if (streams)
        for (std::uint64_t g = 0; g < n_full; ++g)
          stream_lanes(in + g * stride, lanes, out + g * lanes);
      else
        for (std::uint64_t g = 0; g < n_full; ++g)
          copy_lanes(in + g * stride, lanes, out + g * lanes);
      if (n_full < block.n_groups)
        std::copy_n(in + n_full * stride, n_here - n_full * lanes, out + n_full * lanes);
    }
  };
  const auto advance = [&](std::uint64_t s) {
    kernel_(block.before, block.parameters, block.after, workspace.data(), block.n_groups);
    std::swap(block.before, block.after);
    if (trajectory != nullptr) store(s);
  };
  const auto margins = [&](std::uint64_t g) {
    return block.before + ((g + 1) * width - 1) * lanes;
  };
  const auto reset_margins = [&] {
    for (std::uint64_t g = 0; g < block.n_groups; ++g)
      std::fill_n(margins(g), lanes, std::numeric_limits<double>::max());
  };
  const auto all_safe = [&] {
    bool safe = true;
    for (std::uint64_t g = 0; g < block.n_groups; ++g)
      for (std::uint32_t lane = 0; lane < lanes; ++lane) safe &= margins(g)[lane] > 0;
    return safe;
  };

  // The least margin is kept over some steps and looked at once; where it was not positive these
  // steps are made again, each looked at. An observer must not see a step twice.
  const bool checked = step_.has_margin && safe_;
  const std::uint64_t per_look = observer ? 1 : steps_between_looks;
  std::vector<double> saved;
  std::uint64_t n_mended = 0;
  for (std::uint64_t done = 0; done < n_steps;) {
    const std::uint64_t n_now = std::min(per_look, n_steps - done);
    if (checked) {
      reset_margins();
      saved.assign(block.before, block.before + block.n_groups * width * lanes);
    }
    for (std::uint64_t k = 1; k <= n_now; ++k) advance(done + k);
    if (checked && !all_safe()) {
      std::copy(saved.begin(), saved.end(), block.before);
      for (std::uint64_t k = 1; k <= n_now; ++k) {
        reset_margins();
        advance(done + k);
        n_mended += mend(block, block.after, block.before, workspace.data());
        if (trajectory != nullptr) store(done + k);
      }
    }
    done += n_now;
    if (observer)
      observer({.step = done,
                .first = first,
                .n_systems = n_here,
                .lanes = lanes,
                .width = width,
                .data = block.before});
  }
  if (streams) end_streams();
  return n_mended;
}

namespace {

/// Error B006 where an array that was given has another size than it needs.
void require_size(std::string_view what, std::size_t given, std::size_t needed,
                  std::string_view why) {
  if (given == needed) return;
  throw Error("B006", std::string(what) + " of a batch: " + std::to_string(given) +
                          " numbers were given, and " + std::to_string(needed) + " are needed: " +
                          std::string(why) + ".");
}

}  // namespace

std::uint64_t Batch::run(std::span<double> states, std::uint64_t n_systems,
                         std::span<const double> parameters, double t, std::uint64_t n_steps,
                         const BatchObserver& observer) const {
  return run_all(states, n_systems, parameters, t, n_steps, observer, nullptr);
}

std::uint64_t Batch::run_stored(std::span<double> states, std::uint64_t n_systems,
                                std::span<const double> parameters, double t, std::uint64_t n_steps,
                                std::span<double> trajectory) const {
  require_size("a trajectory", trajectory.size(), n_steps * step_.n_states * n_systems,
               "the number of steps, states and systems multiplied");
  return run_all(states, n_systems, parameters, t, n_steps, {}, trajectory.data());
}

std::uint64_t Batch::run_all(std::span<double> states, std::uint64_t n_systems,
                             std::span<const double> parameters, double t, std::uint64_t n_steps,
                             const BatchObserver& observer, double* trajectory) const {
  const std::uint32_t width = step_.width, lanes = kernel_.shape().lanes, n = step_.n_states;
  const std::uint64_t n_groups = (n_systems + lanes - 1) / lanes;
  require_size("the states", states.size(), std::size_t{n} * n_systems,
               "all states of all systems");
  require_size("the parameters", parameters.size(),
               options_.parameters_per_system ? n_parameters_ * n_systems : n_parameters_,
               options_.parameters_per_system
                   ? "all parameters of all systems, as parameters_per_system says"
                   : "those of the model, which all systems share");
  const auto n_memory = static_cast<std::uint32_t>(step_.memory.size());
  ensure(memory_.empty() || memory_.size() == n_memory * n_systems,
         "every system has the starts of its iterations");
  if (n_systems == 0) return 0;
  // A group that is not full repeats its last system.
  const auto system_at = [&](std::uint64_t group, std::uint32_t lane) {
    return std::min(group * lanes + lane, n_systems - 1);
  };
  AlignedDoubles values(n_groups * width * lanes);
  for (std::uint64_t g = 0; g < n_groups; ++g)
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      for (std::uint32_t i = 0; i < n; ++i)
        values[(g * width + i) * lanes + lane] = states[i * n_systems + system_at(g, lane)];
      for (std::uint32_t i = 0; i < n_memory; ++i)
        values[(g * width + n + i) * lanes + lane] =
            memory_.empty() ? step_.memory[i] : memory_[i * n_systems + system_at(g, lane)];
      if (step_.has_time) values[(g * width + n + n_memory) * lanes + lane] = t;
    }
  AlignedDoubles own(options_.parameters_per_system ? n_groups * n_parameters_ * lanes
                                                    : n_parameters_);
  if (options_.parameters_per_system) {
    for (std::uint64_t g = 0; g < n_groups; ++g)
      for (std::uint32_t i = 0; i < n_parameters_; ++i)
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
          own[(g * n_parameters_ + i) * lanes + lane] =
              parameters[i * n_systems + system_at(g, lane)];
  } else {
    std::copy(parameters.begin(), parameters.end(), own.data());
  }

  const std::uint64_t per_block =
      std::max<std::uint64_t>(1, block_bytes / (2 * std::size_t{width} * lanes * sizeof(double)));
  std::atomic<std::uint64_t> next = 0, n_mended = 0;
  const auto work = [&] {
    AlignedDoubles other(per_block * width * lanes);
    for (;;) {
      const std::uint64_t first = next.fetch_add(per_block);
      if (first >= n_groups) return;
      double* const home = values.data() + first * width * lanes;
      Block block{.first_group = first,
                  .n_groups = std::min(per_block, n_groups - first),
                  .before = home,
                  .after = other.data(),
                  .parameters = options_.parameters_per_system
                                    ? own.data() + first * n_parameters_ * lanes
                                    : own.data()};
      n_mended += run_blocks(block, n_steps, observer, trajectory, n_systems);
      if (block.before != home) std::copy_n(block.before, block.n_groups * width * lanes, home);
    }
  };
  const std::uint32_t n_threads = options_.n_threads == 0
                                      ? std::max(1u, std::thread::hardware_concurrency())
                                      : options_.n_threads;
  std::vector<std::jthread> others;
  for (std::uint32_t k = 1; k < n_threads; ++k) others.emplace_back(work);
  work();
  others.clear();

  for (std::uint64_t s = 0; s < n_systems; ++s)
    for (std::uint32_t i = 0; i < n; ++i)
      states[i * n_systems + s] = values[(s / lanes * width + i) * lanes + s % lanes];
  return n_mended;
}

}  // namespace alembert::ensemble
