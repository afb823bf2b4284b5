// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "frontend/modelica/instance/model_under_test.hpp"

namespace alembert::modelica::testing {
namespace {

using Names = std::vector<std::string>;

TEST(Inheritance, ElementsStandWhereExtendsStands) {
  ModelUnderTest model(R"(
    model A
      Real a;
    equation
      a = 1;
    end A;
    model B
      Real b;
    equation
      b = 2;
    end B;
    model M
      Real first;
      extends A;
      Real middle;
      extends B;
      Real last;
    equation
      first = 3;
    initial equation
      last = 4;
    end M;)");
  EXPECT_EQ(model.names(), (Names{"first", "a", "middle", "b", "last"}));
  ASSERT_EQ(model.root().equations().size(), 4u);
  EXPECT_EQ(model.root().equations()[0].scope->node().full_name(), "A");
  EXPECT_TRUE(model.root().equations()[3].item->initial);
}

TEST(Inheritance, TheSameBaseTwiceCountsOnce) {
  ModelUnderTest model(R"(
    model Base
      Real x;
    equation
      x = 1;
    end Base;
    model A
      extends Base;
      Real a;
    end A;
    model B
      extends Base;
      Real b;
    end B;
    model M
      extends A;
      extends B;
    end M;)");
  EXPECT_EQ(model.names(), (Names{"x", "a", "b"}));
  EXPECT_EQ(model.root().equations().size(), 1u);
}

TEST(Inheritance, OfSimpleTypes) {
  ModelUnderTest model(R"(
    type Length = Real(final quantity = "Length", final unit = "m");
    type Distance
      extends Length(min = 0);
    end Distance;
    type Position = Length[3];
    type Matrix = Real[3, 2](each unit = "m");
    type Rotation
      extends Matrix;
      function f
      end f;
    end Rotation;
    connector Input = input Real;
    connector Inputs = Input[2];
    model Two
      Inputs inputs[3];
    end Two;
    model M
      Distance d(start = 1);
      Position r[2](each start = 5);
      Input u;
      Position p(start = {1, 2, 3});
      Boolean b[Boolean];
      Two two;
      Rotation R;
      Rotation Rs[4](each start = 1);
    end M;)");
  EXPECT_EQ(model.names().size(), 8u);
  ASSERT_EQ(model.at("R").dimensions().size(), 2u);
  EXPECT_EQ(model.at("R").dimensions()[0], 3);
  EXPECT_EQ(model.at("R").dimensions()[1], 2);
  ASSERT_EQ(model.at("Rs").dimensions().size(), 3u);
  EXPECT_EQ(model.at("Rs").dimensions()[0], 4);
  EXPECT_EQ(model.attribute("Rs", "unit"), "\"m\" each");
  EXPECT_EQ(model.at("two.inputs").dimension(0), 3);
  EXPECT_EQ(model.at("two.inputs").dimension(1), 2);
  EXPECT_EQ(model.at("d").type(), TypeKind::real);
  EXPECT_EQ(model.attribute("d", "unit"), "\"m\"");
  EXPECT_EQ(model.attribute("d", "min"), "0");
  EXPECT_EQ(model.attribute("d", "start"), "1");
  EXPECT_EQ(model.attribute("d", "quantity"), "\"Length\"");
  ASSERT_EQ(model.at("r").dimensions().size(), 2u);
  EXPECT_EQ(model.at("r").dimensions()[0], 2);
  EXPECT_EQ(model.at("r").dimensions()[1], 3);
  EXPECT_EQ(model.attribute("r", "start"), "5 each");
  EXPECT_EQ(model.at("u").causality(), Causality::input);
  EXPECT_EQ(model.at("u").restriction(), Restriction::connector);
  EXPECT_EQ(model.at("b").dimension(0), 2);
}

TEST(Inheritance, ProtectedAndFinal) {
  ModelUnderTest model(R"(
    model A
      Real x;
    end A;
    model B
      Real y;
    protected
      A a;
      extends A;
    end B;
    model M
      B b;
      final parameter Real k = 1;
    end M;)");
  EXPECT_FALSE(model.at("b.y").is_protected());
  EXPECT_TRUE(model.at("b.a.x").is_protected());
  EXPECT_TRUE(model.at("b.x").is_protected());
  EXPECT_TRUE(model.at("k").is_final());
}

TEST(Inheritance, PrefixesOfTheWholeHoldForTheParts) {
  ModelUnderTest model(R"(
    operator record Complex
      Real re;
      Real im;
      encapsulated operator 'constructor'
        function fromReal
          import Complex;
          input Real re;
          input Real im = 0;
          output Complex result(re = re, im = im);
        algorithm
        end fromReal;
      end 'constructor';
      encapsulated operator function '+'
        import Complex;
        input Complex a;
        input Complex b;
        output Complex c;
      algorithm
        c := Complex(a.re + b.re, a.im + b.im);
      end '+';
    end Complex;
    connector Pin
      Complex v;
      flow Complex i;
      stream Real h;
    end Pin;
    record Point
      Real x;
      discrete Real d;
      constant Real c = 1;
    end Point;
    model M
      Pin pin;
      parameter Point p;
      input Point u;
    end M;)");
  EXPECT_EQ(model.at("pin.i.re").connection(), Connection::flow);
  EXPECT_EQ(model.at("pin.v.re").connection(), Connection::none);
  EXPECT_EQ(model.at("pin.h").connection(), Connection::stream);
  EXPECT_EQ(model.at("p.x").variability(), Variability::parameter);
  EXPECT_EQ(model.at("p.c").variability(), Variability::constant);
  EXPECT_EQ(model.at("u.d").variability(), Variability::discrete);
  EXPECT_EQ(model.at("u.x").causality(), Causality::input);
  EXPECT_EQ(model.at("pin.v").restriction(), Restriction::operator_record);
  Instance& cls = model.at("pin.v").class_instance();
  Instance* plus = cls.member(Name("'+'"));
  ASSERT_NE(plus, nullptr);
  EXPECT_EQ(plus->restriction(), Restriction::operator_function);
  EXPECT_EQ(plus->children()[0]->class_instance().class_node().full_name(), "Complex");
  Instance* constructor = cls.member(Name("'constructor'"));
  ASSERT_NE(constructor, nullptr);
  Instance* from_real = constructor->member(Name("fromReal"));
  ASSERT_NE(from_real, nullptr);
  EXPECT_EQ(text_of(from_real->children()[1]->binding()), "0");
}

TEST(Inheritance, ExternalObjectsAndExternalFunctions) {
  ModelUnderTest model(R"(
    class Table
      extends ExternalObject;
      function constructor
        input Real k;
        output Table table;
        external "C" table = make(k) annotation(Library = "tables");
      end constructor;
      function destructor
        input Table table;
        external "C" free_it(table);
      end destructor;
    end Table;
    model M
      Table t = Table(3);
    end M;)");
  EXPECT_EQ(model.at("t").type(), TypeKind::external_object);
  Instance* constructor = model.at("t").class_instance().member(Name("constructor"));
  ASSERT_NE(constructor, nullptr);
  ASSERT_NE(constructor->external().item, nullptr);
  EXPECT_EQ(constructor->external().item->function, "make");
  EXPECT_EQ(model.value("t"), "Table(3)");
}

TEST(Inheritance, AnnotationsOfTheModelAndItsBases) {
  ModelUnderTest model(R"(
    model Base
      annotation(experiment(StopTime = 5, Tolerance = 1e-4));
    end Base;
    model M
      extends Base;
      parameter Real k = 1 annotation(Evaluate = true, Dialog(group = "a"));
      annotation(experiment(StopTime = 7));
    end M;)");
  const auto stop = model.root().class_annotation({"experiment", "StopTime"});
  ASSERT_NE(stop.item, nullptr);
  EXPECT_EQ(stop.item->place.text(), "7");
  EXPECT_EQ(model.root().class_annotation({"experiment", "Tolerance"}).item, nullptr);
  EXPECT_EQ(model.root().class_annotation({"experiment", "Tolerance"}, true).item->place.text(),
            "1e-4");
  EXPECT_TRUE(annotation_value(model.at("k").annotation(), {"Evaluate"})->boolean);
  EXPECT_EQ(annotation_value(model.at("k").annotation(), {"Dialog", "group"})->text, "a");
  EXPECT_EQ(annotation_value(model.at("k").annotation(), {"Dialog", "tab"}), nullptr);
}

TEST(Inheritance, DerivativeFunctions) {
  ModelUnderTest model(R"(
    function f
      input Real x;
      output Real y;
    algorithm
      y := x^2;
    end f;
    function df = der(f, x);
    model M
      Real x;
    end M;)");
  Instance* df = model.lookup("", "df").instance;
  ASSERT_NE(df->differentiated_function(), nullptr);
  EXPECT_EQ(df->differentiated_function(), model.lookup("", "f").instance);
  EXPECT_EQ(model.lookup("", "f").instance->differentiated_function(), nullptr);
}

}  // namespace
}  // namespace alembert::modelica::testing
