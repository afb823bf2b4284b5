// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. A callable passed down the stack without owning or allocating: two pointers.
// The callable must outlive the call it is passed to; an empty reference is false.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace alembert::integrate {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  FunctionRef() = default;

  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_invocable_r_v<Result, F&, Arguments...>)
      FunctionRef(F&& f)  // NOLINT(google-explicit-constructor): a lambda is passed as it is
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(
              std::forward<Arguments>(arguments)...);
        }) {}

  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Arguments... arguments) const {
    return call_(object_, std::forward<Arguments>(arguments)...);
  }

 private:
  void* object_ = nullptr;
  Result (*call_)(void*, Arguments...) = nullptr;
};

}  // namespace alembert::integrate
