// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Pages of machine code: written first, then made executable, never both at
// once. In: bytes. Out: an address that can be called for as long as the object lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace alembert::compile::native {

class CodeMemory {
 public:
  CodeMemory() = default;
  CodeMemory(CodeMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  CodeMemory& operator=(CodeMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~CodeMemory();

  /// Empty if the system refuses executable memory.
  static CodeMemory make(std::span<const std::span<const std::uint8_t>> parts);

  const void* data() const { return data_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace alembert::compile::native
