// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic, inside the pool. An allocator that asks the system for large pages where an
// array is large: hashing visits memory at random, and with small pages each visit costs a walk
// through page tables, each new page a fault.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace alembert::symbolic {

template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (bytes < threshold) return static_cast<T*>(::operator new(bytes));
    void* memory = ::operator new (bytes, std::align_val_t{page});
#if defined(__linux__)
    madvise(memory, bytes, MADV_HUGEPAGE);  // advice: nothing is lost if it is not taken
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) {
    if (n * sizeof(T) < threshold)
      ::operator delete(memory);
    else
      ::operator delete (memory, std::align_val_t{page});
  }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }

 private:
  static constexpr std::size_t page = std::size_t{2} << 20;
  static constexpr std::size_t threshold = 2 * page;
};

}  // namespace alembert::symbolic
