// SPDX-License-Identifier: Apache-2.0
// Names compare like keys of bytes: a character is itself, a run of digits is '0' (so it sorts
// among other text as a digit does), its length and its digits without leading zeros; then a zero
// byte and the whole name. The keys are walked, never stored.
#include "alembert/symbolic/natural_order.hpp"

#include <algorithm>

#include "alembert/base/characters.hpp"

namespace alembert::symbolic {

namespace {

/// The bytes of a key, one after the other, from a place in the name where a run may start.
class KeyBytes {
 public:
  explicit KeyBytes(std::string_view name, std::size_t from = 0) : name_(name), at_(from) {}

  /// The next byte; -1 after the last.
  int next() {
    if (run_end_ > at_) {
      if (length_ >= 0) {
        const int length = length_;
        length_ = -1;
        return length;
      }
      return byte(at_++);
    }
    if (!in_tail_ && at_ < name_.size()) {
      if (!is_digit(name_[at_])) return byte(at_++);
      start_run();
      return '0';
    }
    if (!in_tail_) {
      in_tail_ = true;
      at_ = 0;
      run_end_ = 0;
      return 0;
    }
    return at_ < name_.size() ? byte(at_++) : -1;
  }

 private:
  int byte(std::size_t i) const { return static_cast<unsigned char>(name_[i]); }

  void start_run() {
    run_end_ = at_;
    while (run_end_ < name_.size() && is_digit(name_[run_end_])) ++run_end_;
    while (at_ + 1 < run_end_ && name_[at_] == '0') ++at_;
    length_ = static_cast<int>(std::min<std::size_t>(run_end_ - at_, 255));
  }

  std::string_view name_;
  std::size_t at_;
  std::size_t run_end_ = 0;  // of the run of digits being told
  int length_ = -1;          // of that run, while it is still to be told
  bool in_tail_ = false;
};

}  // namespace

int natural_compare(std::string_view a, std::string_view b) {
  const std::size_t n = std::min(a.size(), b.size());
  auto from = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n), b.begin()).first -
      a.begin());
  if (from == n && a.size() == b.size()) return 0;
  while (from > 0 && is_digit(a[from - 1])) --from;  // a run is compared as a whole
  KeyBytes left(a, from);
  KeyBytes right(b, from);
  while (true) {
    const int x = left.next();
    const int y = right.next();
    if (x != y) return x - y;
    if (x < 0) return 0;
  }
}

std::uint64_t natural_prefix(std::string_view name) {
  KeyBytes key(name);
  std::uint64_t bytes = 0;
  for (int i = 0; i < 8; ++i)
    bytes = bytes << 8 | static_cast<std::uint64_t>(std::max(key.next(), 0));
  return bytes;
}

}  // namespace alembert::symbolic
