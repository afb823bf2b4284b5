// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/connection_sets.hpp"

namespace alembert::flat {

std::uint32_t ConnectionSets::element(ConnectionElement element) {
  const auto [entry, is_new] =
      index_.try_emplace(key(element), static_cast<std::uint32_t>(elements_.size()));
  if (is_new) elements_.push_back(element);
  return entry->second;
}

void ConnectionSets::connect(ConnectionElement a, ConnectionElement b) {
  const std::uint32_t first = element(a);
  const std::uint32_t second = element(b);
  united_.grow(static_cast<std::uint32_t>(elements_.size()));
  united_.unite(first, second);
}

ConnectionSets::Sets ConnectionSets::sets() {
  constexpr std::uint32_t none = 0xffffffffu;
  united_.grow(static_cast<std::uint32_t>(elements_.size()));
  Sets result;
  std::vector<std::uint32_t> set_of_root(elements_.size(), none);
  for (std::uint32_t i = 0; i < elements_.size(); ++i) {
    std::uint32_t& set = set_of_root[united_.find(i)];
    if (set == none) {
      set = static_cast<std::uint32_t>(result.sets.size());
      result.sets.emplace_back();
    }
    result.sets[set].push_back(elements_[i]);
    result.set_of.emplace(key(elements_[i]), set);
  }
  return result;
}

}  // namespace alembert::flat
