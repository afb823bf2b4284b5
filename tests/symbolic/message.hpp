// SPDX-License-Identifier: Apache-2.0
// What a mistake is answered with. In: an action. Out: "CODE: text" of the error it throws.
#pragma once

#include <functional>
#include <string>

#include "alembert/base/error.hpp"

namespace alembert::symbolic::testing {

inline std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code() + ": " + error.diagnostics().front().text;
  }
  return "no error";
}

}  // namespace alembert::symbolic::testing
