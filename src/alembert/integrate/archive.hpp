// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. What a running simulation is made of, as bytes and back. One function names the
// members of a class for both directions, so that what is saved and what is restored cannot differ.
// Numbers are kept as the machine has them: a run goes on with the same bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "alembert/base/error.hpp"

namespace alembert::integrate {

class Archive {
 public:
  /// To be written.
  Archive() = default;
  /// To be read; the bytes must outlive it.
  explicit Archive(std::string_view bytes) : reading_(true), source_(bytes) {}

  bool reading() const { return reading_; }
  const std::string& bytes() const { return bytes_; }
  bool at_end() const { return at_ == source_.size(); }

  template <class... T>
  void operator()(T&... members) {
    (exchange(members), ...);
  }

 private:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void exchange(T& value) { raw(&value, sizeof value); }

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void exchange(std::vector<T>& values) {
    std::uint64_t n = values.size();
    exchange(n);
    if (reading_) {
      if (n > (source_.size() - at_) / sizeof(T)) fail();
      values.resize(n);
    }
    raw(values.data(), n * sizeof(T));
  }

  void exchange(std::string& text) {
    std::uint64_t n = text.size();
    exchange(n);
    if (reading_) {
      if (n > source_.size() - at_) fail();
      text.resize(n);
    }
    raw(text.data(), n);
  }

  void exchange(std::vector<std::string>& texts) {
    std::uint64_t n = texts.size();
    exchange(n);
    if (reading_) {
      if (n > source_.size() - at_) fail();
      texts.resize(n);
    }
    for (std::string& text : texts) exchange(text);
  }

  void raw(void* data, std::size_t n) {
    if (n == 0) return;
    if (!reading_) {
      bytes_.append(static_cast<const char*>(data), n);
      return;
    }
    if (n > source_.size() - at_) fail();
    std::memcpy(data, source_.data() + at_, n);
    at_ += n;
  }

  [[noreturn]] static void fail() {
    throw Error("I012", "the checkpoint ends in the middle: it is damaged.");
  }

  bool reading_ = false;
  std::string bytes_;
  std::string_view source_;
  std::size_t at_ = 0;
};

}  // namespace alembert::integrate
