// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "frontend/modelica/instance/model_under_test.hpp"

namespace alembert::modelica::testing {
namespace {

using Names = std::vector<std::string>;

TEST(Lookup, EnclosingClassesAndImports) {
  ModelUnderTest model(R"(
    package P
      constant Real c = 1;
      package Q
        constant Real d = 2;
        constant Real hidden = 3;
        model Inner
          import P.R.e;
          import F = P.R.f;
          import P.R.{g, h};
          import P.S.*;
          Real x;
        end Inner;
      end Q;
      package R
        constant Real e = 4;
        constant Real f = 5;
        constant Real g = 6;
        constant Real h = 7;
      end R;
      package S
        constant Real s = 8;
        constant Real d = 9;
      end S;
    end P;
    model M
      P.Q.Inner inner1;
    end M;)");
  const auto value = [&](const std::string& name) {
    const Denotation found = model.lookup("inner1", name);
    EXPECT_EQ(found.kind, DenotationKind::component) << name;
    return found.instance->full_name() + " = " + text_of(found.instance->binding());
  };
  EXPECT_EQ(value("c"), "P.c = 1");
  EXPECT_EQ(value("P.c"), "P.c = 1");
  EXPECT_EQ(value(".P.Q.d"), "P.Q.d = 2");
  EXPECT_EQ(value("d"), "P.S.d = 9")
      << "an import of the class itself comes before its surroundings";
  EXPECT_EQ(value("e"), "P.R.e = 4");
  EXPECT_EQ(value("F"), "P.R.f = 5");
  EXPECT_EQ(value("g"), "P.R.g = 6");
  EXPECT_EQ(value("h"), "P.R.h = 7");
  EXPECT_EQ(value("s"), "P.S.s = 8");
  EXPECT_EQ(value("x"), "inner1.x = -");
  EXPECT_THROW(model.lookup("inner1", "f"), Error) << "renamed: only F is known";
}

TEST(Lookup, EncapsulatedSeesOnlyImportsAndTheLanguage) {
  ModelUnderTest model(R"(
    package P
      constant Real c = 1;
      encapsulated model E
        import P.D;
        D d;
        Real x;
      end E;
      model D
        Real y = c;
      end D;
    end P;
    model M
      P.E e;
    end M;)");
  EXPECT_THROW(model.lookup("e", "c"), Error);
  EXPECT_EQ(model.lookup("e.d", "c").kind, DenotationKind::component);
  EXPECT_EQ(model.lookup("e", "sin").kind, DenotationKind::builtin);
  EXPECT_EQ(model.names(), (Names{"e.d.y", "e.x"}));
}

TEST(Lookup, NamesOfABaseClassAreLookedUpWhereItIsWritten) {
  ModelUnderTest model(R"(
    package A
      constant Real c = 1;
      partial model Base
        Real x = c;
      end Base;
    end A;
    package B
      constant Real c = 2;
      model Derived
        extends A.Base;
        Real y = c;
      end Derived;
    end B;
    model M
      B.Derived d;
      constant Real c = 3;
    end M;)");
  const auto where = [&](std::string_view path) {
    const Binding& binding = model.at(path).binding();
    return model.tree()
        .lookup(*binding.scope, *binding.expression->reference)
        .instance->full_name();
  };
  EXPECT_EQ(where("d.x"), "A.c");
  EXPECT_EQ(where("d.y"), "B.c");
}

TEST(Lookup, EnumerationsAndClasses) {
  ModelUnderTest model(R"(
    package P
      type Color = enumeration(red, green, blue);
      type Other = Color;
      function f
        input Real u;
        output Real y;
      algorithm
        y := u;
      end f;
    end P;
    model M
      P.Color c = P.Other.blue;
      Real a[P.Color];
    end M;)");
  const Denotation blue = model.lookup("", "P.Other.blue");
  EXPECT_EQ(blue.kind, DenotationKind::literal);
  EXPECT_EQ(blue.literal, 3);
  EXPECT_EQ(blue.instance, model.lookup("", "P.Color.red").instance)
      << "a short definition that changes nothing is the same type";
  EXPECT_EQ(model.lookup("", "StateSelect.always").literal, 5);
  EXPECT_EQ(model.lookup("", "AssertionLevel.error").literal, 2);
  EXPECT_EQ(model.at("c").type(), TypeKind::enumeration);
  EXPECT_EQ(model.at("c").literals().size(), 3u);
  EXPECT_EQ(model.at("a").dimension(0), 3);
  const Denotation f = model.lookup("", "P.f");
  ASSERT_EQ(f.kind, DenotationKind::class_);
  EXPECT_EQ(f.instance->children().size(), 2u);
  EXPECT_EQ(f.instance->children()[0]->causality(), Causality::input);
  EXPECT_EQ(f.instance->algorithms().size(), 1u);
  EXPECT_EQ(f.instance, model.lookup("", ".P.f").instance);
}

TEST(Lookup, FunctionsAndConstantsInsideOfComponents) {
  ModelUnderTest model(R"(
    model World
      parameter Real g = 9.81;
      function gravity
        input Real r;
        output Real a;
      protected
        constant Real scale = 2;
      algorithm
        a := r * scale;
      end gravity;
    end World;
    model M
      World world(g = 1);
      Real y = world.gravity(2);
    end M;)");
  const Denotation found = model.lookup("", "world.gravity");
  ASSERT_EQ(found.kind, DenotationKind::component);
  EXPECT_EQ(found.parts_used, 1u);
  Instance* function = found.instance->member(Name("gravity"));
  ASSERT_NE(function, nullptr);
  EXPECT_TRUE(function->is_class());
  EXPECT_EQ(function->full_name(), "world.gravity");
  EXPECT_EQ(text_of(function->member(Name("scale"))->binding()), "2");
}

TEST(Lookup, LooksOnlyAtWhatIsAskedFor) {
  ModelUnderTest model(R"(
    package P
      constant Real pi = 3;
      constant Broken.Type b;
      model Broken2
        extends DoesNotExist;
      end Broken2;
    end P;
    model M
      Real x = P.pi;
    end M;)");
  EXPECT_EQ(model.lookup("", "P.pi").kind, DenotationKind::component);
  EXPECT_THROW(model.lookup("", "P.b"), Error);
}

}  // namespace
}  // namespace alembert::modelica::testing
