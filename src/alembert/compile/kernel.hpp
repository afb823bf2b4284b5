// SPDX-License-Identifier: Apache-2.0
// Stage: compile. What a back end makes of a tape: an immutable function that may be shared between
// threads. In: a tape (interpret/, native/). Out: numbers. Every call brings its own workspace, so
// nothing is shared. Memory layout, for `lanes` systems side by side in a group: inputs
// [group][n_inputs][lanes], outputs [group][n_outputs][lanes], parameters [n_parameters] common to
// all lanes, or [group][n_parameters][lanes] when made with parameters_per_lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace alembert::compile {

class Kernel {
 public:
  /// `owner` is the back end's own data (machine code, decoded program), passed to `function` as
  /// `self`.
  using Function = void (*)(const void* self, const double* inputs, const double* parameters,
                            double* outputs, double* workspace, std::size_t n_groups);

  struct Shape {
    std::uint32_t n_inputs = 0;
    std::uint32_t n_parameters = 0;
    std::uint32_t n_outputs = 0;
    std::uint32_t lanes = 1;  ///< systems in a group
    bool parameters_per_lane = false;
    std::size_t workspace_size = 0;  ///< doubles that each call needs; contents need not be kept
  };

  Kernel() = default;
  Kernel(Shape shape, Function function, std::shared_ptr<const void> owner)
      : shape_(shape), function_(function), owner_(std::move(owner)) {}

  const Shape& shape() const { return shape_; }
  explicit operator bool() const { return function_ != nullptr; }

  /// Evaluates `n_groups` groups. `workspace` has shape().workspace_size doubles, aligned to 64
  /// bytes.
  void operator()(const double* inputs, const double* parameters, double* outputs,
                  double* workspace, std::size_t n_groups = 1) const {
    function_(owner_.get(), inputs, parameters, outputs, workspace, n_groups);
  }

 private:
  Shape shape_;
  Function function_ = nullptr;
  std::shared_ptr<const void> owner_;
};

/// Doubles aligned to 64 bytes: a workspace, or a block of lanes.
class AlignedDoubles {
 public:
  AlignedDoubles() = default;
  explicit AlignedDoubles(std::size_t size)
      : size_(size),
        data_(static_cast<double*>(
            ::operator new[]((size == 0 ? 1 : size) * sizeof(double), std::align_val_t{64}))) {
    for (std::size_t i = 0; i < size; ++i) data_[i] = 0.0;
  }

  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  double& operator[](std::size_t i) { return data_[i]; }
  double operator[](std::size_t i) const { return data_[i]; }

 private:
  struct Free {
    void operator()(double* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<double[], Free> data_;
};

}  // namespace alembert::compile
