// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/syntax/name.hpp"

#include <array>
#include <cstring>
#include <memory_resource>
#include <mutex>
#include <unordered_map>

namespace alembert::modelica {

namespace {

/// FNV-1a over the bytes, then mixed: the same in every run, unlike an address.
std::size_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  hash ^= hash >> 29;
  hash *= 0xbf58476d1ce4e5b9u;
  return hash ^ (hash >> 32);
}

struct HashedText {
  std::string_view text;
  std::size_t hash;
  friend bool operator==(const HashedText& a, const HashedText& b) { return a.text == b.text; }
};

struct KeptHash {
  std::size_t operator()(const HashedText& key) const { return key.hash; }
};

class Table {
 public:
  const Name::Entry* intern(std::string_view text, std::size_t hash) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(HashedText{text, hash});
    if (found != entries_.end()) return found->second;
    char* bytes = static_cast<char*>(arena_.allocate(text.size() + 1, 1));
    std::memcpy(bytes, text.data(), text.size());
    bytes[text.size()] = '\0';
    const std::string_view kept(bytes, text.size());
    void* memory = arena_.allocate(sizeof(Name::Entry), alignof(Name::Entry));
    const auto* entry = new (memory) Name::Entry{kept, hash};
    entries_.emplace(HashedText{kept, hash}, entry);
    return entry;
  }

 private:
  std::mutex mutex_;
  std::pmr::monotonic_buffer_resource arena_;
  std::unordered_map<HashedText, const Name::Entry*, KeptHash> entries_;
};

/// Never destroyed: names may be used by destructors of other globals.
Table& table() {
  static Table& the_table = *new Table;
  return the_table;
}

}  // namespace

Name::Name(std::string_view text) {
  if (text.empty()) return;
  // Most identifiers of a text were seen shortly before; finding them here takes no lock.
  thread_local std::array<const Entry*, 2048> recent{};
  const std::size_t hash = hash_of(text);
  const Entry*& slot = recent[hash % recent.size()];
  if (slot == nullptr || slot->hash != hash || slot->text != text)
    slot = table().intern(text, hash);
  entry_ = slot;
}

}  // namespace alembert::modelica
