// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/block_memory.hpp"

#include <array>
#include <bit>
#include <mutex>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace alembert::symbolic {

namespace {

constexpr std::size_t smallest_block = std::size_t{8} << 10;  // below that, plain allocation
constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::size_t most_kept = std::size_t{256} << 20;
constexpr std::size_t most_held = std::size_t{128} << 20;  // the system may have what is above

/// Blocks that were given back, by the power of two that is their size.
struct Kept {
  std::mutex mutex;
  std::array<std::vector<void*>, 64> blocks;
  std::size_t bytes = 0;
};

// Never destroyed: pools that outlive main may still give blocks back.
Kept& kept() {
  static Kept& only = *new Kept;
  return only;
}

std::size_t alignment(std::size_t size) {
  return size < large_page ? std::size_t{4096} : large_page;
}

void* make_block(std::size_t size) {
  void* block = ::operator new (size, std::align_val_t{alignment(size)});
#if defined(__linux__)
  // Advice: nothing is lost if it is not taken.
  if (size >= large_page) madvise(block, size, MADV_HUGEPAGE);
#if defined(MADV_POPULATE_WRITE)
  else
    madvise(block, size, MADV_POPULATE_WRITE);
#endif
#endif
  return block;
}

}  // namespace

void* acquire_block(std::size_t bytes) {
  if (bytes < smallest_block) return ::operator new(bytes);
  const std::size_t size = std::bit_ceil(bytes);
  {
    Kept& known = kept();
    const std::lock_guard lock(known.mutex);
    auto& blocks = known.blocks[static_cast<std::size_t>(std::countr_zero(size))];
    if (!blocks.empty()) {
      void* block = blocks.back();
      blocks.pop_back();
      known.bytes -= size;
      return block;
    }
  }
  return make_block(size);
}

void release_block(void* block, std::size_t bytes) noexcept {
  if (bytes < smallest_block) return ::operator delete(block);
  const std::size_t size = std::bit_ceil(bytes);
  {
    Kept& known = kept();
    const std::lock_guard lock(known.mutex);
    if (known.bytes + size <= most_kept) {
      auto& blocks = known.blocks[static_cast<std::size_t>(std::countr_zero(size))];
      try {
        blocks.push_back(block);
        known.bytes += size;
#if defined(MADV_FREE)
        // The system may take the pages whenever it is short of memory; new ones cost a tenth of
        // what a large pool takes to build, so not all are offered.
        if (size >= large_page && known.bytes > most_held) madvise(block, size, MADV_FREE);
#endif
        return;
      } catch (const std::bad_alloc&) {
        // Not kept, then.
      }
    }
  }
  ::operator delete (block, std::align_val_t{alignment(size)});
}

}  // namespace alembert::symbolic
