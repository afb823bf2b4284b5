// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax. Lists whose length is known only at their end, collected on a
// stack that is shared by all lists of one type, then copied to the arena in one piece.
#pragma once

#include <algorithm>
#include <memory_resource>
#include <span>
#include <type_traits>
#include <vector>

namespace alembert::modelica {

template <class T>
class ListBuilder {
  static_assert(std::is_trivially_destructible_v<T>, "the arena destroys nothing");

 public:
  /// Builders on one stack end in the reverse order of their beginning, as local variables do.
  explicit ListBuilder(std::vector<T>& stack) : stack_(stack), begin_(stack.size()) {}
  ListBuilder(const ListBuilder&) = delete;
  ListBuilder& operator=(const ListBuilder&) = delete;
  ~ListBuilder() { stack_.resize(begin_); }

  void add(const T& item) { stack_.push_back(item); }
  std::size_t size() const { return stack_.size() - begin_; }

  std::span<const T> finish(std::pmr::memory_resource& arena) const {
    if (size() == 0) return {};
    T* items = static_cast<T*>(arena.allocate(size() * sizeof(T), alignof(T)));
    std::uninitialized_copy(stack_.begin() + static_cast<std::ptrdiff_t>(begin_), stack_.end(),
                            items);
    return {items, size()};
  }

 private:
  std::vector<T>& stack_;
  std::size_t begin_;
};

}  // namespace alembert::modelica
