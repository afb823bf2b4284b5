// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic, inside the pool. Memory for large arrays. New pages are dear: each costs a trap
// into the system, and hashing visits them at random. So large blocks ask for large pages, middling
// ones have their pages made in one go, and some of what a pool gives back is kept for the next;
// the system may have it until then.
#pragma once

#include <cstddef>

namespace alembert::symbolic {

/// At least `bytes`, not initialised.
void* acquire_block(std::size_t bytes);
/// `bytes` as given to acquire_block.
void release_block(void* block, std::size_t bytes) noexcept;

/// For vectors.
template <class T>
struct BlockAllocator {
  using value_type = T;

  BlockAllocator() = default;
  template <class U>
  BlockAllocator(const BlockAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t n) { return static_cast<T*>(acquire_block(n * sizeof(T))); }
  void deallocate(T* memory, std::size_t n) noexcept { release_block(memory, n * sizeof(T)); }
  friend bool operator==(const BlockAllocator&, const BlockAllocator&) { return true; }
};

}  // namespace alembert::symbolic
