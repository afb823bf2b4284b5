// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/similar_names.hpp"

#include <algorithm>
#include <vector>

namespace alembert {

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t differs = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + differs});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace

std::string nearest_name(std::string_view written, std::span<const std::string_view> names) {
  constexpr std::size_t longest = 200;  // nobody mistypes these; keeps the work bounded
  if (written.size() > longest) return {};
  const std::string lower = in_lower_case(written);
  std::size_t best = std::max<std::size_t>(1, written.size() / 3);
  std::string_view nearest;
  const auto is_better = [&](std::string_view name, std::size_t distance) {
    if (distance != best || nearest.empty()) return distance <= best;
    const bool same_length = name.size() == written.size();
    if (same_length != (nearest.size() == written.size())) return same_length;
    return name < nearest;
  };
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(lower, in_lower_case(name), best);
    if (!is_better(name, distance)) continue;
    best = distance;
    nearest = name;
  }
  // A name of one letter is no more like another one than like any.
  return written.size() == 1 && best > 0 ? std::string() : std::string(nearest);
}

std::string nearest_name(std::string_view written, std::span<const std::string> names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return nearest_name(written, views);
}

}  // namespace alembert
