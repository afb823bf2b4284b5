// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/text_number.hpp"

#include <cstdint>
#include <map>
#include <mutex>

namespace alembert {

namespace {

struct Texts {
  std::mutex mutex;
  std::map<double, std::string> text_of;
};

Texts& texts() {
  static Texts all;
  return all;
}

/// FNV-1a, of which 52 bits are kept.
std::uint64_t hash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return (hash ^ (hash >> 52)) & ((std::uint64_t{1} << 52) - 1);
}

}  // namespace

double number_of_text(std::string_view text) {
  if (text.empty()) return 0;
  Texts& all = texts();
  const std::lock_guard lock(all.mutex);
  for (std::uint64_t number = hash(text);; ++number) {  // the next one where another text has it
    if (number == 0) continue;
    const auto [entry, is_new] = all.text_of.try_emplace(static_cast<double>(number), text);
    if (is_new || entry->second == text) return entry->first;
  }
}

std::string text_of_number(double number) {
  Texts& all = texts();
  const std::lock_guard lock(all.mutex);
  const auto found = all.text_of.find(number);
  return found == all.text_of.end() ? std::string() : found->second;
}

std::vector<std::string> remembered_texts() {
  Texts& all = texts();
  const std::lock_guard lock(all.mutex);
  std::vector<std::string> list;
  for (const auto& [number, text] : all.text_of) list.push_back(text);
  return list;
}

}  // namespace alembert
