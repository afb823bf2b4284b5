// SPDX-License-Identifier: Apache-2.0
// The structural phase on four models of n equations, pass by pass, at 1e4, 1e5 and 1e6. Every pass
// must stay near-linear: growth by ten in n at most 13 times the time. Beside it, as the limit: a
// matching and Tarjan's components on the graph of the same equations, and nothing else; and what
// the memory alone takes: one look at a number of the unknown of each entry of that graph, row by
// row, where none waits for another. Bytes are what the phase adds to the model, at its peak, in a
// first run. Times are of the processor, medians of five rounds after it, which find memory that
// the machine has handed out before: on a virtual machine the first touch of a gigabyte takes
// seconds, as much as the passes. So then a case keeps what it is given; by default large pieces, which
// only large cases have, go back at once. In a round all sizes of a model take turns. A row below
// those of a model tells how times grow from each size to the next: the median of the ratios of
// each round. Arguments: a model, and a number of equations for one case; or `short`, which leaves
// out 1e6.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <deque>
#include <limits>
#include <random>
#include <span>

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

/// Of a small model, for their names and their number.
const std::vector<structure::PassTime>& passes() {
  static const auto times = structure::run_passes(models[0].make(10)).times;
  return times;
}

/// A case in a process of its own, which has its own peak of memory, and runs when it is asked to.
class Case {
 public:
  Case(const NamedModel& model, std::size_t n) : name(model.name), n(n) {
    int ask[2];
    int answer[2];
    ensure(pipe(ask) == 0 && pipe(answer) == 0, "two pipes");
    child_ = fork();
    if (child_ == 0) {
      for (char wish = 0; read(ask[0], &wish, 1) == 1 && wish == again;) {
        const Figures own = run_once(model, n);
        const auto size = static_cast<ssize_t>(own.size() * sizeof(double));
        if (write(answer[1], own.data(), own.size() * sizeof(double)) != size) _exit(1);
        mallopt(M_MMAP_MAX, 0);
        mallopt(M_TRIM_THRESHOLD, -1);  // never
      }
      _exit(0);
    }
    close(ask[0]);
    close(answer[1]);
    ask_ = ask[1];
    answer_ = answer[0];
  }
  ~Case() {
    [[maybe_unused]] const ssize_t told = write(ask_, &enough, 1);
    close(ask_);
    close(answer_);
    waitpid(child_, nullptr, 0);
  }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  void run() {
    Figures figures(passes().size() + 5);
    const std::size_t size = figures.size() * sizeof(double);
    if (failed) return;
    failed = write(ask_, &again, 1) != 1 ||
             read(answer_, figures.data(), size) != static_cast<ssize_t>(size);
    if (!failed) rounds.push_back(std::move(figures));
  }

  const char* const name;
  const std::size_t n;
  std::vector<Figures> rounds = {};  // the first one tells the memory and warms up
  bool failed = false;

 private:
  static constexpr char again = 'a';
  static constexpr char enough = 'e';
  int ask_ = 0;
  int answer_ = 0;
  pid_t child_ = 0;
};

/// Over the rounds after the first one.
template <class OfRound>
double median(std::size_t n_rounds, OfRound of_round) {
  std::vector<double> values;
  for (std::size_t k = 1; k < n_rounds; ++k) values.push_back(of_round(k));
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print_row(const Case& c) {
  if (c.failed) {
    fmt::print("| {:9} | {:8} | failed\n", c.name, c.n);
    return;
  }
  const Figures& first = c.rounds.front();
  std::string line = fmt::format("| {:9} | {:8.0f} |", c.name, first.back());
  for (std::size_t i = 0; i + 2 < first.size(); ++i)
    line += fmt::format(" {:8.5f} |",
                        median(c.rounds.size(), [&](std::size_t k) { return c.rounds[k][i]; }));
  fmt::print("{} {:6.0f} |\n", line, first[first.size() - 2]);
}

/// How many times the time, for ten times the equations, in one round. Of less than a thousandth of
/// a second nothing is told.
void print_growth(const Case& small, const Case& large) {
  constexpr double too_short = 0.001;
  if (small.failed || large.failed) return;
  std::string line = "|           | growth   |";
  for (std::size_t i = 0; i + 2 < small.rounds.front().size(); ++i) {
    const auto time = [&](std::size_t k) { return large.rounds[k][i]; };
    const auto growth = [&](std::size_t k) { return time(k) / small.rounds[k][i]; };
    line += median(large.rounds.size(), time) < too_short
                ? "          |"
                : fmt::format(" {:8.1f} |", median(large.rounds.size(), growth));
  }
  fmt::print("{}        |\n", line);
}

/// By turns, so that what slows the machine down for a while slows down all sizes.
void run_by_turns(const NamedModel& model, std::span<const std::size_t> sizes) {
  constexpr int n_rounds = 6;
  std::deque<Case> cases;
  for (const std::size_t n : sizes) cases.emplace_back(model, n);
  for (int k = 0; k < n_rounds; ++k)
    for (Case& c : cases) c.run();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    print_row(cases[i]);
    if (i > 0) print_growth(cases[i - 1], cases[i]);
  }
  std::fflush(stdout);
}

void print_head() {
  std::string head = "| model     | n        |";
  std::string rule = "|---|---|";
  for (const structure::PassTime& pass : passes()) {
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
  std::vector<std::size_t> sizes = {10'000, 100'000, 1'000'000};
  const bool is_short = n_arguments == 2 && std::strcmp(arguments[1], "short") == 0;
  if (is_short) sizes.pop_back();
  if (n_arguments == 3) sizes = {std::strtoul(arguments[2], nullptr, 10)};
  for (const NamedModel& model : models)
    if (n_arguments < 2 || is_short || std::strcmp(arguments[1], model.name) == 0)
      run_by_turns(model, sizes);
}
