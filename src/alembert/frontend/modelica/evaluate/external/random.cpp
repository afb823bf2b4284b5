// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. The random number generators of the standard library: pure
// functions from a state of 32-bit Integers to a number in (0, 1) and the next state.
//
// Marsaglia, Xorshift RNGs (2003); Vigna, An experimental exploration of Marsaglia's xorshift
// generators, scrambled (2016), with the states as the library keeps them.
#include <cmath>
#include <unordered_map>

#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

namespace {

/// Pairs of 32-bit Integers, the lower half first.
std::vector<std::uint64_t> words_of(const ExternalCall& call, std::size_t n_words) {
  const std::vector<double> halves = call.numbers(0);
  if (halves.size() < 2 * n_words)
    fail(call.place, "M203", "the state of this generator has too few Integers.");
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < n_words; ++i) {
    const auto half = [&](std::size_t k) {
      return static_cast<std::uint64_t>(
          static_cast<std::uint32_t>(static_cast<std::int64_t>(halves[k])));
    };
    words.push_back(half(2 * i) | half(2 * i + 1) << 32);
  }
  return words;
}

std::vector<std::int64_t> halves_of(const std::vector<std::uint64_t>& words) {
  std::vector<std::int64_t> halves;
  for (const std::uint64_t word : words) {
    halves.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(word)));
    halves.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 32)));
  }
  return halves;
}

double unit_number(std::uint64_t word) {
  return std::ldexp(static_cast<double>(static_cast<std::int64_t>(word)), -64) + 0.5;
}

void xorshift64star(ExternalCall& call) {
  std::uint64_t x = words_of(call, 1)[0];
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  x *= 2685821657736338717ULL;
  call.outputs[1] = call.integers_like(1, halves_of({x}));
  call.outputs[2] = call.real(unit_number(x));
}

void xorshift128plus(ExternalCall& call) {
  const auto state = words_of(call, 2);
  std::uint64_t a = state[0];
  const std::uint64_t b = state[1];
  a ^= a << 23;
  const std::uint64_t next = (a ^ b ^ (a >> 17) ^ (b >> 26)) + b;
  call.outputs[1] = call.integers_like(1, halves_of({b, next}));
  call.outputs[2] = call.real(unit_number(next));
}

/// The next number of a state of 16 words and a position, which is changed.
double next_of_1024(std::vector<std::uint64_t>& state, std::size_t& position) {
  std::uint64_t a = state[position];
  position = (position + 1) & 15;
  std::uint64_t b = state[position];
  b ^= b << 31;
  b ^= b >> 11;
  a ^= a >> 30;
  state[position] = a ^ b;
  return unit_number(state[position] * 1181783497276652981ULL);
}

void xorshift1024star(ExternalCall& call) {
  auto state = words_of(call, 16);
  auto position = static_cast<std::size_t>(call.numbers(0).at(32)) & 15;
  const double number = next_of_1024(state, position);
  auto next = halves_of(state);
  next.push_back(static_cast<std::int64_t>(position));
  call.outputs[1] = call.integers_like(1, next);
  call.outputs[2] = call.real(number);
}

/// The one state of the generator that has side effects; evaluation is in one thread at a time.
struct HiddenState {
  std::vector<std::uint64_t> words;
  std::size_t position = 0;
  std::int64_t id = 0;
};

HiddenState& hidden_state() {
  static HiddenState state;
  return state;
}

void set_hidden_state(ExternalCall& call) {
  HiddenState& state = hidden_state();
  state.words = words_of(call, 16);
  state.position = static_cast<std::size_t>(call.numbers(0).at(32)) & 15;
  state.id = call.integer(2);
}

void impure_random(ExternalCall& call) {
  HiddenState& state = hidden_state();
  if (state.words.empty() || state.id != call.integer(0))
    fail(call.place, "M211",
         "'" + call.function + "' draws a random number before the generator was initialised.");
  call.result = call.real(next_of_1024(state.words, state.position));
}

}  // namespace

ExternalFunction find_random_function(std::string_view name) {
  static const std::unordered_map<std::string_view, ExternalFunction> functions = {
      {"ModelicaRandom_xorshift64star", xorshift64star},
      {"ModelicaRandom_xorshift128plus", xorshift128plus},
      {"ModelicaRandom_xorshift1024star", xorshift1024star},
      {"ModelicaRandom_setInternalState_xorshift1024star", set_hidden_state},
      {"ModelicaRandom_impureRandom_xorshift1024star", impure_random},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace alembert::modelica
