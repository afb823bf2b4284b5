// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Executable pages; see code_memory.hpp.
#include "alembert/compile/native/code_memory.hpp"

#include <sys/mman.h>

#include <cstring>

namespace alembert::compile::native {

CodeMemory::~CodeMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

CodeMemory CodeMemory::make(std::span<const std::span<const std::uint8_t>> parts) {
  CodeMemory memory;
  std::size_t size = 0;
  for (const auto& part : parts) size += part.size();
  if (size == 0) return memory;
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return memory;
  auto* to = static_cast<std::uint8_t*>(data);
  for (const auto& part : parts) {
    std::memcpy(to, part.data(), part.size());
    to += part.size();
  }
  if (mprotect(data, size, PROT_READ | PROT_EXEC) != 0) {
    munmap(data, size);
    return memory;
  }
  memory.data_ = data;
  memory.size_ = size;
  return memory;
}

}  // namespace alembert::compile::native
