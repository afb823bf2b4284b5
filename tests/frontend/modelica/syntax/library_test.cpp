// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/syntax/library.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "alembert/frontend/modelica/syntax/package_folder.hpp"

namespace alembert::modelica {
namespace {

namespace fs = std::filesystem;

class Library : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::canonical(fs::temp_directory_path()) /
             ("alembert_library_" + std::to_string(::getpid()) + "_" + test->name());
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }

  /// Two levels of folders; the class Broken cannot be read.
  void write_package(const std::string& name) {
    write(name + "/package.mo", "within;\npackage Lib\n  model InText\n  end InText;\nend Lib;\n");
    write(name + "/package.order", "Zebra\r\nInText\nAnt\nconstant_c\nSub\n");
    write(name + "/Zebra.mo", "within Lib; model Zebra end Zebra;");
    write(name + "/Ant.mo", "within Lib; model Ant model Leg end Leg; end Ant;");
    write(name + "/Broken.mo", "within Lib; model Broken Real 3; end Broken;");
    write(name + "/Sub/package.mo", "within Lib; package Sub end Sub;");
    write(name + "/Sub/Deep.mo", "within Lib.Sub; model Deep end Deep;");
    write(name + "/Resources/readme.txt", "no package");
  }

  std::string code_and_text(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& error) {
      const Diagnostic& first = error.diagnostics().front();
      std::string text = first.code + " " + first.text;
      const std::size_t at = text.find(folder.string());
      return at == std::string::npos ? text : text.replace(at, folder.string().size(), "DIR");
    }
    return "no mistake";
  }

  fs::path folder;
  ClassLibrary library;
};

std::vector<std::string> names_of(std::span<ClassNode* const> nodes) {
  std::vector<std::string> names;
  for (const ClassNode* node : nodes) names.push_back(node->name().string());
  return names;
}

using Names = std::vector<std::string>;

TEST_F(Library, reads_only_what_is_asked_for) {
  write_package("Lib");
  library.add_root(folder);
  EXPECT_EQ(library.files_read(), 0u);
  ClassNode* deep = library.find("Lib.Sub.Deep");
  ASSERT_NE(deep, nullptr);
  EXPECT_EQ(library.files_read(), 0u);  // known by name only
  EXPECT_EQ(deep->definition().name, Name("Deep"));
  EXPECT_EQ(library.files_read(), 1u);
  EXPECT_EQ(deep->full_name(), "Lib.Sub.Deep");
  EXPECT_EQ(deep->parent()->parent()->name(), Name("Lib"));
  EXPECT_EQ(deep->folder(), folder / "Lib/Sub");
  EXPECT_NE(library.find("Lib.InText"), nullptr);
  EXPECT_EQ(library.files_read(), 2u);  // package.mo
  EXPECT_NE(library.find("Lib.Ant.Leg"), nullptr);
  EXPECT_EQ(library.files_read(), 3u);
}

TEST_F(Library, finds_nothing_where_nothing_is) {
  write_package("Lib");
  library.add_root(folder);
  for (const char* name : {"", ".", "Nothing", "Lib.Nothing", "Lib.Resources", "Lib.", "Lib..Ant",
                           "Lib.Ant.Leg.Foot", "lib"})
    EXPECT_EQ(library.find(name), nullptr) << name;
  EXPECT_EQ(library.find(".Lib.Ant"), library.find("Lib.Ant"));
}

TEST_F(Library, children_follow_package_order) {
  write_package("Lib");
  library.add_root(folder);
  ClassNode* package = library.find("Lib");
  EXPECT_EQ(names_of(package->children()), (Names{"Zebra", "InText", "Ant", "Sub", "Broken"}));
  EXPECT_EQ(library.files_read(), 1u);
  EXPECT_EQ(package->child(Name("Ant")), package->children()[2]);
}

TEST_F(Library, a_mistake_is_told_when_its_class_is_asked_for_and_every_time) {
  write_package("Lib");
  library.add_root(folder);
  ClassNode* broken = library.find("Lib.Broken");
  ASSERT_NE(broken, nullptr);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(code_and_text([&] { broken->definition(); }),
              "M010 expected the name of a component, found '3'.");
  EXPECT_EQ(library.files_read(), 1u);
}

TEST_F(Library, versions_in_folder_names) {
  for (const char* version : {"1.10.0", "1.9.2", "2.0.0-beta"})
    write_package(std::string("Lib ") + version);
  ClassLibrary newest;
  newest.add_root(folder);
  EXPECT_EQ(newest.find("Lib")->folder(), folder / "Lib 2.0.0-beta");
  library.add_root(folder);
  library.load_text("user.mo", "model U annotation(uses(Lib(version = \"1.9.2\"))); end U;");
  EXPECT_EQ(library.find("Lib")->folder(), folder / "Lib 1.9.2");
  write_package("Lib");
  ClassLibrary plain;
  plain.add_root(folder);
  EXPECT_EQ(plain.find("Lib")->folder(), folder / "Lib");
}

TEST_F(Library, versions_compare_by_numbers) {
  EXPECT_TRUE(older_version("1.9.2", "1.10.0"));
  EXPECT_FALSE(older_version("1.10.0", "1.9.2"));
  EXPECT_TRUE(older_version("1.2", "1.2.1"));
  EXPECT_FALSE(older_version("1.2", "1.2"));
  EXPECT_TRUE(older_version("", "0"));
}

TEST_F(Library, roots_added_first_win_and_what_is_loaded_wins_over_roots) {
  write("first/A.mo", "model A \"first\" end A;");
  write("second/A.mo", "model A \"second\" end A;");
  write("second/B.mo", "model B \"second\" end B;");
  library.add_roots((folder / "first").string() + "::" + (folder / "second").string());
  library.load_text("b.mo", "model B \"given\" end B; model Own end Own;");
  EXPECT_EQ(library.find("A")->definition().comment.text, "first");
  EXPECT_EQ(library.find("B")->definition().comment.text, "given");
  EXPECT_EQ(names_of(library.root().children()), (Names{"B", "Own", "A"}));
}

TEST_F(Library, a_package_itself_may_be_a_root) {
  write_package("Lib");
  write("Other.mo", "model Other end Other;");
  library.add_root(folder / "Lib");
  EXPECT_NE(library.find("Lib.Ant"), nullptr);
  EXPECT_EQ(library.find("Other"), nullptr);
  library.add_root(folder / "Other.mo");
  EXPECT_NE(library.find("Other"), nullptr);
}

TEST_F(Library, files_of_a_package_bring_the_whole_package) {
  write_package("Lib");
  const auto deep = library.load(folder / "Lib/Sub/Deep.mo");
  ASSERT_EQ(deep.size(), 1u);
  EXPECT_EQ(deep[0]->full_name(), "Lib.Sub.Deep");
  EXPECT_EQ(library.load(folder / "Lib/Sub")[0], deep[0]->parent());
  EXPECT_EQ(library.load(folder / "Lib/package.mo")[0], library.find("Lib"));
  EXPECT_EQ(library.load(folder / "Lib")[0], library.find("Lib"));
}

TEST_F(Library, within_puts_a_file_into_a_known_package) {
  write_package("Lib");
  library.add_root(folder);
  const auto extra = library.load_text("extra.mo", "within Lib.Sub; model Extra end Extra;");
  EXPECT_EQ(extra[0]->full_name(), "Lib.Sub.Extra");
  EXPECT_EQ(library.find("Lib.Sub.Extra"), extra[0]);
  EXPECT_EQ(code_and_text([&] { library.load_text("x.mo", "within No.Such; model X end X;"); }),
            "M054 there is no package 'No.Such' to put this file into. Give its files too, or its "
            "folder with --library.");
}

TEST_F(Library, what_does_not_fit_is_told) {
  write_package("Lib");
  write("Lib/Wrong.mo", "within Lib.Sub; model Wrong end Wrong;");
  write("Lib/Named.mo", "within Lib; model Other end Other;");
  write("Twice/package.mo", "package Twice model A end A; end Twice;");
  write("Twice/A.mo", "within Twice; model A end A;");
  write("empty/readme", "");
  library.add_root(folder);
  EXPECT_EQ(code_and_text([&] { library.find("Lib.Wrong")->definition(); }),
            "M051 this file belongs to 'Lib' by its folder, but says 'within Lib.Sub'.");
  EXPECT_EQ(code_and_text([&] { library.find("Lib.Named")->definition(); }),
            "M051 the file should hold the class 'Named' and no other, but holds 'Other'.");
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(code_and_text([&] { library.find("Twice")->children(); }),
              "M052 'A' is declared twice in 'Twice'. Remove one of the two.");
  // As it was written, not as the system resolves it.
  EXPECT_EQ(code_and_text([&] { library.load(folder / "Lib" / ".." / "empty"); }),
            "M053 the folder 'DIR/Lib/../empty' is not a package: it has no file 'package.mo'. To "
            "make the "
            "packages in it known, use --library.");
  EXPECT_EQ(code_and_text([&] { library.load_text("m.mo", "model M end M; model M end M;"); }),
            "M052 'M' is declared twice in the files that were given. Remove one of the two.");
  EXPECT_EQ(code_and_text([&] { library.load(folder / "nothing.mo"); }),
            "M050 cannot read 'DIR/nothing.mo': No such file or directory.");
}

TEST_F(Library, quoted_names_and_classes_outside_the_tree) {
  library.load_text("m.mo", "package P model 'a.b' Q q(redeclare model R = S); end 'a.b'; end P;");
  ClassNode* node = library.find("P.'a.b'");
  ASSERT_NE(node, nullptr);
  const Component& q = *node->definition().elements[0].component;
  const ClassDefinition& r = *q.modification->arguments[0]->class_definition;
  ClassNode& local = library.local_class(r, *node);
  EXPECT_EQ(local.parent(), node);
  EXPECT_EQ(&local.definition(), &r);
  EXPECT_EQ(&library.local_class(r, *node), &local);
  EXPECT_EQ(node->child(Name("R")), nullptr);
}

}  // namespace
}  // namespace alembert::modelica
