// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/fail.hpp"

#include <utility>

namespace alembert::modelica {

void fail(Place place, const char* code, std::string sentence, std::vector<Note> notes) {
  throw Error(std::vector{diagnostic_at(place, code, std::move(sentence), std::move(notes))});
}

}  // namespace alembert::modelica
