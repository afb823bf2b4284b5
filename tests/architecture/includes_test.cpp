// SPDX-License-Identifier: Apache-2.0
// Holds the sources to the table of allowed edges, and proves on planted files that it would
// notice.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "architecture/include_rules.hpp"

namespace alembert::architecture {
namespace {

namespace fs = std::filesystem;

IncludeRules house_rules() {
  std::ifstream in(fs::path(ALEMBERT_SOURCE_ROOT) / "tests/architecture/edges.txt");
  std::ostringstream text;
  text << in.rdbuf();
  return parse_rules(text.str());
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Architecture, includes_follow_the_arrows) {
  EXPECT_EQ(joined(include_violations(house_rules(), ALEMBERT_SOURCE_ROOT)), "");
}

TEST(Architecture, sources_open_with_the_licence) {
  EXPECT_EQ(joined(header_violations(ALEMBERT_SOURCE_ROOT)), "");
}

// A checkout in a temporary folder that holds the planted files only.
class PlantedCheckout : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "alembert-architecture-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void plant(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  std::string violations() { return joined(include_violations(house_rules(), root_)); }

  fs::path root_;
};

TEST_F(PlantedCheckout, allowed_edges_pass) {
  plant("src/alembert/structure/a.cpp",
        "#include <vector>\n#include \"alembert/structure/a.hpp\"\n"
        "#include \"alembert/graph/b.hpp\"\n#include \"alembert/flat/c.hpp\"\n");
  plant("src/alembert/compile/native/a.cpp",
        "#include <asmjit/asmjit.h>\n#include \"alembert/compile/tape.hpp\"\n"
        "#include \"alembert/compile/native/deeper/x.hpp\"\n");
  plant("src/alembert/integrate/tableaus/a.hpp", "#include \"alembert/integrate/a.hpp\"\n");
  plant("src/alembert/alembert.hpp", "#include \"alembert/visual/a.hpp\"\n");
  plant("apps/alembert/main.cpp", "#include \"alembert/visual/a.hpp\"\n#include \"own.hpp\"\n");
  EXPECT_EQ(violations(), "");
}

TEST_F(PlantedCheckout, stage_that_reaches_back_is_caught) {
  plant("src/alembert/graph/a.hpp", "\n  #  include \"alembert/symbolic/pool.hpp\"\n");
  EXPECT_EQ(violations(),
            "src/alembert/graph/a.hpp:2: includes alembert/symbolic/pool.hpp: "
            "edge graph -> symbolic is not in the table\n");
}

TEST_F(PlantedCheckout, angle_brackets_do_not_hide_an_edge) {
  plant("src/alembert/base/a.cpp", "#include <alembert/flat/flat.hpp>\n");
  EXPECT_NE(violations().find("edge base -> flat"), std::string::npos);
}

TEST_F(PlantedCheckout, parent_may_not_include_its_children) {
  plant("src/alembert/compile/a.cpp", "#include \"alembert/compile/native/native.hpp\"\n");
  EXPECT_NE(violations().find("edge compile -> compile/native"), std::string::npos);
}

TEST_F(PlantedCheckout, asmjit_outside_native_is_caught) {
  plant("src/alembert/compile/a.cpp", "#include <asmjit/asmjit.h>\n");
  plant("apps/alembert/main.cpp", "#include <sundials/sundials_types.h>\n");
  EXPECT_EQ(violations(),
            "src/alembert/compile/a.cpp:1: includes asmjit/asmjit.h: "
            "only compile/native may include it\n"
            "apps/alembert/main.cpp:1: includes sundials/sundials_types.h: "
            "only integrate/sundials may include it\n");
}

TEST_F(PlantedCheckout, unknown_folder_is_caught) {
  plant("src/alembert/helpers/a.cpp", "int x;\n");
  plant("src/alembert/flat/a.cpp", "#include \"alembert/helpers/a.hpp\"\n");
  EXPECT_EQ(violations(),
            "src/alembert/flat/a.cpp:1: includes alembert/helpers/a.hpp: "
            "folder 'helpers' is not in the table\n"
            "src/alembert/helpers/a.cpp: its folder is not in the table\n");
}

TEST_F(PlantedCheckout, relative_path_is_caught) {
  plant("src/alembert/flat/a.cpp", "#include \"../structure/plan.hpp\"\n#include \"near.hpp\"\n");
  const std::string found = violations();
  EXPECT_NE(found.find("a.cpp:1: includes ../structure/plan.hpp: write the path from src/"),
            std::string::npos);
  EXPECT_NE(found.find("a.cpp:2: includes near.hpp: write the path from src/"), std::string::npos);
}

TEST_F(PlantedCheckout, missing_licence_and_guard_are_caught) {
  plant("src/alembert/base/a.hpp", "int x;\n");
  plant("tools/b.sh", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n");
  EXPECT_EQ(joined(header_violations(root_)),
            "src/alembert/base/a.hpp: no line 'SPDX-License-Identifier: Apache-2.0' at the top\n"
            "src/alembert/base/a.hpp: no '#pragma once'\n");
}

TEST(EdgesTable, refuses_what_it_does_not_understand) {
  EXPECT_THROW(parse_rules("symbolic base\n"), std::runtime_error);
  EXPECT_THROW(parse_rules("symbolic: bse\n"), std::runtime_error);
  EXPECT_THROW(parse_rules("base:\n<asmjit/: base\n"), std::runtime_error);
}

}  // namespace
}  // namespace alembert::architecture
