// SPDX-License-Identifier: Apache-2.0
// Stage: base. Strong 32-bit ids: an index into one array cannot be used for another by mistake.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace alembert {

template <class Tag>
struct Id {
  std::uint32_t value = none_value;

  static constexpr std::uint32_t none_value = 0xffffffffu;
  static constexpr Id none() { return {}; }
  constexpr bool valid() const { return value != none_value; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace alembert

template <class Tag>
struct std::hash<alembert::Id<Tag>> {
  std::size_t operator()(alembert::Id<Tag> id) const noexcept { return id.value; }
};
