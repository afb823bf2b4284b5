// SPDX-License-Identifier: Apache-2.0
// What a mechanism looks like by itself, against where its points are.
#include "alembert/frontend/mechanics/scene.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "alembert/symbolic/print.hpp"
#include "frontend/mechanics/link_pendulum.hpp"

namespace alembert::mechanics {
namespace {

using flat::SceneShape;
using Kind = SceneShape::Kind;

std::string text(const flat::Quantity& quantity) {
  return quantity.expression.empty() ? std::to_string(static_cast<int>(quantity.number))
                                     : quantity.expression;
}

std::string text(const flat::ScenePlace& place) {
  return text(place.x) + ", " + text(place.y) + ", " + text(place.z);
}

std::vector<Kind> kinds(const flat::Scene& scene) {
  std::vector<Kind> found;
  for (const SceneShape& shape : scene.shapes) found.push_back(shape.kind);
  return found;
}

TEST(SceneOfMechanism, LinksAreRodsAndParticlesAreSpheresWithTheirPaths) {
  LinkPendulum chain(2);
  const flat::Scene scene = scene_of(chain.system.bodies, chain.O, chain.N);
  ASSERT_EQ(kinds(scene), (std::vector<Kind>{Kind::trace, Kind::rod, Kind::trace, Kind::rod,
                                             Kind::sphere, Kind::sphere}));
  const Expr q1 = chain.system.q[0], q2 = chain.system.q[1];
  const Expr l(*q1.pool(), q1.pool()->find_symbol("l"));
  const auto place = [](const Expr& x, const Expr& y) {
    return symbolic::to_text(x) + ", " + symbolic::to_text(y) + ", 0";
  };
  const std::string first = place(l * cos(q1), l * sin(q1));
  const std::string second = place(l * cos(q1) + l * cos(q2), l * sin(q1) + l * sin(q2));
  EXPECT_EQ(text(scene.shapes[0].at), first);
  EXPECT_EQ(text(scene.shapes[1].at), "0, 0, 0");
  EXPECT_EQ(text(scene.shapes[1].to), first);
  EXPECT_EQ(text(scene.shapes[3].at), first);
  EXPECT_EQ(text(scene.shapes[3].to), second);
  EXPECT_EQ(text(scene.shapes[5].at), second);
  EXPECT_EQ(scene.shapes[5].name, "B2");
}

TEST(SceneOfMechanism, ACoordinateFromTheOriginIsNoRod) {
  Model model("Cart");
  World world;
  const Frame N = world.frame("N");
  const Point O = world.point("O"), P = world.point("P");
  const Expr x = model.unknown("x");
  P.set_position(O, x * N.x());
  const std::vector<Body> bodies{particle("cart", P, 1.0)};
  EXPECT_EQ(kinds(scene_of(bodies, O, N)), (std::vector<Kind>{Kind::trace, Kind::sphere}));
}

TEST(SceneOfMechanism, BodiesWithOneCentreHaveOnePath) {
  LinkPendulum chain(1);
  std::vector<Body> bodies = chain.system.bodies;
  bodies.push_back(particle("second", bodies[0].mass_centre, 1.0));
  EXPECT_EQ(kinds(scene_of(bodies, chain.O, chain.N)),
            (std::vector<Kind>{Kind::trace, Kind::rod, Kind::sphere, Kind::sphere}));
}

TEST(SceneOfMechanism, DirectionsAreSeenFromTheFrame) {
  LinkPendulum chain(1);
  const Frame A = chain.world.frame("A");
  const Expr q = chain.system.q[0];
  A.orient_axis(chain.N, q, chain.N.z());
  EXPECT_EQ(text(direction_of(2 * A.x(), chain.N)), "2*cos(q1), 2*sin(q1), 0");
}

}  // namespace
}  // namespace alembert::mechanics
