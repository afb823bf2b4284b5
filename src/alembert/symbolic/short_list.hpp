// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic, inside the pool. A list that keeps its first few items on the stack: most sums
// and products have two or three parts, and an allocation would cost more than all the rest.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace alembert::symbolic {

template <class T, std::size_t n_inside = 12>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ShortList() = default;
  explicit ShortList(std::span<const T> items) { append(items); }
  ShortList(ShortList&& other) noexcept {
    if (other.outside_) {
      outside_ = std::move(other.outside_);
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
  ShortList(const ShortList&) = delete;
  ShortList& operator=(const ShortList&) = delete;

  void push_back(const T& item) {
    const T copy = item;  // may be one of our own, which are about to move
    if (size_ == capacity_) reserve(2 * capacity_);
    std::memcpy(static_cast<void*>(data_ + size_++), &copy, sizeof(T));
  }
  void append(std::span<const T> items) {
    reserve(size_ + items.size());
    if (!items.empty())
      std::memcpy(static_cast<void*>(data_ + size_), items.data(), items.size_bytes());
    size_ += items.size();
  }
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    std::unique_ptr<std::byte[]> larger(new std::byte[capacity * sizeof(T)]);
    std::memcpy(larger.get(), data_, size_ * sizeof(T));
    outside_ = std::move(larger);
    data_ = reinterpret_cast<T*>(outside_.get());
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
  alignas(T) std::byte inside_[n_inside * sizeof(T)];
  std::unique_ptr<std::byte[]> outside_;
  T* data_ = reinterpret_cast<T*>(inside_);
  std::size_t size_ = 0;
  std::size_t capacity_ = n_inside;
};

}  // namespace alembert::symbolic
