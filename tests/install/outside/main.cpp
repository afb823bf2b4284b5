// SPDX-License-Identifier: Apache-2.0
// A program outside the tree that uses the installed headers and libraries.
#include <cstdio>

#include "alembert/base/error.hpp"

int main() {
  const alembert::Diagnostic diagnostic{
      .code = "S002", .text = "structurally singular", .origin = {.span = {"pendulum.mo", 12, 8}}};
  std::puts(alembert::to_string(diagnostic).c_str());
}
