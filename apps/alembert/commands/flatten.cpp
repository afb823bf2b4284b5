// SPDX-License-Identifier: Apache-2.0
// `alembert flatten`: the flat model as text.
#include <cstdio>
#include <memory>

#include "alembert/flat/to_text.hpp"
#include "alembert/structure/homotopy.hpp"
#include "command.hpp"
#include "model_options.hpp"
#include "report_options.hpp"
#include "terminal.hpp"

namespace alembert::commands {

Command add_flatten(CLI::App& app) {
  auto options = std::make_shared<ModelOptions>();
  auto quiet = std::make_shared<bool>(false);
  CLI::App* parser = app.add_subcommand(
      "flatten",
      "Print a model without its hierarchy: all variables and all equations, as Modelica text.\n\n"
      "  alembert flatten pendulum.mo\n"
      "  alembert flatten Library --model Library.Examples.First\n");
  add_model_options(*parser, *options);
  add_message_options(*parser, *quiet, "no warnings");
  return {parser, [options, quiet] {
            let_models_print_to(stderr);  // standard output has the model
            flat::FlatSystem flat = read_model(*options, *quiet);
            structure::take_homotopy(flat);  // what a run is about
            std::fputs(flat::to_text(flat).c_str(), stdout);
            return 0;
          }};
}

}  // namespace alembert::commands
