// SPDX-License-Identifier: Apache-2.0
// Branches that are counted for libFuzzer and end up in any other program of the sanitized build.
extern "C" void __sanitizer_cov_trace_pc() {}
