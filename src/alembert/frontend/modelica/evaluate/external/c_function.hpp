// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Functions that a model has in C: the text of its Include
// annotation and a caller made for the call at hand are compiled by the system's C compiler and
// loaded. In: how the call is written. Out: numbers and texts in, numbers and texts out.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/frontend/modelica/evaluate/value.hpp"

namespace alembert::modelica {

/// An argument or the result, as C sees it.
struct CPart {
  ValueKind kind = ValueKind::real;
  std::size_t count = 1;  ///< elements
  bool is_array = false;
  bool is_output = false;
  bool is_size = false;  ///< of an array: size_t
};

struct CSignature {
  std::string symbol;    ///< its name in C
  std::string function;  ///< full name in the model
  std::optional<CPart> result = {};
  std::vector<CPart> arguments = {};
};

struct CSources {
  std::string include;                 ///< text
  std::vector<std::string> libraries;  ///< as in -l
  std::vector<std::filesystem::path> include_folders, library_folders, source_folders;
};

/// Numbers, texts and objects each in the order of the signature, elements of arrays row-major. The
/// result comes before outputs among the arguments.
struct CCall {
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};
  std::vector<void*> objects = {};
  std::vector<double> numbers_out = {};
  std::vector<std::string> texts_out = {};
  void* object_out = nullptr;
};

class CFunction {
 public:
  /// Throws std::runtime_error with what the compiler says. The same text is compiled once.
  static std::shared_ptr<const CFunction> make(const CSignature& signature,
                                               const CSources& sources);
  ~CFunction();
  CFunction(const CFunction&) = delete;
  CFunction& operator=(const CFunction&) = delete;

  std::size_t n_numbers_out() const { return n_numbers_out_; }
  /// The message if it ended by ModelicaError. One call at a time: C code may keep things.
  std::optional<std::string> call(CCall& call) const;

 private:
  CFunction() = default;
  void* loaded_ = nullptr;
  void* address_ = nullptr;
  std::size_t n_numbers_out_ = 0;
  std::size_t n_texts_out_ = 0;
};

}  // namespace alembert::modelica
