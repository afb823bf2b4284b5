// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "alembert/frontend/modelica/syntax/parser.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"
#include "dump.hpp"
#include "every_construct.hpp"

namespace alembert::modelica {
namespace {

const ClassDefinition& only_class(const SyntaxFile& file) { return *file.definition.classes[0]; }

TEST(Class, every_construct_is_read_and_printed_back) {
  const auto file = parse_or_throw("everything.mo", every_construct);
  const std::string text = to_text(file->definition);
  const auto again = parse_or_throw("again.mo", text);
  EXPECT_EQ(dump(again->definition), dump(file->definition));
  EXPECT_EQ(to_text(again->definition), text);
}

TEST(Class, elements_stay_in_order_with_their_visibility) {
  const auto file = parse_or_throw("m.mo", R"(
    model M
      import A.B;
      Real x, y;
    protected
      extends C;
      type T = Real;
    public
      parameter Real z;
    end M;)");
  const auto& elements = only_class(*file).elements;
  ASSERT_EQ(elements.size(), 6u);
  EXPECT_EQ(elements[0].kind, ElementKind::import);
  EXPECT_EQ(elements[2].component->name, Name("y"));
  EXPECT_EQ(elements[3].kind, ElementKind::extends);
  EXPECT_EQ(elements[3].visibility, Visibility::protected_);
  EXPECT_EQ(elements[4].class_definition->name, Name("T"));
  EXPECT_EQ(elements[5].visibility, Visibility::public_);
  EXPECT_EQ(elements[5].component->type_prefix.variability, Variability::parameter);
}

TEST(Class, declarations_share_what_stands_before_the_names) {
  const auto file = parse_or_throw("m.mo", R"(
    model M
      replaceable flow Real[3] x[2](start = 1) = 2 if c "first", y "second" constrainedby R;
    end M;)");
  const auto& elements = only_class(*file).elements;
  ASSERT_EQ(elements.size(), 2u);
  const Component& x = *elements[0].component;
  const Component& y = *elements[1].component;
  EXPECT_EQ(x.type_dimensions.size(), 1u);
  EXPECT_EQ(y.type_dimensions.size(), 1u);
  EXPECT_EQ(x.dimensions.size(), 1u);
  EXPECT_TRUE(y.dimensions.empty());
  EXPECT_NE(x.condition, nullptr);
  EXPECT_EQ(y.condition, nullptr);
  EXPECT_EQ(x.comment.text, "first");
  EXPECT_EQ(y.comment.text, "second");
  EXPECT_EQ(x.constraint, y.constraint);
  EXPECT_EQ(to_text(x.constraint->type), "R");
  EXPECT_EQ(y.type_prefix.connection, Connection::flow);
  EXPECT_TRUE(y.prefix.replaceable);
}

TEST(Class, within_and_several_classes) {
  const auto file = parse_or_throw("m.mo", "within A.B; final model X end X; model Y end Y;");
  EXPECT_EQ(to_text(file->definition.within), "A.B");
  ASSERT_EQ(file->definition.classes.size(), 2u);
  EXPECT_TRUE(file->definition.classes[0]->prefix.final_);
  const auto top = parse_or_throw("m.mo", "within; model X end X;");
  EXPECT_TRUE(top->definition.has_within);
  EXPECT_TRUE(top->definition.within.parts.empty());
}

TEST(Class, comments_and_byte_order_mark_are_no_tokens) {
  const auto file = parse_or_throw("m.mo",
                                   "\xEF\xBB\xBFmodel M // a '\" comment\r\n"
                                   "/* several /* lines\n * ü */ Real x; end M;");
  EXPECT_EQ(only_class(*file).elements.size(), 1u);
  EXPECT_EQ(only_class(*file).place.column(), 7u);
  EXPECT_EQ(only_class(*file).elements[0].component->place.line(), 3u - 0u);
}

TEST(Class, comments_in_pieces_are_joined) {
  const auto file = parse_or_throw("m.mo", "model M \"a\" + \"b\\n\" + \"c\" end M;");
  EXPECT_EQ(only_class(*file).comment.text, "ab\nc");
}

TEST(Class, several_annotations_are_one) {
  const auto file =
      parse_or_throw("m.mo", "model M annotation(a = 1); Real x; annotation(b = 2, c); end M;");
  const ModificationBody* annotation = only_class(*file).comment.annotation;
  ASSERT_NE(annotation, nullptr);
  EXPECT_EQ(annotation->arguments.size(), 3u);
  EXPECT_EQ(only_class(*file).elements.size(), 1u);
}

TEST(Class, names_are_interned_once) {
  EXPECT_EQ(Name("abc"), Name(std::string("ab") + "c"));
  EXPECT_NE(Name("abc"), Name("abd"));
  EXPECT_LT(Name("a"), Name("b"));
  EXPECT_TRUE(Name().empty());
  EXPECT_EQ(Name("abc").text().data(), Name("abc").text().data());
}

}  // namespace
}  // namespace alembert::modelica
