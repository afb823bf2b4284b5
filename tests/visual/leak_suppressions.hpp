// SPDX-License-Identifier: Apache-2.0
// Fontconfig keeps its tables until the process ends; the leak sanitizer asks this function what to
// forgive.
// To be included once in a program of tests that draws.
#pragma once

extern "C" const char* __lsan_default_suppressions();   // NOLINT: the name is the sanitizer's
extern "C" const char* __lsan_default_suppressions() {  // NOLINT
  return "leak:libfontconfig\n";
}
