// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Radau IIA with three stages: order 5, stiffly accurate, L-stable. The inverse
// of its matrix A taken to one real number and one pair: T^-1 A^-1 T = [gamma, 0, 0; 0, alpha,
// -beta; 0, beta, alpha]. Hairer and Wanner, Solving ODEs II, Sections IV.5 and IV.8.
#pragma once

#include <array>
#include <cstdint>

namespace alembert::integrate::tableaus {

struct Radau5 {
  static constexpr const char* name = "radau5";
  static constexpr std::uint32_t order = 5;
  static constexpr std::uint32_t error_order = 3;
  static constexpr std::uint32_t dense_order = 3;  // the collocation polynomial
  static constexpr double root6 = 2.449489742783178098197284;

  static constexpr std::array<double, 3> c = {(4 - root6) / 10, (4 + root6) / 10, 1};
  static constexpr double gamma = 3.6378342527444957322;
  static constexpr double alpha = 2.6810828736277521338;
  static constexpr double beta = 3.0504301992474105694;
  static constexpr std::array<std::array<double, 3>, 3> T = {{
      {0.09123239487089294279, -0.14125529502095420843, -0.030029194105147424492},
      {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
      {0.96604818261509293619, 1, 0},
  }};
  static constexpr std::array<std::array<double, 3>, 3> T_inverse = {{
      {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
      {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
      {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497},
  }};
  // The error estimate: (gamma/h M - J)^-1 (f(t, y) + M sum_i (error_i / h) z_i).
  static constexpr std::array<double, 3> error = {-(13 + 7 * root6) / 3, (-13 + 7 * root6) / 3,
                                                  -1.0 / 3};
};

}  // namespace alembert::integrate::tableaus
