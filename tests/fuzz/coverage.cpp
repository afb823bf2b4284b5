// SPDX-License-Identifier: Apache-2.0
// The bridge between GCC and libFuzzer. GCC calls __sanitizer_cov_trace_pc at every branch;
// libFuzzer looks at counters, those of Clang or further ones in a section of their own, and takes
// an input that changes them for a new one. So one counter a place, by a hash of the address; the
// link of the fuzz program puts
// __wrap_ before the name, because libFuzzer has a function of that name that only says it is out
// of use.
#include <cstddef>
#include <cstdint>

namespace {

constexpr std::size_t n_counters = std::size_t{1} << 16;
__attribute__((section("__libfuzzer_extra_counters"), used)) std::uint8_t counters[n_counters];

}  // namespace

extern "C" __attribute__((no_sanitize("address", "undefined"), no_sanitize_coverage)) void
__wrap___sanitizer_cov_trace_pc() {
  const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  std::uint8_t& counter = counters[(place * 0x9E3779B97F4A7C15u) >> 48];
  if (counter != 255) ++counter;
}
