// SPDX-License-Identifier: Apache-2.0
// The Modelica Standard Library, where MODELICAPATH has it: it is read without a mistake, in
// little time, and what is printed of it reads back as the same.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "alembert/frontend/modelica/syntax/library.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"
#include "dump.hpp"

namespace alembert::modelica {
namespace {

class StandardLibrary : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* path = std::getenv("MODELICAPATH");
    if (path != nullptr) library.add_roots(path);
    if (library.find("Modelica") == nullptr)
      GTEST_SKIP() << "MODELICAPATH has no package Modelica; set it to test with the library";
  }

  ClassLibrary library;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::size_t read_all(ClassNode& node) {
  node.definition();
  std::size_t n = 1;
  for (ClassNode* child : node.children()) n += read_all(*child);
  return n;
}

TEST_F(StandardLibrary, all_of_it_is_read) {
  const auto begin = std::chrono::steady_clock::now();
  std::size_t n_classes = 0;
  for (ClassNode* top : library.root().children()) n_classes += read_all(*top);
  std::printf("%zu classes, %zu files, %.1f MB in %.2f s\n", n_classes, library.files_read(),
              static_cast<double>(library.bytes_read()) * 1e-6, seconds_since(begin));
  EXPECT_GT(n_classes, 5000u);
}

TEST_F(StandardLibrary, one_class_costs_its_own_file_only) {
  ClassNode* node = library.find("Modelica.Electrical.Analog.Basic.Resistor");
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->definition().name, Name("Resistor"));
  EXPECT_EQ(library.files_read(), 1u);
}

/// One file after another, so that a difference names its class.
void print_and_read_again(ClassNode& node) {
  const ClassDefinition* definition = &node.definition();
  StoredDefinition stored;
  stored.classes = {&definition, 1};
  const auto again = parse_or_throw(node.full_name(), to_text(stored));
  ASSERT_EQ(dump(again->definition), dump(stored)) << node.full_name();
  for (ClassNode* child : node.children())
    if (child->definition().place.source != definition->place.source) print_and_read_again(*child);
}

TEST_F(StandardLibrary, printed_and_read_again_it_is_the_same) {
  print_and_read_again(*library.find("Modelica"));
}

}  // namespace
}  // namespace alembert::modelica
