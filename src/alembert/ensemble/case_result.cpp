// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/case_result.hpp"

#include <cstring>

namespace alembert::ensemble {

namespace {

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
bool take(std::string_view& bytes, T& value) {
  if (bytes.size() < sizeof value) return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return true;
}

}  // namespace

std::string_view to_string(CaseStatus status) {
  switch (status) {
    case CaseStatus::done: return "done";
    case CaseStatus::terminated: return "terminated";
    case CaseStatus::stopped: return "stopped";
    case CaseStatus::failed: return "failed";
    case CaseStatus::time_limit: return "time limit";
    case CaseStatus::crashed: return "crashed";
  }
  return "unknown";
}

std::string to_bytes(const CaseResult& result) {
  std::string bytes;
  bytes.reserve(40 + result.message.size() + 8 * result.values.size());
  put(bytes, result.number);
  put(bytes, static_cast<std::uint32_t>(result.status));
  put(bytes, static_cast<std::uint32_t>(result.message.size()));
  put(bytes, result.end_time);
  put(bytes, static_cast<std::uint64_t>(result.values.size()));
  bytes += result.message;
  bytes.append(reinterpret_cast<const char*>(result.values.data()),
               result.values.size() * sizeof(double));
  return bytes;
}

std::optional<CaseResult> case_result(std::string_view bytes) {
  CaseResult result;
  std::uint32_t status = 0, message_size = 0;
  std::uint64_t n_values = 0;
  if (!take(bytes, result.number) || !take(bytes, status) || !take(bytes, message_size) ||
      !take(bytes, result.end_time) || !take(bytes, n_values))
    return std::nullopt;
  if (status > static_cast<std::uint32_t>(CaseStatus::crashed) || bytes.size() < message_size ||
      (bytes.size() - message_size) / sizeof(double) != n_values ||
      (bytes.size() - message_size) % sizeof(double) != 0)
    return std::nullopt;
  result.status = static_cast<CaseStatus>(status);
  result.message = bytes.substr(0, message_size);
  result.values.resize(n_values);
  if (n_values > 0)
    std::memcpy(result.values.data(), bytes.data() + message_size, n_values * sizeof(double));
  return result;
}

}  // namespace alembert::ensemble
