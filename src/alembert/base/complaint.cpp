// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/complaint.hpp"

#include <utility>

namespace alembert {

namespace {

thread_local std::string first_complaint;

}  // namespace

void complain(std::string text) {
  if (first_complaint.empty()) first_complaint = std::move(text);
}

std::string take_complaint() { return std::exchange(first_complaint, {}); }

}  // namespace alembert
