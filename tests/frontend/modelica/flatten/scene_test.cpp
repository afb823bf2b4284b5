// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Scenes from annotations and from shapes as MultiBody has them.
#include "alembert/flat/scene.hpp"

#include <gtest/gtest.h>

#include "alembert/frontend/modelica/modelica.hpp"

namespace alembert::modelica {
namespace {

using flat::SceneShape;

std::shared_ptr<const flat::Scene> scene_of(const std::string& text) {
  return flatten({.text = text}).system.scene;
}

std::string message_of(const std::string& shapes) {
  try {
    scene_of("model M Real x; equation x = time; annotation(__Alembert(scene = " + shapes +
             ")); end M;");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Scene, names_of_an_annotation_belong_to_its_component) {
  const auto scene = scene_of(R"(
    package P
      model Arm
        parameter Real l = 2;
        Real phi = time;
        Real tip[2] = {l*sin(phi), -l*cos(phi)};
        annotation(__Alembert(scene = {Rod(from = {0, 0}, to = tip, width = l/10, color = {255, 0, 51}),
          Wheel(at = {1, 2, 3}, diameter = 0.5, angle = phi), Box(center = {0, 0}, length = 2, angle = phi),
          Trace(at = tip, seconds = 3), Text(at = tip, text = "phi = " + String(phi))}));
      end Arm;
      model Long
        extends Arm;
      end Long;
      model M
        Arm a[2](l = {1, 3});
        Long b;
      end M;
    end P;)");
  ASSERT_TRUE(scene);
  ASSERT_EQ(scene->shapes.size(), 15u);
  const SceneShape& rod = scene->shapes[5];
  EXPECT_EQ(rod.kind, SceneShape::Kind::rod);
  EXPECT_EQ(rod.name, "a[2]");
  EXPECT_EQ(rod.to.x.expression, "a[2].tip[1]");
  EXPECT_EQ(rod.at.x.expression, "");
  EXPECT_EQ(rod.width.expression, "a[2].l/10");
  ASSERT_TRUE(rod.colour);
  EXPECT_DOUBLE_EQ(rod.colour->blue.number, 0.2);
  EXPECT_EQ(scene->shapes[6].at.z.number, 3);
  EXPECT_EQ(scene->shapes[6].side->x.expression, "cos(a[2].phi)");
  EXPECT_EQ(scene->shapes[7].to.y.expression, "sin(a[2].phi)");
  EXPECT_EQ(scene->shapes[8].seconds, 3);
  EXPECT_EQ(scene->shapes[9].label, "phi = {a[2].phi}");
  EXPECT_EQ(scene->shapes[10].to.x.expression, "b.tip[1]");
}

TEST(Scene, shapes_of_multibody_are_seen_by_what_they_have) {
  const auto scene = scene_of(R"(
    package P
      record Orientation Real T[3, 3]; Real w[3]; end Orientation;
      model Shape
        parameter String shapeType = "box";
        input Orientation R; input Real r[3]; input Real r_shape[3] = {0, 0, 0};
        input Real lengthDirection[3] = {1, 0, 0}; input Real widthDirection[3] = {0, 1, 0};
        input Real length = 0; input Real width = 0; input Real height = 0;
        input Real color[3] = {255, 0, 0};
      end Shape;
      model M
        Real x = sin(time);
        Shape s(R(T = [1, 0, 0; 0, 1, 0; 0, 0, 1], w = {0, 0, 0}), r = {x, 0, 0}, length = 2, width = 0.1, height = 0.2);
        Shape unknown(shapeType = "file:nothing", R(T = identity(3), w = zeros(3)), r = {0, 0, 0});
      end M;
    end P;)");
  ASSERT_TRUE(scene);
  ASSERT_EQ(scene->shapes.size(), 1u);
  EXPECT_EQ(scene->shapes[0].kind, SceneShape::Kind::box);
  EXPECT_EQ(scene->shapes[0].name, "s");
  EXPECT_NE(scene->shapes[0].to.x.expression.find("s.length"), std::string::npos);
  ASSERT_TRUE(scene->shapes[0].colour);
  EXPECT_NE(scene->shapes[0].colour->red.expression.find("s.color[1]"), std::string::npos);
}

TEST(Scene, mistakes_are_told) {
  EXPECT_EQ(message_of("{Point(at = {x, 0})}"), "no error");
  EXPECT_EQ(scene_of("model M Real x; equation x = time; end M;"), nullptr);
  for (const char* shapes :
       {"{Rodd(from = {0, 0}, to = {1, 1})}", "{Rod(form = {0, 0})}", "{Rod(from = x)}",
        "{Rod(from = {x})}", "Rod(from = {0, 0})", "{Rod({0, 0}, {1, 1})}",
        "{Box(center = {0, 0})}", "{Point(at = {0, 0}, color = 3)}",
        "{Text(at = {0, 0}, text = 3)}", "{3}"})
    EXPECT_NE(message_of(shapes).find("M333"), std::string::npos)
        << shapes << ": " << message_of(shapes);
  EXPECT_NE(message_of("{Rodd(from = {0, 0})}").find("Rod, Box"), std::string::npos);
  EXPECT_NE(message_of("{Point(at = {y, 0})}").find("y"), std::string::npos);
}

}  // namespace
}  // namespace alembert::modelica
