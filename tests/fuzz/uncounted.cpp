// SPDX-License-Identifier: Apache-2.0
// Branches that are counted for libFuzzer and end up in any other program of the sanitized build.
// Not counted itself, or it would call itself without end; weak, as libFuzzer has one of that name.
extern "C" __attribute__((weak, no_sanitize_coverage)) void __sanitizer_cov_trace_pc() {}
