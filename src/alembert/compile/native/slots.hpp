// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Spill slots: the lowest free one first, so that few are used, they stay in
// the first level of cache, and displacements stay short. In: requests. Out: slot numbers from
// `first` on.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace alembert::compile::native {

class SlotAllocator {
 public:
  explicit SlotAllocator(std::uint32_t first) : first_(first) {}

  std::uint32_t take() {
    while (lowest_ < free_.size() && free_[lowest_] == 0) ++lowest_;
    if (lowest_ == free_.size()) free_.push_back(~std::uint64_t{0});
    const int bit = std::countr_zero(free_[lowest_]);
    free_[lowest_] &= free_[lowest_] - 1;
    const auto slot = static_cast<std::uint32_t>(lowest_ * 64) + static_cast<std::uint32_t>(bit);
    n_used_ = std::max(n_used_, slot + 1);
    return first_ + slot;
  }

  void release(std::uint32_t slot) {
    slot -= first_;
    free_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    lowest_ = std::min<std::size_t>(lowest_, slot / 64);
  }

  bool owns(std::uint32_t slot) const { return slot >= first_; }
  /// One past the highest slot ever taken.
  std::uint32_t end() const { return first_ + n_used_; }

 private:
  std::uint32_t first_;
  std::uint32_t n_used_ = 0;
  std::size_t lowest_ = 0;           // no free slot in words before this one
  std::vector<std::uint64_t> free_;  // one bit a slot
};

}  // namespace alembert::compile::native
