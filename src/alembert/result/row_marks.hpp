// SPDX-License-Identifier: Apache-2.0
// Stage: result. Which rows have reached a file that cannot be written to its end. In: where each
// row ends, in bytes, as rows are written. Out: the last row that lies whole within so many bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace alembert::result {

class RowMarks {
 public:
  struct Mark {
    std::uint64_t end = 0;     ///< of the row, in bytes from the beginning of the file
    std::uint64_t n_rows = 0;  ///< up to this one
    double time = 0;
  };

  /// on_disk: bytes that are safe; rows that end before need not be remembered, but for the last.
  void add(std::uint64_t end, double time, std::uint64_t on_disk) {
    constexpr std::size_t most_held = 4096;
    if (marks_.size() >= most_held) {
      std::size_t n_safe = 0;
      while (n_safe < marks_.size() && marks_[n_safe].end <= on_disk) ++n_safe;
      if (n_safe > 1)
        marks_.erase(marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(n_safe - 1));
    }
    marks_.push_back({end, ++n_rows_, time});
  }

  std::optional<Mark> last_within(std::uint64_t n_bytes) const {
    for (std::size_t i = marks_.size(); i-- > 0;)
      if (marks_[i].end <= n_bytes) return marks_[i];
    return std::nullopt;
  }

 private:
  std::vector<Mark> marks_;  // ascending
  std::uint64_t n_rows_ = 0;
};

}  // namespace alembert::result
