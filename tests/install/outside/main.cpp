// SPDX-License-Identifier: Apache-2.0
// A program outside the tree that uses the installed headers and libraries: it builds an expression,
// prints it and its derivative, and evaluates it as machine code (or by the interpreter, elsewhere);
// then it makes a component of the library that was installed beside the headers.
#include <array>
#include <cstdio>
#include <filesystem>

#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/compile/native/native.hpp"
#include "alembert/frontend/library/library.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/print.hpp"

int main() {
  using namespace alembert;
  symbolic::ExprPool pool;
  const symbolic::Expr x = symbolic::unknown(pool, "x");
  const symbolic::Expr a = symbolic::parameter(pool, "a");
  const symbolic::Expr y = a * x * x + symbolic::sin(x);
  std::puts(to_text(y).c_str());
  std::puts(to_text(differentiate(y, x)).c_str());

  const std::array inputs{x.id()}, parameters{a.id()}, outputs{y.id()};
  const compile::Tape tape = compile::lower(pool, inputs, parameters, outputs);
  compile::Kernel kernel = compile::native::make_kernel(tape);
  if (!kernel) kernel = compile::interpret::make_kernel(tape);
  compile::AlignedDoubles workspace(kernel.shape().workspace_size);
  const double x_value = 0.5, a_value = 3.0;
  double y_value = -1.0;
  kernel(&x_value, &a_value, &y_value, workspace.data());
  std::printf("%g\n", y_value);

  const auto folders = library::installed_components();
  if (folders.size() != 1 || !std::filesystem::exists(folders[0] / "Alembert" / "package.mo"))
    return 1;
  builder::Model model("Outside");
  library::Library library(model);
  const auto mass = library.make("Alembert.Translational.Mass", {{"m", 880}});
  std::puts(mass.name().c_str());
}
