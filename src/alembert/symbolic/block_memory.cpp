// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/block_memory.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <numeric>
#include <span>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace alembert::symbolic {

namespace {

constexpr std::size_t smallest_block = std::size_t{8} << 10;  // below that, plain allocation
constexpr std::size_t small_page = 4096;
constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::size_t most_kept = std::size_t{4} << 30;
constexpr std::size_t most_held = std::size_t{128} << 20;  // the system may have what is above

/// Blocks that were given back, by the power of two that is their size.
struct Kept {
  std::mutex mutex;
  std::array<std::vector<void*>, 64> blocks;
  std::size_t bytes = 0;
  /// Lengths of the pieces of blocks, in use or not, whose pages came from several places: the
  /// system moves pages of one piece at a time only (Linux before 6.17).
  std::map<void*, std::vector<std::size_t>> pieces;
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

/// Moves the pages of a block that was given back; false if the system would not. Then there are
/// new pages in place of those that were not moved, and what is left of the old block is gone.
bool move_pages(char* from, char* to, std::span<const std::size_t> lengths) {
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const std::size_t length = lengths[k];
    if (mremap(from, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to) {
      const std::size_t rest = std::accumulate(lengths.begin() + k, lengths.end(), std::size_t{0});
      munmap(from, rest);
      // The place may have been cleared for what did not come.
      if (mmap(to, rest, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
          to)
        throw std::bad_alloc();
      return false;
    }
    from += length;
    to += length;
  }
  return true;
}

/// Pages of smaller blocks that were given back become the first ones of a new block: an array that
/// grows then needs no more new pages in all than it has in the end. Larger blocks come first, so
/// that each piece lies where a page of its size may lie.
void move_kept_pages(Kept& known, char* block, std::size_t size) {
  std::size_t filled = 0;
  std::vector<std::size_t> own;
  bool moves = true;
  for (std::size_t k = static_cast<std::size_t>(std::countr_zero(size)); k-- > 0 && moves;) {
    const std::size_t length = std::size_t{1} << k;
    if (length < large_page) break;
    auto& blocks = known.blocks[k];
    while (moves && !blocks.empty() && filled + length <= size) {
      void* const from = blocks.back();
      const auto found = known.pieces.find(from);
      const std::vector<std::size_t> lengths =
          found == known.pieces.end() ? std::vector{length} : found->second;
      own.insert(own.end(), lengths.begin(), lengths.end());
      if (found != known.pieces.end()) known.pieces.erase(found);
      blocks.pop_back();
      known.bytes -= length;
      moves = move_pages(static_cast<char*>(from), block + filled, lengths);
      filled += length;
    }
  }
  if (own.empty()) return;
  if (filled < size) own.push_back(size - filled);
  known.pieces[block] = std::move(own);
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
  {
    Kept& known = kept();
    const std::lock_guard lock(known.mutex);
    known.pieces.erase(block);
  }
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
