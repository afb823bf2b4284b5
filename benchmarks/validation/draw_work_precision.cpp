// SPDX-License-Identifier: Apache-2.0
// Draws time over error. In: lines "problem,route,error,ms" on standard input, with a heading. Out:
// a picture with a panel for each problem and a line for each route.
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "alembert/visual/figure.hpp"
#include "alembert/visual/write_figure.hpp"

namespace {

using namespace alembert::visual;

template <class List>
auto& named(List& list, const std::string& name, std::string List::value_type::*member) {
  for (auto& item : list)
    if (item.*member == name) return item;
  list.emplace_back();
  list.back().*member = name;
  return list.back();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::vector<Panel> panels;
  std::string line;
  std::getline(std::cin, line);
  while (std::getline(std::cin, line)) {
    std::istringstream cells(line);
    std::string problem, route, error, ms;
    std::getline(cells, problem, ',');
    std::getline(cells, route, ',');
    std::getline(cells, error, ',');
    std::getline(cells, ms, ',');
    Line& curve = named(named(panels, problem, &Panel::title).lines, route, &Line::label);
    curve.x.push_back(std::stod(error));
    curve.y.push_back(std::stod(ms));
  }
  Figure figure;
  for (Panel& panel : panels) {
    panel.x_label = "error";
    panel.y_label = "time in ms";
    panel.x_scale = panel.y_scale = Scale::logarithmic;
    figure.panels.push_back(std::move(panel));
  }
  write_figure(figure, argv[1]);
}
