// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica. Mistakes that are told together: after one, the parts beside it are
// looked at as well.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "alembert/base/error.hpp"

namespace alembert::modelica {

class Mistakes {
 public:
  /// Steps after so many are not attempted.
  static constexpr std::size_t most = 20;

  void add(Diagnostic mistake) { found_.push_back(std::move(mistake)); }
  void add(const Error& error) {
    found_.insert(found_.end(), error.diagnostics().begin(), error.diagnostics().end());
  }

  /// Whatever is wrong with the step is kept.
  template <class Step>
  void attempt(Step step) {
    if (found_.size() >= most) return;
    try {
      step();
    } catch (const Error& error) {
      add(error);
    }
  }

  /// The same for names that do not exist; any other mistake ends it at once, since it may have to
  /// do with what is not known yet, and somebody waits for it.
  template <class Step>
  void attempt_names(Step step) {
    try {
      step();
    } catch (const Error& error) {
      if (error.code() != "M101") throw;
      add(error);
    }
  }

  /// The same for parts of a model that lie inside each other. One that contains itself, or is too
  /// large, ends it at once (M108, M119): that would be met again in every part.
  template <class Step>
  void attempt_part(Step step) {
    if (found_.size() >= most) return;
    try {
      step();
    } catch (const Error& error) {
      if (error.code() == "M108" || error.code() == "M119") throw;
      add(error);
    }
  }

  bool empty() const { return found_.empty(); }

  /// Throws what was found, if anything was; each once, though two steps may have met it.
  void report() {
    std::set<std::string> told;
    std::erase_if(
        found_, [&](const Diagnostic& mistake) { return !told.insert(to_string(mistake)).second; });
    if (!found_.empty()) throw Error(std::move(found_));
  }

 private:
  std::vector<Diagnostic> found_;
};

}  // namespace alembert::modelica
