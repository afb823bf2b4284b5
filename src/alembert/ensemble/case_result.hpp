// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. What one case of a sweep leaves behind, and its bytes in a journal or a message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alembert::ensemble {

enum class CaseStatus : std::uint32_t {
  done,
  terminated,  ///< the model ended its run, successfully
  stopped,     ///< the end was not reached; values up to there
  failed,      ///< no start, or wrong values
  time_limit,  ///< ended by force
  crashed,     ///< the process that ran it is gone
};

/// "done", "terminated", ...
std::string_view to_string(CaseStatus status);

struct CaseResult {
  std::uint64_t number = 0;  ///< of the case, from 0
  CaseStatus status = CaseStatus::done;
  double end_time = 0;
  std::string message = {};
  std::vector<double> values = {};  // as the sweep has it; empty where there are none

  bool good() const { return status == CaseStatus::done || status == CaseStatus::terminated; }
  friend bool operator==(const CaseResult&, const CaseResult&) = default;
};

std::string to_bytes(const CaseResult& result);
/// None where the bytes are no such result.
std::optional<CaseResult> case_result(std::string_view bytes);

}  // namespace alembert::ensemble
