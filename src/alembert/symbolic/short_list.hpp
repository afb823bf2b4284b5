// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic, inside the pool. A list that keeps its first few items on the stack: most sums
// and products have two or three parts, and an allocation would cost more than all the rest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>

#include "alembert/symbolic/block_memory.hpp"

namespace alembert::symbolic {

template <class T, std::size_t n_inside = 12>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ShortList() = default;
  explicit ShortList(std::span<const T> items) { append(items); }
  ShortList(ShortList&& other) noexcept {
    if (other.capacity_ > n_inside) {
      data_ = other.data_;
      capacity_ = other.capacity_;
    } else {
      std::memcpy(inside_, other.inside_, other.size_ * sizeof(T));
    }
    size_ = other.size_;
    other.data_ = reinterpret_cast<T*>(other.inside_);
    other.size_ = 0;
    other.capacity_ = n_inside;
  }
  ~ShortList() { release(); }
  ShortList(const ShortList&) = delete;
  ShortList& operator=(const ShortList&) = delete;

  void push_back(const T& item) {
    if (size_ == capacity_) [[unlikely]] {
      const T copy = item;  // may be one of our own, which are about to move
      reserve(2 * capacity_);
      new (data_ + size_++) T(copy);
      return;
    }
    new (data_ + size_++) T(item);
  }
  void append(std::span<const T> items) {
    if (size_ + items.size() > capacity_) reserve(std::max(size_ + items.size(), 2 * capacity_));
    if (!items.empty())
      std::memcpy(static_cast<void*>(data_ + size_), items.data(), items.size_bytes());
    size_ += items.size();
  }
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    T* larger = static_cast<T*>(acquire_block(capacity * sizeof(T)));
    std::memcpy(static_cast<void*>(larger), data_, size_ * sizeof(T));
    release();
    data_ = larger;
    capacity_ = capacity;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  operator std::span<const T>() const { return {data_, size_}; }  // NOLINT: a list is its items

 private:
  void release() {
    if (capacity_ > n_inside) release_block(data_, capacity_ * sizeof(T));
  }

  alignas(T) std::byte inside_[n_inside * sizeof(T)];
  T* data_ = reinterpret_cast<T*>(inside_);
  std::size_t size_ = 0;
  std::size_t capacity_ = n_inside;
};

/// Sorts what is mostly short and often in order already; keeps the order of equals.
template <class T, std::size_t n_inside, class Before>
void sort_short(ShortList<T, n_inside>& list, Before before) {
  constexpr std::size_t short_enough = 16;
  if (list.size() > short_enough) {
    if (!std::is_sorted(list.begin(), list.end(), before))
      std::stable_sort(list.begin(), list.end(), before);
    return;
  }
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (!before(list[i], list[i - 1])) continue;
    const T item = list[i];
    std::size_t k = i;
    do list[k] = list[k - 1];
    while (--k > 0 && before(item, list[k - 1]));
    list[k] = item;
  }
}

}  // namespace alembert::symbolic
