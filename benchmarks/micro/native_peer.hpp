// SPDX-License-Identifier: Apache-2.0
// The same formulas by the system's C++ compiler: a tape as C++ source over doubles or over vectors
// of them (the compiler's vector extension), compiled to a shared object and loaded. In: tape,
// lanes, flags. Out: a function.
#pragma once

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "alembert/compile/tape.hpp"

namespace alembert::benchmarks {

enum class Library { sleef, libm };

inline std::string peer_elementary(compile::TapeOp op, std::uint32_t lanes, Library library) {
  const std::string name(compile::name(op));
  if (library == Library::libm) return "std::" + name;
  return "Sleef_finz_" + name + (lanes == 1 ? "d1_u10purecfma" : "d4_u10avx2");
}

/// Straight-line source; only what the benchmark tapes use.
inline std::string peer_source(const compile::Tape& tape, std::uint32_t lanes, Library library) {
  using compile::TapeOp;
  std::ostringstream out;
  out << "#include <cmath>\n#include <cstddef>\n#include <immintrin.h>\n#include <sleef.h>\n";
  if (lanes == 1) {
    out << "typedef double V;\nstatic inline V fma_(V a, V b, V c) { return __builtin_fma(a, b, "
           "c); }\n"
           "static inline V sqrt_(V a) { return __builtin_sqrt(a); }\n";
  } else {
    out << "typedef __m256d V;\nstatic inline V fma_(V a, V b, V c) { return _mm256_fmadd_pd(a, b, "
           "c); }\n"
           "static inline V sqrt_(V a) { return _mm256_sqrt_pd(a); }\n";
  }
  out << "typedef V U __attribute__((aligned(8)));\n"
         "extern \"C\" void peer(const double* __restrict in, const double* __restrict par, "
         "double* __restrict out, size_t n) {\n";
  for (std::uint32_t i = 0; i < tape.n_parameters; ++i)
    out << "const V p" << i << (lanes == 1 ? " = par[" : " = V{} + par[") << i << "];\n";
  out << "for (size_t g = 0; g < n; ++g, in += " << tape.n_inputs * lanes
      << ", out += " << tape.outputs.size() * lanes << ") {\n";
  out.precision(17);
  const auto v = [](std::uint32_t id) { return "v" + std::to_string(id); };
  for (std::uint32_t i = 0; i < tape.code.size(); ++i) {
    const auto& [op, a, b, c] = tape.code[i];
    out << "const V v" << i << " = ";
    switch (op) {
      case TapeOp::input:
        out << "*(const U*)(in + " << a * lanes << ")";
        break;
      case TapeOp::parameter:
        out << "p" << a;
        break;
      case TapeOp::constant:
        out << (lanes == 1 ? "" : "V{} + ") << std::showpoint << tape.constants[a];
        break;
      case TapeOp::add:
        out << v(a) << " + " << v(b);
        break;
      case TapeOp::sub:
        out << v(a) << " - " << v(b);
        break;
      case TapeOp::mul:
        out << v(a) << " * " << v(b);
        break;
      case TapeOp::div:
        out << v(a) << " / " << v(b);
        break;
      case TapeOp::neg:
        out << "-" << v(a);
        break;
      case TapeOp::sqrt:
        out << "sqrt_(" << v(a) << ")";
        break;
      case TapeOp::fma:
        out << "fma_(" << v(a) << ", " << v(b) << ", " << v(c) << ")";
        break;
      case TapeOp::fms:
        out << "fma_(" << v(a) << ", " << v(b) << ", -" << v(c) << ")";
        break;
      case TapeOp::fnms:
        out << "fma_(-" << v(a) << ", " << v(b) << ", -" << v(c) << ")";
        break;
      case TapeOp::fnma:
        out << "fma_(-" << v(a) << ", " << v(b) << ", " << v(c) << ")";
        break;
      default:
        if (library == Library::libm && lanes > 1)
          out << "V{std::" << compile::name(op) << "(" << v(a) << "[0]), std::" << compile::name(op)
              << "(" << v(a) << "[1]), std::" << compile::name(op) << "(" << v(a)
              << "[2]), std::" << compile::name(op) << "(" << v(a) << "[3])}";
        else
          out << peer_elementary(op, lanes, library) << "(" << v(a) << ")";
    }
    out << ";\n";
  }
  for (std::size_t k = 0; k < tape.outputs.size(); ++k)
    out << "*(U*)(out + " << k * lanes << ") = v" << tape.outputs[k] << ";\n";
  out << "}\n}\n";
  return out.str();
}

/// A compiler that takes longer is stopped.
inline constexpr int longest_compilation = 120;  // seconds of processor time

/// Processor time of all programs that were run and have ended.
inline double seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Source compiled by the system's compiler to a shared object with a function `peer`, and loaded.
class Peer {
 public:
  /// Of peer_source.
  using Function = void (*)(const double*, const double*, double*, std::size_t);
  /// Of compile::to_c_source: one group.
  using CFunction = void (*)(const double*, const double*, double*);

  static Peer from_cpp(const std::string& source, std::string_view flags) {
    return Peer(source, "peer.cpp", "c++ -std=c++20", std::string(flags), "-lsleef");
  }
  static Peer from_c(const std::string& source, std::string_view flags) {
    return Peer(source, "peer.c", "cc -std=c99", std::string(flags), "-lm");
  }
  Peer(Peer&& other) noexcept
      : library_(std::exchange(other.library_, nullptr)),
        seconds_(other.seconds_),
        timed_out_(other.timed_out_) {}
  Peer& operator=(Peer&&) = delete;
  ~Peer() {
    if (library_ != nullptr) dlclose(library_);
  }

  explicit operator bool() const { return library_ != nullptr; }
  Function function() const { return reinterpret_cast<Function>(symbol()); }
  CFunction c_function() const { return reinterpret_cast<CFunction>(symbol()); }
  double seconds_to_compile() const { return seconds_; }
  bool timed_out() const { return timed_out_; }

 private:
  Peer(const std::string& source, const std::string& file, const std::string& compiler,
       const std::string& flags, const std::string& libraries) {
    char folder[] = "/tmp/alembert-peer-XXXXXX";
    if (mkdtemp(folder) == nullptr) return;
    const std::string base = std::string(folder) + "/";
    std::ofstream(base + file) << source;
    const std::string command = "ulimit -t " + std::to_string(longest_compilation) + "; " + compiler +
                                " -shared -fPIC -ffp-contract=off " + flags + " " + base + file +
                                " -o " + base + "peer.so " + libraries + " 2>/dev/null";
    const double start = seconds_of_children();
    const int status = std::system(command.c_str());
    seconds_ = seconds_of_children() - start;
    timed_out_ = status != 0 && seconds_ > 0.9 * longest_compilation;
    if (status == 0) library_ = dlopen((base + "peer.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    for (const std::string& made : {file, std::string("peer.so")}) unlink((base + made).c_str());
    rmdir(folder);
  }
  void* symbol() const { return dlsym(library_, "peer"); }

  void* library_ = nullptr;
  double seconds_ = 0;
  bool timed_out_ = false;
};

}  // namespace alembert::benchmarks
