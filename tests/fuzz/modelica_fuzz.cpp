// SPDX-License-Identifier: Apache-2.0
// What libFuzzer calls: any bytes as Modelica text go through the lexer, the parser, and, where
// that found nothing wrong, through the flattener and its checks. An Error is a good answer; a
// crash, an answer that takes longer than a few seconds, or memory without bound is not.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

#include "alembert/base/error.hpp"
#include "alembert/flat/check.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/frontend/modelica/syntax/parser.hpp"
#include "fuzz/token_mutations.hpp"

extern "C" {

/// libFuzzer's own changes, by bytes.
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t capacity);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alembert;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!modelica::parse_text("fuzz.mo", text)->diagnostics.empty()) return 0;
  try {
    flat::check(modelica::flatten({.text = text, .text_name = "fuzz.mo"}).system);
  } catch (const Error&) {
    return 0;
  }
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t capacity,
                                    unsigned seed) {
  std::mt19937 random(seed);
  if (size == 0 || random() % 4 == 0) return LLVMFuzzerMutate(data, size, capacity);
  const std::string before(reinterpret_cast<const char*>(data), size);
  const std::string text =
      alembert::modelica::mutated(alembert::modelica::tokens_of(before), random);
  const std::size_t length = text.size() < capacity ? text.size() : capacity;
  std::memcpy(data, text.data(), length);
  return length;
}
}
