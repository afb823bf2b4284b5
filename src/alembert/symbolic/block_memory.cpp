// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/block_memory.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace alembert::symbolic {

namespace {

constexpr std::size_t smallest_block = std::size_t{8} << 10;  // below that, plain allocation
constexpr std::size_t small_page = 4096;
constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::size_t most_kept = std::size_t{1} << 30;
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

#if defined(__linux__)
/// Addresses for a large block, without pages yet; null if there are none left.
char* reserve_addresses(std::size_t size) {
  const std::size_t wider = size + large_page;  // for alignment
  void* const mapped =
      mmap(nullptr, wider, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(mapped);
  const std::size_t skipped =
      (large_page - reinterpret_cast<std::uintptr_t>(begin) % large_page) % large_page;
  if (skipped > 0) munmap(begin, skipped);
  if (skipped < large_page) munmap(begin + skipped + size, large_page - skipped);
  return begin + skipped;
}

/// Pages of smaller blocks that were given back become the first ones of a new block: an array that
/// grows then needs no more new pages in all than it has in the end. Larger blocks come first, so
/// that each piece lies where a page of its size may lie.
void move_kept_pages(Kept& known, char* block, std::size_t size) {
  std::size_t filled = 0;
  for (std::size_t k = static_cast<std::size_t>(std::countr_zero(size)); k-- > 0;) {
    const std::size_t piece = std::size_t{1} << k;
    if (piece < large_page) return;
    auto& blocks = known.blocks[k];
    while (!blocks.empty() && filled + piece <= size) {
      void* const at = block + filled;
      if (mremap(blocks.back(), piece, piece, MREMAP_MAYMOVE | MREMAP_FIXED, at) != at) return;
      blocks.pop_back();
      known.bytes -= piece;
      filled += piece;
    }
  }
}
#endif

void* make_large_block(Kept& known, std::size_t size) {
#if defined(__linux__)
  char* const block = reserve_addresses(size);
  if (block == nullptr) throw std::bad_alloc();
  madvise(block, size, MADV_HUGEPAGE);  // advice: nothing is lost if it is not taken
  move_kept_pages(known, block, size);
  return block;
#else
  (void)known;
  return ::operator new (size, std::align_val_t{large_page});
#endif
}

void* make_small_block(std::size_t size) {
  void* block = ::operator new (size, std::align_val_t{small_page});
#if defined(MADV_POPULATE_WRITE)
  madvise(block, size, MADV_POPULATE_WRITE);
#endif
  return block;
}

void delete_block(void* block, std::size_t size) {
  if (size < large_page) return ::operator delete (block, std::align_val_t{small_page});
#if defined(__linux__)
  munmap(block, size);
#else
  ::operator delete (block, std::align_val_t{large_page});
#endif
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
    if (size >= large_page) return make_large_block(known, size);
  }
  return make_small_block(size);
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
  delete_block(block, size);
}

}  // namespace alembert::symbolic
