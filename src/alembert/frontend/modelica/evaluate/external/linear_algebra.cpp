// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. The functions of LAPACK, called in the library of the system.
// Everything goes by address, as FORTRAN has it: matrices column by column (they are row-major
// here), Integers and truth values as 32-bit numbers, texts with their lengths after all else.
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

namespace {

/// The kinds of the arguments: s text, i Integer or truth value, r Real; scalars and arrays alike.
/// Only what stands here is called, so that wrong arguments are told and not tried.
const std::map<std::string_view, std::string_view>& signatures() {
  static const std::map<std::string_view, std::string_view> table = {
      {"dgbsv", "iiiiriirii"},
      {"dgecon", "sirirrrii"},
      {"dgees", "ssiiriirrririii"},
      {"dgeev", "ssirirrriririi"},
      {"dgeevx", "ssssirirrririiirrrrriii"},
      {"dgehrd", "iiirirrii"},
      {"dgels", "siiiriririi"},
      {"dgelsy", "iiiririiririi"},
      {"dgeqp3", "iiriirrii"},
      {"dgeqrf", "iirirrii"},
      {"dgesdd", "siirirriririii"},
      {"dgesv", "iiriirii"},
      {"dgesvd", "ssiirirriririi"},
      {"dgesvx", "ssiiririisrrririrrrrii"},
      {"dgetrf", "iiriii"},
      {"dgetri", "iriirii"},
      {"dgetrs", "siiriirii"},
      {"dggev", "ssiririrrrriririi"},
      {"dggevx", "ssssiririrrrririiirrrrrrriiii"},
      {"dgglse", "iiiririrrrrii"},
      {"dgtsv", "iirrrrii"},
      {"dhgeqz", "sssiiiririrrrriririi"},
      {"dhseqr", "ssiiirirrririi"},
      {"dlange", "siirir"},
      {"dorghr", "iiirirrii"},
      {"dorgqr", "iiirirrii"},
      {"dormhr", "ssiiiirirririi"},
      {"dormqr", "ssiiirirririi"},
      {"dpotrf", "sirii"},
      {"dtrevc", "ssiiriririiiri"},
      {"dtrsen", "ssiiririrrirrriiii"},
      {"dtrsm", "ssssiirriri"},
      {"dtrsyl", "ssiiiriririri"},
  };
  return table;
}

/// More than any of them has, lengths of texts included. What is passed beyond what a function
/// takes stays unread.
constexpr std::size_t most_arguments = 36;
using Arguments = std::array<void*, most_arguments>;

void* loaded_function(const ExternalCall& call, const std::string& name) {
  static void* const library = ::dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
  void* const function = library == nullptr ? nullptr : ::dlsym(library, (name + "_").c_str());
  if (function == nullptr)
    fail(call.place, "M212",
         "'" + call.function + "' needs " + name +
             " of LAPACK, which cannot be loaded. Install liblapack3.");
  return function;
}

template <class Result, std::size_t... k>
Result invoke(void* function, const Arguments& arguments, std::index_sequence<k...>) {
  using Function = Result (*)(decltype((void)k, static_cast<void*>(nullptr))...);
  return reinterpret_cast<Function>(function)(arguments[k]...);
}

template <class Result>
Result invoke(void* function, const Arguments& arguments) {
  return invoke<Result>(function, arguments, std::make_index_sequence<most_arguments>());
}

/// The other order of the elements of a matrix: columns for rows, or back.
template <class T>
std::vector<T> reordered(const std::vector<T>& from, const Dims& dims, bool to_columns) {
  if (dims.size() != 2) return from;
  const auto n_rows = static_cast<std::size_t>(dims[0]);
  const auto n_columns = static_cast<std::size_t>(dims[1]);
  std::vector<T> to(from.size());
  for (std::size_t i = 0; i < n_rows; ++i)
    for (std::size_t j = 0; j < n_columns; ++j)
      (to_columns ? to[j * n_rows + i] : to[i * n_columns + j]) =
          from[to_columns ? i * n_columns + j : j * n_rows + i];
  return to;
}

/// One argument in the form that FORTRAN reads and writes.
struct Passed {
  std::vector<double> reals = {};
  std::vector<std::int32_t> integers = {};
  std::string text = {};

  void* address() {
    if (!reals.empty()) return reals.data();
    return integers.empty() ? static_cast<void*>(text.data()) : integers.data();
  }
};

Passed passed(const ExternalCall& call, std::size_t k, char kind) {
  const Value& value = call.argument(k);
  const bool fits = kind == 's' ? value.kind == ValueKind::string
                    : kind == 'r'
                        ? value.is_numeric()
                        : value.kind == ValueKind::integer || value.kind == ValueKind::boolean;
  if (!fits)
    fail(call.place, "M202",
         "argument " + std::to_string(k + 1) + " of the external function of '" + call.function +
             "' cannot be " + type_text(value) + ".");
  Passed result;
  if (kind == 's') {
    result.text = call.text(k);
  } else {
    const std::vector<double> numbers = reordered(call.numbers(k), value.dims, true);
    if (kind == 'r') result.reals = numbers;
    if (kind == 'i')
      for (const double number : numbers)
        result.integers.push_back(static_cast<std::int32_t>(number));
    // An address is wanted also for an array without elements.
    if (numbers.empty()) result.reals.assign(1, 0.0);
  }
  return result;
}

void take_back(ExternalCall& call, std::size_t k, char kind, const Passed& argument) {
  const Value& value = call.argument(k);
  if (kind == 's' || value.count() == 0) return;
  if (kind == 'r') {
    call.outputs[k] = call.reals_like(k, reordered(argument.reals, value.dims, false));
  } else if (value.kind == ValueKind::integer) {
    const std::vector<std::int64_t> integers(argument.integers.begin(), argument.integers.end());
    call.outputs[k] = call.integers_like(k, reordered(integers, value.dims, false));
  }
}

void call_lapack(ExternalCall& call) {
  const std::string_view kinds = signatures().at(call.symbol);
  if (call.arguments.size() != kinds.size())
    fail(call.place, "M204",
         call.symbol + " of LAPACK takes " + std::to_string(kinds.size()) + " arguments, but '" +
             call.function + "' gives " + std::to_string(call.arguments.size()) + ".");
  call.require_known();
  std::vector<Passed> arguments;
  for (std::size_t k = 0; k < kinds.size(); ++k) arguments.push_back(passed(call, k, kinds[k]));
  Arguments addresses{};
  std::size_t n = 0;
  for (Passed& argument : arguments) addresses[n++] = argument.address();
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (kinds[k] == 's') addresses[n++] = reinterpret_cast<void*>(arguments[k].text.size());
  void* const function = loaded_function(call, call.symbol);
  if (call.symbol == "dlange")
    call.result = call.real(invoke<double>(function, addresses));
  else
    invoke<void>(function, addresses);
  for (std::size_t k = 0; k < kinds.size(); ++k) take_back(call, k, kinds[k], arguments[k]);
}

}  // namespace

ExternalFunction find_matrix_function(std::string_view name) {
  return signatures().contains(name) ? call_lapack : nullptr;
}

}  // namespace alembert::modelica
