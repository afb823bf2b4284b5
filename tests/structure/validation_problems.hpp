// SPDX-License-Identifier: Apache-2.0
// Tests of structure: systems with known structure. Offsets, index, degrees of freedom and block
// sizes as Pryce (BIT 41(2), 2001) and Pryce, Nedialkov and Tan (ACM TOMS 41(2), 2015) define them;
// `source` says where the equations are from, and is empty where they were made for this table.
#pragma once

#include <string>
#include <vector>

#include "alembert/structure/structure.hpp"

namespace alembert::structure {

struct Problem {
  std::string name;
  std::string source;
  std::string unknowns = {};
  std::vector<std::string> equations = {};
  std::string parameters = {};
  std::vector<Index> c = {};
  std::vector<Index> d = {};
  Index structural_index = 0;
  Index degrees_of_freedom = 0;
  std::vector<Index> coarse = {};  // block sizes, descending
  std::vector<Index> fine = {};
};

std::vector<Problem> validation_problems();

/// n point masses on a string of n rods: index 3, 2n degrees of freedom, one block.
Problem cartesian_chain(int n);
/// n pendula, the length of each driven by the tension of the one before: index 2n + 1.
Problem driven_pendula(int n);
/// Reissig, Martinson and Barton (SIAM J. Sci. Comput. 21(6), 2000): index 1 for every odd n, but
/// structural index (n + 1)/2.
Problem index_one_chain(int n);

}  // namespace alembert::structure
