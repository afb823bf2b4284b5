// SPDX-License-Identifier: Apache-2.0
// Building and differentiating expressions, beside GiNaC on the same expressions in the same run.
// A plain program: prints a table with times, nodes a second, the growth of the time from one size
// to the next (10 is linear), and how many times longer GiNaC takes. Processor time, best of
// several, the two taking turns, because the machine may be shared. Argument "short": without the
// sizes that take minutes.
#include <ginac/ginac.h>
#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::benchmarks {
namespace {

using symbolic::Expr;
using symbolic::ExprId;
using symbolic::ExprPool;

double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// A job on either side: `prepare` is not timed, `run` is; `nodes` tells the size of what was made.
struct Side {
  std::function<void()> prepare;
  std::function<void()> run;
  std::function<void()> clean_up;
};

struct Job {
  std::string name;
  Side ours;
  Side theirs;
  std::function<std::size_t()> nodes;
};

double once(const Side& side) {
  side.prepare();
  const double start = now();
  side.run();
  return now() - start;
}

struct Row {
  double ours = 1e30;
  double theirs = 1e30;
  std::size_t nodes = 0;
};

Row measure(const Job& job, bool with_theirs) {
  Row row;
  double spent = 0;
  // Short jobs are repeated more often: beside other programs most rounds are disturbed.
  for (int round = 0; round < 60 && (round < 2 || spent < 5.0); ++round) {
    const double ours = once(job.ours);
    row.nodes = job.nodes();
    job.ours.clean_up();
    const double theirs = with_theirs ? once(job.theirs) : 0;
    if (with_theirs) job.theirs.clean_up();
    row.ours = std::min(row.ours, ours);
    row.theirs = std::min(row.theirs, theirs);
    spent += ours + theirs;
  }
  return row;
}

/// The same expression by both: written once, for any type with operators.
template <class E>
std::vector<E> pair_terms(const std::vector<E>& x, const E& t) {
  std::vector<E> terms;
  terms.reserve(2 * x.size());
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const E shared = x[i] * t;
    terms.push_back(x[i + 1] * sin(shared));
    terms.push_back(shared * exp(shared) / (x[i] + x[i + 1]));
  }
  return terms;
}

template <class E>
std::vector<E> all_pairs(const std::vector<E>& x) {
  std::vector<E> terms;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) terms.push_back(cos(x[i] - x[j]) * (x[i] * x[j]));
  return terms;
}

template <class E>
E chain(const std::vector<E>& x, std::size_t depth) {
  E value = x[0];
  for (std::size_t i = 0; i < depth; ++i) value = sin(value) + x[i % x.size()];
  return value;
}

/// Both are given all terms at once.
Expr total(const std::vector<Expr>& terms) { return symbolic::sum(terms); }

GiNaC::ex total(const std::vector<GiNaC::ex>& terms) {
  return GiNaC::dynallocate<GiNaC::add>(GiNaC::exvector(terms.begin(), terms.end()));
}

/// Symbols and results of both sides, made anew for every round.
struct Ours {
  std::unique_ptr<ExprPool> pool;
  std::vector<Expr> x;
  Expr t;
  Expr f;
  std::vector<ExprId> results;

  void start(std::size_t n) {
    pool = std::make_unique<ExprPool>();
    x.clear();
    results.clear();
    for (std::size_t i = 0; i < n; ++i)
      x.push_back(symbolic::unknown(*pool, "x" + std::to_string(i)));
    t = symbolic::unknown(*pool, "t");
  }
  std::vector<ExprId> inputs() const {
    std::vector<ExprId> ids;
    for (const Expr& e : x) ids.push_back(e.id());
    return ids;
  }
  std::size_t nodes() const {
    std::vector<ExprId> roots = results;
    roots.push_back(f.id_in(*pool));
    return symbolic::Reach(*pool, roots).size();
  }
  void clear() {
    f = 0;
    t = 0;
    x.clear();
    results.clear();
    pool.reset();
  }
};

struct Theirs {
  std::vector<GiNaC::ex> x;
  GiNaC::symbol t{"t"};
  GiNaC::ex f;
  std::vector<GiNaC::ex> results;

  void start(std::size_t n) {
    clear();
    for (std::size_t i = 0; i < n; ++i) x.push_back(GiNaC::symbol("x" + std::to_string(i)));
  }
  void clear() {
    f = 0;
    x.clear();
    results.clear();
  }
};

Job build_sum(Ours& a, Theirs& b, std::size_t n) {
  return {"build: sum of products",
          {[&a, n] { a.start(n / 9); }, [&a] { a.f = total(pair_terms(a.x, a.t)); },
           [&a] { a.clear(); }},
          {[&b, n] { b.start(n / 9); }, [&b] { b.f = total(pair_terms<GiNaC::ex>(b.x, b.t)); },
           [&b] { b.clear(); }},
          [&a] { return a.nodes(); }};
}

Job differentiate_sum(Ours& a, Theirs& b, std::size_t n) {
  Job job = build_sum(a, b, n / 2);
  job.name = "differentiate: sum of products";
  job.ours.prepare = [&a, n] {
    a.start(n / 18);
    a.f = total(pair_terms(a.x, a.t));
  };
  job.ours.run = [&a] { a.results = {differentiate(*a.pool, a.f.id(), a.t.id())}; };
  job.theirs.prepare = [&b, n] {
    b.start(n / 18);
    b.f = total(pair_terms<GiNaC::ex>(b.x, b.t));
  };
  job.theirs.run = [&b] { b.results = {b.f.diff(b.t)}; };
  return job;
}

Job build_chain(Ours& a, Theirs& b, std::size_t n) {
  Job job = build_sum(a, b, n);
  job.name = "build: nested chain";
  job.ours.prepare = [&a] { a.start(10); };
  job.ours.run = [&a, n] {
    a.f = chain(a.x, n / 2);
    a.f.id();
  };
  job.theirs.prepare = [&b] { b.start(10); };
  job.theirs.run = [&b, n] { b.f = chain(b.x, n / 2); };
  return job;
}

Job differentiate_chain(Ours& a, Theirs& b, std::size_t n) {
  Job job = build_chain(a, b, n / 3);
  job.name = "differentiate: nested chain";
  job.ours.prepare = [&a, n] {
    a.start(10);
    a.f = chain(a.x, n / 6);
    a.f.id();
  };
  job.ours.run = [&a] { a.results = {differentiate(*a.pool, a.f.id(), a.x[3].id())}; };
  job.theirs.prepare = [&b, n] {
    b.start(10);
    b.f = chain(b.x, n / 6);
  };
  job.theirs.run = [&b] { b.results = {b.f.diff(GiNaC::ex_to<GiNaC::symbol>(b.x[3]))}; };
  return job;
}

Job gradient_of_pairs(Ours& a, Theirs& b, std::size_t n) {
  const auto m = static_cast<std::size_t>(std::sqrt(static_cast<double>(n) / 4.5));
  Job job = build_sum(a, b, n);
  job.name = "gradient: sum over all pairs";
  job.ours.prepare = [&a, m] {
    a.start(m);
    a.f = total(all_pairs(a.x));
  };
  job.ours.run = [&a] { a.results = gradient(*a.pool, a.f.id(), a.inputs()); };
  job.theirs.prepare = [&b, m] {
    b.start(m);
    b.f = total(all_pairs(b.x));
  };
  job.theirs.run = [&b] {
    for (const GiNaC::ex& x : b.x) b.results.push_back(b.f.diff(GiNaC::ex_to<GiNaC::symbol>(x)));
  };
  return job;
}

struct Family {
  Job (*make)(Ours&, Theirs&, std::size_t);
  std::size_t
      largest_for_theirs;  ///< GiNaC takes minutes, or its recursion is too deep, above that
};

void print_table(bool short_run) {
  const Family families[] = {{build_sum, 1'000'000},
                             {differentiate_sum, 1'000'000},
                             {build_chain, 1'000'000},
                             {differentiate_chain, 100'000},
                             {gradient_of_pairs, short_run ? 10'000u : 100'000u}};
  std::printf("%-32s %9s %10s %12s %7s %12s %12s\n", "job", "nodes", "ms", "nodes/s", "growth",
              "GiNaC ms", "GiNaC/ours");
  Ours ours;
  Theirs theirs;
  for (const Family& family : families) {
    double before = 0;
    for (const std::size_t n : {10'000u, 100'000u, 1'000'000u}) {
      const Job job = family.make(ours, theirs, n);
      const bool with_theirs = n <= family.largest_for_theirs;
      const Row row = measure(job, with_theirs);
      std::printf("%-32s %9zu %10.2f %12.3g ", job.name.c_str(), row.nodes, 1e3 * row.ours,
                  static_cast<double>(row.nodes) / row.ours);
      before > 0 ? std::printf("%7.1f ", row.ours / before) : std::printf("%7s ", "");
      with_theirs ? std::printf("%12.1f %12.1f\n", 1e3 * row.theirs, row.theirs / row.ours)
                  : std::printf("%12s %12s\n", "not run", "");
      std::fflush(stdout);
      before = row.ours;
    }
  }
}

/// On a stack of its own size: GiNaC goes as deep as the expression.
void* with_large_stack(void* argument) {
  print_table(*static_cast<bool*>(argument));
  return nullptr;
}

}  // namespace
}  // namespace alembert::benchmarks

int main(int argc, char** argv) {
  bool short_run = argc > 1 && std::strcmp(argv[1], "short") == 0;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{4} << 30);
  pthread_t thread;
  alembert::ensure(
      pthread_create(&thread, &attributes, alembert::benchmarks::with_large_stack, &short_run) == 0,
      "a thread with a large stack");
  pthread_join(thread, nullptr);
  return 0;
}
