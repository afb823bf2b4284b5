// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Explicit Runge-Kutta pair 5(4) with free dense output of order 4.
// Ch. Tsitouras, Runge-Kutta pairs of order 5(4) satisfying only the first column simplifying
// assumption, Computers and Mathematics with Applications 62 (2011) 770-775, Table 1 and Section 4
// (its b_i(theta) multiplied out). The tests check every order condition, of the dense output too.
#pragma once

#include <array>
#include <cstdint>

namespace alembert::integrate::tableaus {

struct Tsit5 {
  static constexpr const char* name = "tsit5";
  static constexpr std::uint32_t order = 5;
  static constexpr std::uint32_t error_order = 4;  // of the embedded method
  static constexpr std::uint32_t dense_order = 4;
  static constexpr std::uint32_t n_stages = 7;        // the last is f at the new state
  static constexpr std::uint32_t n_dense_stages = 7;  // with those that only dense output needs
  static constexpr std::uint32_t dense_degree = 4;

  static constexpr std::array<double, 7> c = {0, 0.161, 0.327, 0.9, 0.9800255409045097, 1, 1};
  // The last row holds the weights b of the solution.
  static constexpr std::array<std::array<double, 7>, 7> a = {{
      {},
      {0.161},
      {-0.008480655492356989, 0.335480655492357},
      {2.8971530571054935, -6.359448489975075, 4.3622954328695815},
      {5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525},
      {5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401,
       -0.028269050394068383},
      {0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081,
       2.324710524099774},
  }};
  // Solution minus embedded solution.
  static constexpr std::array<double, 7> error = {
      -0.00178001105222577714, -0.0008164344596567469, 0.007880878010261995, -0.1447110071732629,
      0.5823571654525552,      -0.45808210592918697,   0.015151515151515152};
  static constexpr bool has_second_error = false;

  // y(t + theta h) = y + h sum_i k_i sum_p dense[i][p] theta^(p+1)
  static constexpr std::array<std::array<double, 4>, 7> dense = {{
      {1, -2.763706197274826, 2.9132554618219126, -1.0530884977290216},
      {0, 0.1317, -0.2234, 0.1017},
      {0, 3.9302962368947516, -5.941033872131505, 2.490627285651253},
      {0, -12.411077166933676, 30.33818863028232, -16.548102889244902},
      {0, 37.50931341651104, -88.1789048947664, 47.37952196281928},
      {0, -27.896526289197286, 65.09189467479366, -34.87065786149661},
      {0, 1.5, -4, 2.5},
  }};
};

}  // namespace alembert::integrate::tableaus
