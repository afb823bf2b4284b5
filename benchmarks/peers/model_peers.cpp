// SPDX-License-Identifier: Apache-2.0
// Problems with reference digits as models in Modelica text (models/validation), beside the same by
// hand in C through SUNDIALS (model_sundials.h), in one run. Prints the time at equal error, ours
// by the best of several methods and formulations; then what our CVODE or IDA costs above theirs at
// equal tolerances, run by turns. Argument: a part of a title, for one problem.
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"
#include "model_sundials.h"
#include "work_precision.hpp"

namespace {

using namespace alembert;
using namespace alembert::peers;
using integrate::Formulation;

/// A run that takes more seconds ends the row of tolerances.
constexpr double longest = 4;

struct Quantity {
  const char* name;   // in the model
  std::size_t place;  // in the peer's unknowns
  double value;
};

struct Route {
  const char* method;
  Formulation formulation = Formulation::automatic;
};

struct Problem {
  const char* title;
  peer_problem peer;
  const char *file, *model;
  double stop;
  double floor;  // errors are divided by the value and this
  Route same;    // as the peer
  bool constrained;
  std::vector<Quantity> quantities;
};

const Problem problems[] = {
    {"E5",
     peer_e5,
     "chemistry.mo",
     "Chemistry.E5",
     1e13,
     1e-23,
     {"cvode"},
     false,
     {{"y[2]", 1, 8.86123352129108e-23}}},
    {"Medical Akzo Nobel",
     peer_medical_akzo,
     "chemistry.mo",
     "Chemistry.MedicalAkzo",
     20,
     1e-3,
     {"cvode"},
     false,
     {{"u[40]", 78, 2.339942223e-4},
      {"u[67]", 132, 3.576835967e-4},
      {"u[75]", 148, 3.595616026e-4},
      {"u[86]", 170, 3.085949841e-4},
      {"u[100]", 198, 1.173741296e-4},
      {"v[100]", 199, 6.190822024e-6},
      {"v[104]", 207, 0.1548747348},
      {"v[108]", 215, 0.9314946677},
      {"v[120]", 239, 0.99999973258553}}},
    {"beam",
     peer_beam,
     "mechanics.mo",
     "Mechanics.Beam",
     5,
     1,
     {"cvode"},
     false,
     {{"theta[1]", 0, -0.5792366591285007e-2},
      {"theta[10]", 9, -0.9119134654647947e-1},
      {"theta[20]", 19, -0.1483595472463012},
      {"theta[40]", 39, -0.1767201761075488},
      {"omega[1]", 40, 0.3747362681329794e-1},
      {"omega[10]", 49, 0.5987609702624270},
      {"omega[20]", 59, 0.9868747821728363},
      {"omega[40]", 79, 0.1186724615113034e1}}},
    {"NAND gate",
     peer_nand_gate,
     "circuits.mo",
     "Circuits.NandGate",
     80,
     1,
     {"ida"},
     false,
     {{"y[1]", 0, 4.9710886994},
      {"y[2]", 1, 4.9997521039},
      {"y[3]", 2, -2.4999987815},
      {"y[5]", 4, 4.9708370233},
      {"y[6]", 5, -0.20912140321},
      {"y[7]", 6, 4.9705932433},
      {"y[8]", 7, -2.5000774092},
      {"y[9]", 8, -2.4999987815},
      {"y[10]", 9, -0.20902895839},
      {"y[11]", 10, -0.00024},
      {"y[12]", 11, -0.20912140321},
      {"y[14]", 13, -2.5000774092}}},
    {"car axis",
     peer_car_axis,
     "mechanics.mo",
     "Mechanics.CarAxis",
     3,
     1,
     {"ida", Formulation::ggl},
     true,
     {{"xl", 0, 0.049345578427524092},
      {"yl", 1, 0.49698946023000811},
      {"xr", 2, 1.0417425248854261},
      {"yr", 3, 0.37391102726536582},
      {"ul", 4, -0.077058368403592084},
      {"vl", 5, 0.0074468665920684165},
      {"ur", 6, 0.017556815753541737},
      {"vr", 7, 0.77034104377960106}}},
    {"flexible slider crank",
     peer_slider_crank,
     "mechanics.mo",
     "Mechanics.FlexibleSliderCrank",
     0.1,
     1e-5,
     {"ida", Formulation::ggl},
     true,
     {{"p[2]", 1, -0.3311734988256},
      {"p[3]", 2, 0.1697373328431},
      {"p[4]", 3, 0.0001893192899701},
      {"p[5]", 4, 2.375751249987e-5},
      {"p[6]", 5, -5.323896770749e-6},
      {"p[7]", 6, -8.363313278808e-6},
      {"v[2]", 8, 60.25346755132},
      {"v[3]", 9, -8.753116326704}}},
    {"Fekete",
     peer_fekete,
     "mechanics.mo",
     "Mechanics.Fekete",
     1000,
     1,
     {"ida", Formulation::ggl},
     true,
     {{"p[1,1]", 0, -0.407026338033},
      {"p[1,2]", 1, 0.346375877282},
      {"p[1,3]", 2, 0.845194245002},
      {"p[2,1]", 3, 0.0775293475246},
      {"p[2,2]", 4, -0.262866271995},
      {"p[2,3]", 5, 0.961712287184},
      {"p[5,1]", 12, -0.434111473877},
      {"p[5,2]", 13, 0.878543044227},
      {"p[5,3]", 14, 0.199272044422},
      {"p[10,1]", 27, 0.984325953844},
      {"p[10,2]", 28, -0.169699535783},
      {"p[10,3]", 29, -0.0480050429054}}},
};

const char* name_of(Formulation formulation) {
  switch (formulation) {
    case Formulation::projection: return "projection, ";
    case Formulation::ggl: return "ggl, ";
    default: return "";
  }
}

double error_of(const Quantity& quantity, double found, double floor) {
  return std::abs(found - quantity.value) / (std::abs(quantity.value) + floor);
}

/// The largest error of the quantities at the end; not a number where the run failed.
using Run = std::function<double(double tolerance)>;

double run_peer(const Problem& problem, double tolerance) {
  double y[most_unknowns];
  if (model_peer(problem.peer, tolerance, y) != 0) return std::nan("");
  double largest = 1e-16;
  for (const Quantity& q : problem.quantities)
    if (const double e = error_of(q, y[q.place], problem.floor); !(e <= largest)) largest = e;
  return largest;
}

double run_ours(const Problem& problem, const compile::CompiledModel& model, const Route& route,
                double tolerance) {
  const auto run = integrate::simulate(model, {.stop = problem.stop,
                                               .tolerance = tolerance,
                                               .intervals = 1,
                                               .method = route.method,
                                               .formulation = route.formulation,
                                               .max_steps = 200000});
  if (run.outcome != integrate::Outcome::done) return std::nan("");
  double largest = 1e-16;
  for (const Quantity& q : problem.quantities) {
    const double e = error_of(q, run.trajectory.column(q.name).back(), problem.floor);
    if (!(e <= largest)) largest = e;
  }
  return largest;
}

std::vector<Sample> sample(const Run& run) {
  std::vector<Sample> samples;
  for (double tolerance = 1e-3; tolerance > 0.9e-11; tolerance /= std::sqrt(10.0)) {
    const double begin = cpu_seconds();
    const double error = run(tolerance);
    if (cpu_seconds() - begin > longest) break;
    if (!std::isfinite(error)) continue;
    samples.push_back({tolerance, error, seconds_of([&] { run(tolerance); })});
    if (error < 1e-7) break;
  }
  return samples;
}

void compare(const Problem& problem) {
  const compile::CompiledModel model(
      modelica::flatten({.files = {std::string(ALEMBERT_VALIDATION_MODELS "/") + problem.file},
                         .model = problem.model})
          .system);
  const Run theirs = [&](double tolerance) { return run_peer(problem, tolerance); };
  const auto ours = [&](const Route& route) -> Run {
    return [&problem, &model, route](double tolerance) {
      return run_ours(problem, model, route, tolerance);
    };
  };
  std::vector<Route> routes = {{"auto"}, {"rodas5p"}, {"radau5"}, problem.same};
  if (problem.constrained)
    for (const Route& route : std::initializer_list<Route>{{"auto", Formulation::projection},
                                                           {"radau5", Formulation::ggl},
                                                           {"cvode", Formulation::projection},
                                                           {"taylor"}})
      routes.push_back(route);
  const auto their_samples = sample(theirs);
  std::vector<std::pair<std::string, std::vector<Sample>>> samples;
  for (const Route& route : routes)
    samples.emplace_back(std::string(name_of(route.formulation)) + route.method,
                         sample(ours(route)));
  for (const double error : {1e-4, 1e-6}) {
    const double their_time = time_at(error, their_samples);
    double best = std::nan("");
    std::string best_name = "none";
    for (const auto& [name, points] : samples) {
      const double time = time_at(error, points);
      std::printf("    %-20s %10.3f ms\n", name.c_str(), 1e3 * time);
      if (!(best <= time) && std::isfinite(time)) {
        best = time;
        best_name = name;
      }
    }
    std::printf("%-22s error %.0e: SUNDIALS %8.3f ms, ours %8.3f ms (%s), ratio %.2f\n",
                problem.title, error, 1e3 * their_time, 1e3 * best, best_name.c_str(),
                best / their_time);
  }
  const auto arrives = [](const Run& run) {
    return [&run](double tolerance) { return std::isfinite(run(tolerance)); };
  };
  const Run same = ours(problem.same);
  std::printf("%-22s the same method (%s%s) over SUNDIALS': %.2f\n", problem.title,
              name_of(problem.same.formulation), problem.same.method,
              overhead_by_turns(arrives(same), arrives(theirs), longest));
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  for (const Problem& problem : problems)
    if (argc < 2 || std::strstr(problem.title, argv[1]) != nullptr) compare(problem);
}
