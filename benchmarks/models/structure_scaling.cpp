// SPDX-License-Identifier: Apache-2.0
// The structural phase on four models of n equations, pass by pass, at 1e4, 1e5 and 1e6. Every pass
// must stay near-linear: growth by ten in n at most 13 times the time. Beside it, as the limit: a
// matching and Tarjan's components on the graph of the same equations, and nothing else; and what
// the memory alone takes: one look at a number of the unknown of each entry of that graph, row by
// row, where none waits for another. Bytes are what the phase adds to the model, at its peak, in a
// first run. Times are of the processor, the best of two runs after it, which find memory that the
// machine has handed out before: on a virtual machine the first touch of a gigabyte takes seconds,
// as much as the passes. A row below those of a model tells how times grow from each size to the
// next. Arguments: a model and a number of equations, for one case; `short` leaves out 1e6.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <random>

#include "alembert/base/error.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/graph/strong_components.hpp"
#include "alembert/structure/passes.hpp"

namespace alembert {
namespace {

using symbolic::ExprId;
using symbolic::Op;

class ModelWriter {
 public:
  explicit ModelWriter(const char* name) : pool_(*flat_.pool) { flat_.name = name; }

  ExprId unknown(std::string name) {
    flat_.unknowns.push_back({.symbol = pool_.unknown(name)});
    return flat_.unknowns.back().symbol;
  }
  ExprId parameter(const char* name, double value) {
    flat_.parameters.push_back({.symbol = pool_.parameter(name), .value = pool_.real(value)});
    return flat_.parameters.back().symbol;
  }
  void equation(ExprId left, ExprId right) { flat_.equations.push_back({left, right}); }
  symbolic::ExprPool& pool() { return pool_; }
  flat::FlatSystem finish() && { return std::move(flat_); }

 private:
  flat::FlatSystem flat_{.name = {}, .pool = std::make_shared<symbolic::ExprPool>()};
  symbolic::ExprPool& pool_;
};

/// T der(x[i]) = x[i-1] - x[i]
flat::FlatSystem lag_chain(std::size_t n) {
  ModelWriter m("lags");
  auto& p = m.pool();
  const ExprId t = m.parameter("T", 0.1);
  ExprId before = p.apply(Op::sin, p.time());
  for (std::size_t i = 0; i < n; ++i) {
    const ExprId x = m.unknown(fmt::format("x[{}]", i + 1));
    m.equation(p.mul(t, p.derivative_symbol(x)), p.sub(before, x));
    before = x;
  }
  return std::move(m).finish();
}

/// A square of nodes with a capacitor each and resistors between: a voltage and two currents a
/// node.
flat::FlatSystem rc_grid(std::size_t n) {
  ModelWriter m("grid");
  auto& p = m.pool();
  const ExprId r = m.parameter("R", 2), c = m.parameter("C", 0.5);
  const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(n) / 3));
  std::vector<ExprId> v(side * side), right(side * side), down(side * side);
  for (std::size_t k = 0; k < side * side; ++k) {
    const std::string at = fmt::format("[{},{}]", k / side + 1, k % side + 1);
    v[k] = m.unknown("v" + at);
    right[k] = m.unknown("right" + at);
    down[k] = m.unknown("down" + at);
  }
  const ExprId source = p.apply(Op::sin, p.time());
  for (std::size_t k = 0; k < side * side; ++k) {
    const std::size_t row = k / side, column = k % side;
    std::vector<ExprId> in{p.neg(right[k]), p.neg(down[k])};
    if (column > 0) in.push_back(right[k - 1]);
    if (row > 0) in.push_back(down[k - side]);
    m.equation(p.mul(c, p.derivative_symbol(v[k])), p.add(in));
    m.equation(p.mul(r, right[k]), p.sub(v[k], column + 1 < side ? v[k + 1] : source));
    m.equation(p.mul(r, down[k]), p.sub(v[k], row + 1 < side ? v[k + side] : source));
  }
  return std::move(m).finish();
}

/// Point masses on rods, each hung on the one before: index 3 in n/3 places.
flat::FlatSystem pendulum_chain(std::size_t n) {
  ModelWriter m("pendulums");
  auto& p = m.pool();
  const std::size_t n_links = n / 3;
  std::vector<ExprId> x, y, force;
  for (std::size_t i = 0; i < n_links; ++i) {
    x.push_back(m.unknown(fmt::format("x[{}]", i + 1)));
    y.push_back(m.unknown(fmt::format("y[{}]", i + 1)));
    force.push_back(m.unknown(fmt::format("f[{}]", i + 1)));
  }
  const auto difference = [&](const std::vector<ExprId>& q, std::size_t i) {
    return i == 0 ? q[0] : p.sub(q[i], q[i - 1]);
  };
  for (std::size_t i = 0; i < n_links; ++i) {
    for (const auto* q : {&x, &y}) {
      const ExprId acceleration = p.derivative_symbol(p.derivative_symbol((*q)[i]));
      std::vector<ExprId> pull{p.neg(p.mul(force[i], difference(*q, i)))};
      if (i + 1 < n_links) pull.push_back(p.mul(force[i + 1], difference(*q, i + 1)));
      if (q == &y) pull.push_back(p.integer(-1));
      m.equation(acceleration, p.add(pull));
    }
    m.equation(p.add(p.pow(difference(x, i), 2), p.pow(difference(y, i), 2)), p.integer(1));
  }
  return std::move(m).finish();
}

/// der(x) = x + y, and y by x and two other y before it, every hundredth after it.
flat::FlatSystem random_index_one(std::size_t n) {
  ModelWriter m("random");
  auto& p = m.pool();
  std::mt19937 random(1);
  std::vector<ExprId> x, y;
  for (std::size_t i = 0; i < n / 2; ++i) {
    x.push_back(m.unknown(fmt::format("x[{}]", i + 1)));
    y.push_back(m.unknown(fmt::format("y[{}]", i + 1)));
  }
  for (std::size_t i = 0; i < n / 2; ++i) {
    m.equation(p.derivative_symbol(x[i]), p.sub(y[random() % y.size()], x[i]));
    std::vector<ExprId> terms{p.apply(Op::sin, x[random() % x.size()])};
    for (int k = 0; k < 2; ++k) {
      const std::size_t other = random() % 100 == 0 ? std::min(i + random() % 20, y.size() - 1)
                                : i > 0             ? random() % i
                                                    : 0;
      terms.push_back(p.mul(p.real(0.125), p.apply(Op::cos, y[other])));
    }
    m.equation(y[i], p.add(terms));
  }
  return std::move(m).finish();
}

struct NamedModel {
  const char* name;
  flat::FlatSystem (*make)(std::size_t n);
};

constexpr NamedModel models[] = {{"lags", lag_chain},
                                 {"grid", rc_grid},
                                 {"pendulums", pendulum_chain},
                                 {"random", random_index_one}};

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// Processor time, which other jobs on the machine change little; all runs on one thread.
double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Seconds of what no structural phase does without.
struct Limit {
  double matching_and_components;
  double looks;  // one a graph entry
};

/// Matching and components of the final equations by the unknowns of the blocks.
Limit limit_of(const structure::StructuralPhase& phase) {
  const structure::Structure& s = phase.plan.structure;
  std::vector<graph::Index> column(s.variables.size(), graph::none);
  graph::Index n_columns = 0;
  for (const auto& block : phase.reduced.blocks)
    for (const auto v : block.unknowns()) column[v] = n_columns++;
  graph::IndexLists rows;
  for (graph::Index e = 0; e < s.equations.size(); ++e) {
    for (const auto v : s.incidence[e])
      if (column[v] != graph::none) rows.items.push_back(column[v]);
    rows.end_list();
  }
  const graph::BipartiteGraph graph(n_columns, std::move(rows));
  const double start = now();
  const graph::Matching matching = graph::maximum_matching(graph);
  const auto components = graph::strong_components(graph, matching);
  ensure(matching.perfect() && components.size() == phase.reduced.blocks.size(),
         "the same graph has the same blocks");
  Limit limit{now() - start, std::numeric_limits<double>::infinity()};
  for (int k = 0; k < 5; ++k) {
    const double before = now();
    graph::Index looked_at = 0;
    for (const graph::Index v : graph.unknowns().items) looked_at += matching.var_to_eq[v];
    [[maybe_unused]] const volatile graph::Index kept = looked_at;  // else nothing would be read
    limit.looks = std::min(limit.looks, now() - before);
  }
  return limit;
}

/// What a case took: seconds of each pass, of all, of the two limits; then bytes an equation,
/// equations.
using Figures = std::vector<double>;

Figures run_once(const NamedModel& model, std::size_t n) {
  const flat::FlatSystem flat = model.make(n);
  const double before = peak_bytes();
  const double start = now();
  const structure::StructuralPhase phase = structure::run_passes(flat);
  const double total = now() - start;
  const double bytes = (peak_bytes() - before) / static_cast<double>(flat.equations.size());
  Figures figures;
  for (const structure::PassTime& time : phase.times) figures.push_back(time.milliseconds / 1000);
  figures.push_back(total);
  const Limit limit = limit_of(phase);
  figures.push_back(limit.matching_and_components);
  figures.push_back(limit.looks);
  figures.push_back(bytes);
  figures.push_back(static_cast<double>(flat.equations.size()));
  return figures;
}

/// Bytes of a first run, which has its peak to itself; of the others the best of each time.
Figures run_case(const NamedModel& model, std::size_t n) {
  constexpr int n_timed_runs = 2;
  const Figures first = run_once(model, n);
  const std::size_t n_times = first.size() - 2;
  Figures figures(n_times, std::numeric_limits<double>::infinity());
  figures.insert(figures.end(), first.end() - 2, first.end());
  for (int k = 0; k < n_timed_runs; ++k) {
    const Figures other = run_once(model, n);
    for (std::size_t i = 0; i < n_times; ++i) figures[i] = std::min(figures[i], other[i]);
  }
  return figures;
}

/// In a process of its own, so that each case has its own peak of memory. Empty: it failed.
Figures run_apart(const NamedModel& model, std::size_t n) {
  Figures figures(structure::structural_passes().size() + 5);
  const std::size_t size = figures.size() * sizeof(double);
  int ends[2];
  ensure(pipe(ends) == 0, "a pipe");
  const pid_t child = fork();
  if (child == 0) {
    const Figures own = run_case(model, n);
    _exit(write(ends[1], own.data(), size) == static_cast<ssize_t>(size) ? 0 : 1);
  }
  close(ends[1]);
  const bool whole = read(ends[0], figures.data(), size) == static_cast<ssize_t>(size);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return whole && status == 0 ? figures : Figures{};
}

void print_row(const NamedModel& model, std::size_t n, const Figures& figures) {
  if (figures.empty()) {
    fmt::print("| {:9} | {:8} | failed\n", model.name, n);
    return;
  }
  std::string line = fmt::format("| {:9} | {:8.0f} |", model.name, figures.back());
  for (std::size_t i = 0; i + 2 < figures.size(); ++i)
    line += fmt::format(" {:8.5f} |", figures[i]);
  fmt::print("{} {:6.0f} |\n", line, figures[figures.size() - 2]);
  std::fflush(stdout);
}

/// How many times the time, for ten times the equations. Of less than a thousandth of a second
/// nothing is told.
void print_growth(const Figures& small, const Figures& large) {
  constexpr double too_short = 0.001;
  if (small.empty() || large.empty()) return;
  std::string line = "|           | growth   |";
  for (std::size_t i = 0; i + 2 < small.size(); ++i)
    line += large[i] < too_short ? "          |" : fmt::format(" {:8.1f} |", large[i] / small[i]);
  fmt::print("{}        |\n", line);
  std::fflush(stdout);
}

void print_head() {
  std::string head = "| model     | n        |";
  std::string rule = "|---|---|";
  for (const structure::Pass& pass : structure::structural_passes()) {
    head += fmt::format(" {} |", pass.name);
    rule += "---|";
  }
  fmt::print("{} all, s | matching + Tarjan | one look an entry | bytes/eq |\n{}---|---|---|---|\n",
             head, rule);
  std::fflush(stdout);
}

}  // namespace
}  // namespace alembert

int main(int n_arguments, char** arguments) {
  using namespace alembert;
  print_head();
  const bool is_short = n_arguments == 2 && std::strcmp(arguments[1], "short") == 0;
  for (const NamedModel& model : models) {
    if (n_arguments == 3 && std::strcmp(arguments[1], model.name) != 0) continue;
    if (n_arguments == 3) {
      const std::size_t n = std::strtoul(arguments[2], nullptr, 10);
      print_row(model, n, run_apart(model, n));
      continue;
    }
    Figures before;
    for (const std::size_t n : {10'000ul, 100'000ul, 1'000'000ul}) {
      if (is_short && n == 1'000'000) continue;
      Figures figures = run_apart(model, n);
      print_row(model, n, figures);
      print_growth(before, figures);
      before = std::move(figures);
    }
  }
}
