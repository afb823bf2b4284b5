// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax. Identifiers as interned handles: equal texts are one pointer,
// so comparing costs a word. The table is one for the whole program, holds each distinct text once,
// and may be used from several threads.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace alembert::modelica {

class Name {
 public:
  /// What is interned: the text and a hash of it that is the same in every run.
  struct Entry {
    std::string_view text;
    std::size_t hash = 0;
  };

  constexpr Name() = default;
  /// Interns the text. A quoted identifier keeps its quotes: 'a b' is the text "'a b'".
  explicit Name(std::string_view text);

  std::string_view text() const { return entry_ ? entry_->text : std::string_view{}; }
  std::string string() const { return std::string(text()); }
  bool empty() const { return entry_ == nullptr; }
  std::size_t hash() const { return entry_ ? entry_->hash : 0; }

  friend bool operator==(Name, Name) = default;
  /// By text, so that sorting does not depend on addresses.
  friend std::strong_ordering operator<=>(Name a, Name b) { return a.text() <=> b.text(); }
  /// Without interning, for single comparisons.
  friend bool operator==(Name a, std::string_view b) { return a.text() == b; }

 private:
  const Entry* entry_ = nullptr;
};

}  // namespace alembert::modelica

template <>
struct std::hash<alembert::modelica::Name> {
  std::size_t operator()(alembert::modelica::Name name) const noexcept { return name.hash(); }
};
