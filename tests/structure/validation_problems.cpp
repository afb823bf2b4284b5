// SPDX-License-Identifier: Apache-2.0
#include "structure/validation_problems.hpp"

#include <fmt/format.h>

namespace alembert::structure {

namespace {

/// Generalised forces of the slider-crank with a spring and damper between the mid-points of crank
/// and rod (example idaSlCrank of SUNDIALS); qd, xd, pd name the speeds.
std::vector<std::string> slider_crank_forces(const std::string& qd, const std::string& xd,
                                             const std::string& pd) {
  const std::string length = "sqrt(x^2 - x*(cos(p) + a*cos(q)) + (1 + a^2)/4 + a*cos(p - q)/2)";
  const std::string rate = fmt::format(
      "(2*x*{1} - {1}*(cos(p) + a*cos(q)) + x*(sin(p)*{2} + a*sin(q)*{0})"
      " - a*sin(p - q)*({2} - {0})/2)/(2*{3})",
      qd, xd, pd, length);
  const std::string spring = fmt::format("(k*({0} - l0) + c*{1})/{0}", length, rate);
  return {fmt::format("-{}*a*(sin(p - q)/2 + x*sin(q))/2", spring),
          fmt::format("{}*(cos(p)/2 - x + a*cos(q)/2) + F", spring),
          fmt::format("-{}*(x*sin(p) - a*sin(p - q)/2)/2 - F*sin(p)", spring)};
}

Problem slider_crank() {
  const auto force = slider_crank_forces("der(q)", "der(x)", "der(p)");
  return {"slider crank",
          "SUNDIALS, example idaSlCrank",
          "q x p lambda1 lambda2",
          {"J1*der(der(q)) = " + force[0] + " - a*sin(q)*lambda1 + a*cos(q)*lambda2",
           "m2*der(der(x)) = " + force[1] + " - lambda1",
           "J2*der(der(p)) = " + force[2] + " - sin(p)*lambda1 + cos(p)*lambda2",
           "0 = x - cos(p) - a*cos(q)", "0 = -sin(p) - a*sin(q)"},
          "a k l0 c F J1 m2 J2",
          {0, 0, 0, 2, 2},
          {2, 2, 2, 0, 0},
          3,
          2,
          {5},
          {5}};
}

Problem stabilised_slider_crank() {
  const auto force = slider_crank_forces("qd", "xd", "pd");
  return {"slider crank, stabilised after Gear, Gupta and Leimkuhler",
          "SUNDIALS, example idaSlCrank",
          "q x p qd xd pd lambda1 lambda2 mu1 mu2",
          {"der(q) = qd - a*sin(q)*mu1 + a*cos(q)*mu2", "der(x) = xd - mu1",
           "der(p) = pd - sin(p)*mu1 + cos(p)*mu2",
           "J1*der(qd) = " + force[0] + " - a*sin(q)*lambda1 + a*cos(q)*lambda2",
           "m2*der(xd) = " + force[1] + " - lambda1",
           "J2*der(pd) = " + force[2] + " - sin(p)*lambda1 + cos(p)*lambda2",
           "0 = x - cos(p) - a*cos(q)", "0 = -sin(p) - a*sin(q)",
           "0 = a*sin(q)*qd + xd + sin(p)*pd", "0 = -a*cos(q)*qd - cos(p)*pd"},
          "a k l0 c F J1 m2 J2",
          {0, 0, 0, 0, 0, 0, 1, 1, 1, 1},
          {1, 1, 1, 1, 1, 1, 0, 0, 0, 0},
          2,
          2,
          {10},
          {5, 5}};
}

Problem car_axis() {
  const std::string yb = "(r*sin(10*time))";
  const std::string xb = fmt::format("sqrt(L^2 - {}^2)", yb);
  const std::string left = "sqrt(xl^2 + yl^2)";
  const std::string right = fmt::format("sqrt((xr - {})^2 + (yr - {})^2)", xb, yb);
  return {
      "car axis",
      "IVP test set, caraxis",
      "xl yl xr yr lambda1 lambda2",
      {fmt::format("k*der(der(xl)) = (L0 - {0})*xl/{0} + lambda1*{1} + 2*lambda2*(xl - xr)", left,
                   xb),
       fmt::format("k*der(der(yl)) = (L0 - {0})*yl/{0} + lambda1*{1} + 2*lambda2*(yl - yr) - "
                   "k*g",
                   left, yb),
       fmt::format("k*der(der(xr)) = (L0 - {0})*(xr - {1})/{0} - 2*lambda2*(xl - xr)", right, xb),
       fmt::format("k*der(der(yr)) = (L0 - {0})*(yr - {1})/{0} - 2*lambda2*(yl - yr) - k*g", right,
                   yb),
       fmt::format("0 = xl*{} + yl*{}", xb, yb), "0 = (xl - xr)^2 + (yl - yr)^2 - L^2"},
      "r L L0 k g",
      {0, 0, 0, 0, 2, 2},
      {2, 2, 2, 2, 0, 0},
      3,
      4,
      {6},
      {6}};
}

std::string diode(const std::string& voltage) {
  return fmt::format("(beta*(exp(({})/UF) - 1))", voltage);
}

std::vector<std::string> transistor_equations() {
  const std::string g23 = diode("y2 - y3");
  const std::string g56 = diode("y5 - y6");
  return {"C1*(der(y2) - der(y1)) + sin(time)/R0 - y1/R0",
          "C1*(der(y1) - der(y2)) + Ub/R - 2*y2/R - (1 - alpha)*" + g23,
          "-C2*der(y3) + " + g23 + " - y3/R",
          "C3*(der(y5) - der(y4)) + Ub/R - y4/R - alpha*" + g23,
          "C3*(der(y4) - der(y5)) + Ub/R - 2*y5/R - (1 - alpha)*" + g56,
          "-C4*der(y6) + " + g56 + " - y6/R",
          "C5*(der(y8) - der(y7)) + Ub/R - y7/R - alpha*" + g56,
          "C5*(der(y7) - der(y8)) - y8/R"};
}

const char* const transistor_parameters = "C1 C2 C3 C4 C5 R R0 Ub UF alpha beta";

/// As published: the capacitors' rows are dependent, which no structural method can see.
Problem transistor_amplifier() {
  auto equations = transistor_equations();
  for (std::string& equation : equations) equation += " = 0";
  return {"transistor amplifier",
          "IVP test set, transamp",
          "y1 y2 y3 y4 y5 y6 y7 y8",
          equations,
          transistor_parameters,
          {0, 0, 0, 0, 0, 0, 0, 0},
          {1, 1, 1, 1, 1, 1, 1, 1},
          0,
          8,
          {3, 3, 2},
          {2, 2, 2, 1, 1}};
}

/// With the sums of these rows in place of one of each pair: the derivatives cancel.
Problem transistor_amplifier_combined() {
  auto equations = transistor_equations();
  for (const int i : {1, 4, 7}) equations[i] = "(" + equations[i - 1] + ") + " + equations[i];
  for (std::string& equation : equations) equation += " = 0";
  return {"transistor amplifier, rows combined",
          "Tan, Nedialkov and Pryce, linear combination method",
          "y1 y2 y3 y4 y5 y6 y7 y8",
          equations,
          transistor_parameters,
          {0, 1, 0, 0, 1, 0, 0, 1},
          {1, 1, 1, 1, 1, 1, 1, 1},
          1,
          5,
          {3, 3, 2},
          {2, 2, 2, 1, 1}};
}

Problem chemical_akzo() {
  const std::string r1 = "18.7*y1^4*sqrt(y2)";
  const std::string r2 = "0.58*y3*y4";
  const std::string r3 = "0.58/34.4*y1*y5";
  const std::string r4 = "0.09*y1*y4^2";
  const std::string r5 = "0.42*y6^2*sqrt(y2)";
  return {"chemical Akzo Nobel",
          "IVP test set, chemakzo",
          "y1 y2 y3 y4 y5 y6",
          {fmt::format("der(y1) = -2*{} + {} - {} - {}", r1, r2, r3, r4),
           fmt::format("der(y2) = -{}/2 - {} - {}/2 + 3.3*(0.9/737 - y2)", r1, r4, r5),
           fmt::format("der(y3) = {} - {} + {}", r1, r2, r3),
           fmt::format("der(y4) = -{} + {} - 2*{}", r2, r3, r4),
           fmt::format("der(y5) = {} - {} + {}", r2, r3, r5), "0 = 115.83*y1*y4 - y6"},
          "",
          {0, 0, 0, 0, 0, 0},
          {1, 1, 1, 1, 1, 0},
          1,
          5,
          {6},
          {1, 1, 1, 1, 1, 1}};
}

std::vector<Problem> pendula() {
  return {{"pendulum",
           "Pryce 2001",
           "x y lambda",
           {"der(der(x)) + x*lambda = 0", "der(der(y)) + y*lambda - G = 0", "x^2 + y^2 - L^2 = 0"},
           "G L",
           {0, 0, 2},
           {2, 2, 0},
           3,
           2,
           {3},
           {3}},
          {"pendulum of first order",
           "Pantelides 1988",
           "x y u v lambda",
           {"der(x) - u = 0", "der(y) - v = 0", "der(u) + x*lambda = 0",
            "der(v) + y*lambda - G = 0", "x^2 + y^2 - L^2 = 0"},
           "G L",
           {1, 1, 0, 0, 2},
           {2, 2, 1, 1, 0},
           3,
           2,
           {5},
           {5}},
          {"pendulum with an angle",
           "",
           "x y lambda theta",
           {"der(der(x)) + x*lambda = 0", "der(der(y)) + y*lambda - G = 0", "x - sin(theta) = 0",
            "y + cos(theta) = 0"},
           "G",
           {0, 0, 2, 2},
           {2, 2, 0, 2},
           3,
           2,
           {4},
           {4}},
          // The truth is two degrees of freedom and a free multiplier; structure cannot know.
          {"pendulum with its constraint twice",
           "",
           "x y lambda mu",
           {"der(der(x)) + x*(lambda + 2*mu) = 0", "der(der(y)) + y*(lambda + 2*mu) - G = 0",
            "x^2 + y^2 - 1 = 0", "2*x^2 + 2*y^2 - 2 = 0"},
           "G",
           {0, 0, 2, 2},
           {2, 2, 0, 0},
           3,
           0,
           {2, 2},
           {2, 2}},
          {"spherical pendulum",
           "",
           "x y z lambda",
           {"der(der(x)) = -lambda*x", "der(der(y)) = -lambda*y", "der(der(z)) = -lambda*z - G",
            "x^2 + y^2 + z^2 = L^2"},
           "G L",
           {0, 0, 0, 2},
           {2, 2, 2, 0},
           3,
           4,
           {4},
           {4}},
          {"four-bar of two points",
           "",
           "xa ya xb yb lambda1 lambda2 lambda3",
           {"m*der(der(xa)) + 2*lambda1*xa - 2*lambda2*(xb - xa) = 0",
            "m*der(der(ya)) + 2*lambda1*ya - 2*lambda2*(yb - ya) + m*G = 0",
            "m*der(der(xb)) + 2*lambda2*(xb - xa) + 2*lambda3*(xb - Ln) = 0",
            "m*der(der(yb)) + 2*lambda2*(yb - ya) + 2*lambda3*yb + m*G = 0", "xa^2 + ya^2 = L1^2",
            "(xb - xa)^2 + (yb - ya)^2 = L2^2", "(xb - Ln)^2 + yb^2 = L3^2"},
           "m G L1 L2 L3 Ln",
           {0, 0, 0, 0, 2, 2, 2},
           {2, 2, 2, 2, 0, 0, 0},
           3,
           2,
           {7},
           {7}}};
}

std::vector<Problem> nonholonomic() {
  return {{"Chaplygin sleigh",
           "",
           "X Y theta lambda",
           {"m*der(der(X)) - lambda*sin(theta) = 0", "m*der(der(Y)) + lambda*cos(theta) = 0",
            "I*der(der(theta)) - a*lambda = 0",
            "-der(X)*sin(theta) + der(Y)*cos(theta) - a*der(theta) = 0"},
           "m I a",
           {0, 0, 0, 1},
           {2, 2, 2, 0},
           2,
           5,
           {4},
           {4}},
          {"snakeboard",
           "Moore, Learn Multibody Dynamics",
           "q1 q2 q3 q4 q5 lambda1 lambda2",
           {"3*m*der(der(q1)) = -lambda1*sin(q3 + q4) - lambda2*sin(q3 + q5)",
            "3*m*der(der(q2)) = lambda1*cos(q3 + q4) + lambda2*cos(q3 + q5)",
            "(m*l^2/2 + 3*I)*der(der(q3)) + I*der(der(q4)) + I*der(der(q5))"
            " = l/2*lambda1*cos(q4) - l/2*lambda2*cos(q5)",
            "I*(der(der(q3)) + der(der(q4))) = 0", "I*(der(der(q3)) + der(der(q5))) = 0",
            "-sin(q3 + q4)*der(q1) + cos(q3 + q4)*der(q2) + l/2*cos(q4)*der(q3) = 0",
            "-sin(q3 + q5)*der(q1) + cos(q3 + q5)*der(q2) - l/2*cos(q5)*der(q3) = 0"},
           "m I l",
           {0, 0, 0, 0, 0, 1, 1},
           {2, 2, 2, 2, 2, 0, 0},
           2,
           8,
           {7},
           {7}}};
}

std::vector<Problem> small_systems() {
  return {
      {"linear example of the dummy derivatives",
       "Mattsson and Soderlind 1993",
       "x1 x2 x3 x4",
       {"x1 + x2 + sin(time) = 0", "x1 + x2 + x3 + cos(time) = 0", "x1 + der(x3) + x4 + time = 0",
        "2*der(der(x1)) + der(der(x2)) + der(der(x3)) + der(x4) + exp(time) = 0"},
       "",
       {2, 2, 1, 0},
       {2, 2, 2, 1},
       2,
       2,
       {4},
       {4}},
      {"reactor with prescribed concentration",
       "Pantelides 1988",
       "C T R Tc",
       {"der(C) = K1*(C0 - C) - R", "der(T) = K1*(T0 - T) + K2*R - K3*(T - Tc)",
        "0 = R - K5*exp(-K4/T)*C", "0 = C - sin(time)"},
       "K1 K2 K3 K4 K5 C0 T0",
       {1, 0, 1, 2},
       {2, 1, 1, 0},
       3,
       0,
       {1, 1, 1, 1},
       {1, 1, 1, 1}},
      {"introduction of Pantelides",
       "Pantelides 1988",
       "x y",
       {"der(x) + der(y) - sin(time) = 0", "x + y^2 - cos(time) = 0"},
       "",
       {0, 1},
       {1, 1},
       1,
       1,
       {2},
       {2}},
      {"block triangular example",
       "",
       "v1 v2 v3",
       {"v1 + exp(v3) = 1", "v1*v3 = 2", "v1 + v2^3 = 3"},
       "",
       {0, 0, 0},
       {0, 0, 0},
       1,
       0,
       {2, 1},
       {2, 1}},
      {"inverse dynamics of two masses",
       "",
       "z1 z2 F",
       {"m*der(der(z1)) = F - k*(z1 - z2)", "m*der(der(z2)) = k*(z1 - z2)", "z2 = sin(time)"},
       "m k",
       {0, 2, 4},
       {2, 4, 0},
       5,
       0,
       {1, 1, 1},
       {1, 1, 1}}};
}

std::vector<Problem> networks() {
  return {{"capacitors on a voltage source",
           "",
           "v1 v2 i1 i2",
           {"Ca*der(v1) - i1 = 0", "Cb*der(v2) - i2 = 0", "v1 - sin(time) = 0", "v1 - v2 = 0"},
           "Ca Cb",
           {0, 0, 1, 1},
           {1, 1, 0, 0},
           2,
           0,
           {1, 1, 1, 1},
           {1, 1, 1, 1}},
          {"inductors on a current source",
           "",
           "i1 i2 v1 v2",
           {"L1*der(i1) - v1 = 0", "L2*der(i2) - v2 = 0", "i1 - sin(time) = 0", "i1 - i2 = 0"},
           "L1 L2",
           {0, 0, 1, 1},
           {1, 1, 0, 0},
           2,
           0,
           {1, 1, 1, 1},
           {1, 1, 1, 1}},
          {"two inertias on a gear",
           "",
           "p1 p2 w1 w2 tau",
           {"der(p1) = w1", "der(p2) = w2", "J1*der(w1) = sin(time) + tau", "J2*der(w2) = -n*tau",
            "p1 = n*p2"},
           "J1 J2 n",
           {1, 1, 0, 0, 2},
           {2, 2, 1, 1, 0},
           3,
           2,
           {5},
           {5}},
          {"series circuit",
           "",
           "i vc vr vl",
           {"vr = R*i", "L*der(i) = vl", "C*der(vc) = i", "vr + vl + vc = sin(time)"},
           "R L C",
           {0, 0, 0, 0},
           {1, 1, 0, 0},
           1,
           2,
           {4},
           {1, 1, 1, 1}}};
}

}  // namespace

Problem cartesian_chain(int n) {
  Problem problem{.name = fmt::format("chain of {}", n), .source = ""};
  problem.parameters = "g L";
  std::string multipliers;
  for (int k = 1; k <= n; ++k) {
    problem.unknowns += fmt::format("x{0} y{0} ", k);
    multipliers += fmt::format("lambda{} ", k);
    for (const char axis : {'x', 'y'}) {
      const std::string here = fmt::format("{}{}", axis, k);
      const std::string before = k > 1 ? fmt::format("{}{}", axis, k - 1) : "0";
      std::string force = fmt::format("-lambda{}*({} - {})", k, here, before);
      if (k < n) force += fmt::format(" + lambda{0}*({1}{0} - {2})", k + 1, axis, here);
      if (axis == 'y') force += " - g";
      problem.equations.push_back(fmt::format("der(der({})) = {}", here, force));
    }
  }
  problem.unknowns += multipliers;
  for (int k = 1; k <= n; ++k)
    problem.equations.push_back(
        k == 1 ? "x1^2 + y1^2 = L^2"
               : fmt::format("(x{0} - x{1})^2 + (y{0} - y{1})^2 = L^2", k, k - 1));
  problem.c.assign(2 * n, 0);
  problem.c.resize(3 * n, 2);
  problem.d.assign(2 * n, 2);
  problem.d.resize(3 * n, 0);
  problem.structural_index = 3;
  problem.degrees_of_freedom = 2 * n;
  problem.coarse = problem.fine = {static_cast<Index>(3 * n)};
  return problem;
}

Problem driven_pendula(int n) {
  Problem problem{.name = fmt::format("{} driven pendula", n), .source = "Pryce 2001; DAETS"};
  problem.parameters = "G L c";
  for (int k = 1; k <= n; ++k) {
    problem.unknowns += fmt::format("x{0} y{0} lambda{0} ", k);
    problem.equations.push_back(fmt::format("der(der(x{0})) + x{0}*lambda{0} = 0", k));
    problem.equations.push_back(fmt::format("der(der(y{0})) + y{0}*lambda{0} - G = 0", k));
    problem.equations.push_back(fmt::format("x{0}^2 + y{0}^2 - (L + {1})^2 = 0", k,
                                            k == 1 ? "0" : fmt::format("c*lambda{}", k - 1)));
    const Index more = 2 * (n - k);  // the pendulum behind asks for two derivatives of the tension
    problem.c.insert(problem.c.end(), {more, more, more + 2});
    problem.d.insert(problem.d.end(), {more + 2, more + 2, more});
  }
  problem.structural_index = 2 * n + 1;
  problem.degrees_of_freedom = 2 * n;
  problem.coarse.assign(n, 3);
  problem.fine.assign(n, 3);
  return problem;
}

Problem index_one_chain(int n) {
  Problem problem{.name = fmt::format("chain of index 1, n = {}", n),
                  .source = "Reissig, Martinson and Barton 2000"};
  for (int k = 1; k <= n; ++k) problem.unknowns += fmt::format("x{} ", k);
  const int pairs = (n - 1) / 2;
  problem.d.push_back(0);
  for (int i = 1; i <= pairs; ++i) {
    for (const int last : {2 * i - 1, 2 * i})
      problem.equations.push_back(
          fmt::format("der(x{}) + der(x{}) + x{} = sin({}*time)", 2 * i, 2 * i + 1, last, last));
    const auto offset = static_cast<Index>(i - 1);
    problem.c.insert(problem.c.end(), {offset, offset});
    problem.d.insert(problem.d.end(), {offset + 1, offset + 1});
  }
  problem.equations.push_back(fmt::format("x{} = sin(time)", n));
  problem.c.push_back(static_cast<Index>(pairs));
  problem.structural_index = static_cast<Index>(pairs + 1);
  problem.degrees_of_freedom = static_cast<Index>(pairs);
  problem.coarse.assign(n, 1);
  problem.fine.assign(n, 1);
  return problem;
}

std::vector<Problem> validation_problems() {
  std::vector<Problem> problems;
  for (const auto& family : {pendula(), nonholonomic(), small_systems(), networks()})
    problems.insert(problems.end(), family.begin(), family.end());
  for (const Problem& problem :
       {slider_crank(), stabilised_slider_crank(), car_axis(), transistor_amplifier(),
        transistor_amplifier_combined(), chemical_akzo()})
    problems.push_back(problem);
  for (const int n : {1, 2, 4, 12}) problems.push_back(cartesian_chain(n));
  for (const int n : {1, 2, 3, 6}) problems.push_back(driven_pendula(n));
  for (const int n : {3, 5, 9}) problems.push_back(index_one_chain(n));
  return problems;
}

}  // namespace alembert::structure
