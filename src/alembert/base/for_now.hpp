// SPDX-License-Identifier: Apache-2.0
// Stage: base. A variable that has another value for a while.
#pragma once

#include <type_traits>
#include <utility>

namespace alembert {

/// The variable has the value while this lives, then the one from before.
template <class T>
class [[nodiscard]] ForNow {
 public:
  ForNow(T& variable, std::type_identity_t<T> now)
      : variable_(variable), before_(std::exchange(variable, std::move(now))) {}
  ~ForNow() { variable_ = std::move(before_); }
  ForNow(const ForNow&) = delete;
  ForNow& operator=(const ForNow&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace alembert
