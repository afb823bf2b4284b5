// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. The 64-bit hash of expression content. It depends on names and numbers only,
// never on ids or addresses, because the canonical order of terms falls back on it.
#pragma once

#include <cstdint>
#include <string_view>

namespace alembert::symbolic {

/// A place of a hash table where nothing is.
inline constexpr std::uint64_t empty_slot = 0xffffffffffffffffULL;

constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
  // Two rounds of the finaliser of splitmix64 (Steele, Lea, Flood 2014).
  std::uint64_t h = seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
  return h ^ (h >> 31);
}

inline std::uint64_t hash_text(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(h, text.size());
}

}  // namespace alembert::symbolic
