// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <unordered_map>

#include "alembert/flat/wording.hpp"
#include "alembert/structure/explain.hpp"

namespace alembert::structure {

namespace {

constexpr std::size_t most_lines = 40;  // of a list for people; scripts get all

const char* kind_text(Block::Kind kind) {
  switch (kind) {
    case Block::Kind::assign: return "assign";
    case Block::Kind::linear: return "linear";
    default: return "nonlinear";
  }
}

std::string times_text(Index n) {
  return n == 1 ? "once" : n == 2 ? "twice" : fmt::format("{} times", n);
}

std::string rest_text(std::size_t n) {
  return n > most_lines ? fmt::format("  ... and {} more (--json has all)\n", n - most_lines) : "";
}

std::string index_text(const Explanation& e) {
  std::string text =
      fmt::format("Structural index {}, {} degree{} of freedom.\n", e.structural_index,
                  e.degrees_of_freedom, e.degrees_of_freedom == 1 ? "" : "s");
  if (!e.regular_as_written)
    text = fmt::format(
        "As written the structure is singular, and has no index; what is made of it below has "
        "index "
        "{} and {} degree{} of freedom.\n",
        e.repaired_index, e.repaired_degrees_of_freedom,
        e.repaired_degrees_of_freedom == 1 ? "" : "s");
  else if (e.repaired_index != e.structural_index ||
           e.repaired_degrees_of_freedom != e.degrees_of_freedom)
    text += fmt::format(
        "That is what the structure says as written; {} (below), and in truth it has index {} and "
        "{} "
        "degree{} of freedom.\n",
        e.repairs.empty() ? "constraints repeat others" : "terms cancel", e.repaired_index,
        e.repaired_degrees_of_freedom, e.repaired_degrees_of_freedom == 1 ? "" : "s");
  if (e.repaired_index <= 1) return text;
  return text +
         "The index is above 1: some equations constrain states, and have to be differentiated "
         "before\nthe derivatives of all states can be computed.\n";
}

/// Components larger than one, by falling size: their order is one of several.
std::vector<std::size_t> component_sizes(const RawCounts& counts) {
  std::vector<std::size_t> sizes;
  for (const RawCounts::RawBlock& block : counts.blocks) sizes.push_back(block.unknowns.size());
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

std::string counts_text(const Explanation& e) {
  const RawCounts& counts = e.counts;
  if (counts.n_blocks == 0) return "";
  std::string text = fmt::format("Matching: {} of {} equations with highest derivatives as written",
                                 counts.n_matched_before, counts.n_equations);
  if (counts.n_added > 0)
    text += fmt::format("; {} of {} after differentiation, which adds {}", counts.n_matched_after,
                        counts.n_equations, flat::counted(counts.n_added, "equation"));
  text += fmt::format(".\n{} strong component{}", counts.n_blocks, counts.n_blocks == 1 ? "" : "s");
  if (counts.blocks.empty())
    return text + (counts.n_blocks == 1 ? ", a single equation.\n" : ", each a single equation.\n");
  const std::vector<std::size_t> sizes = component_sizes(counts);
  if (counts.n_blocks > counts.blocks.size())
    text += fmt::format(", {} of more than one equation", counts.blocks.size());
  text += sizes.size() == 1 ? ", of size" : ", of sizes";
  for (std::size_t i = 0; i < std::min(sizes.size(), most_lines); ++i)
    text += fmt::format("{} {}", i == 0 ? "" : ",", sizes[i]);
  return text + (sizes.size() > most_lines ? ", ...\n" : ".\n");
}

std::string redundant_text(const Explanation& e) {
  if (e.redundant.empty()) return "";
  std::string text = "Left out, because other equations say the same:\n";
  for (std::size_t i = 0; i < std::min(e.redundant.size(), most_lines); ++i)
    text += fmt::format("  {}\n", e.redundant[i]);
  return text + rest_text(e.redundant.size());
}

std::string left_out_text(const Explanation& e) {
  std::string text;
  for (std::size_t i = 0; i < std::min(e.left_out.size(), most_lines); ++i)
    text += fmt::format("Left out: {}\n", e.left_out[i]);
  return text + rest_text(e.left_out.size());
}

std::string repairs_text(const Explanation& e) {
  std::string text;
  for (const auto& repair : e.repairs) {
    const bool combined = repair.method == StructureRepair::Method::combination;
    text += repair.values.empty()
                ? "The structure alone would mislead: terms cancel between\n"
                : fmt::format("The structure alone would mislead: with {}, terms cancel between\n",
                              fmt::join(repair.values, ", "));
    for (const std::string& equation : repair.equations) text += fmt::format("  {}\n", equation);
    text += combined ? fmt::format("  so a combination of them stands for {}\n", repair.replaced)
                     : fmt::format("  so {} {} taken as a whole in them\n",
                                   fmt::join(repair.added, ", "),
                                   repair.added.size() == 1 ? "is" : "are each");
  }
  return text;
}

std::string differentiated_lines(const std::vector<Explanation::Differentiated>& differentiated,
                                 const std::string& indent) {
  std::string text;
  for (std::size_t i = 0; i < std::min(differentiated.size(), most_lines); ++i) {
    const auto& d = differentiated[i];
    const std::string place = to_string(d.origin);
    text += fmt::format("{}{:<14} {}{}\n", indent, times_text(d.times), d.equation,
                        place.empty() ? "" : fmt::format("   ({})", place));
  }
  return text + rest_text(differentiated.size());
}

std::string differentiated_text(const Explanation& e) {
  if (e.differentiated.empty()) return "No equation has to be differentiated.\n";
  return "Differentiated:\n" + differentiated_lines(e.differentiated, "  ");
}

std::string states_text(const Explanation& e) {
  if (e.states.empty()) return "No states: the model has no memory.\n";
  const std::size_t n = std::min(e.states.size(), most_lines);
  std::string text =
      fmt::format("States ({}): {}{}\n", e.states.size(),
                  fmt::join(e.states.begin(), e.states.begin() + static_cast<long>(n), ", "),
                  e.states.size() > n ? ", ..." : "");
  if (!e.dynamic_selection) return text;
  text +=
      "No single choice of states is sure to be good everywhere, so they are re-selected while the"
      " model runs,\n  among others from\n";
  for (const auto& chart : e.charts) text += fmt::format("  {{{}}}\n", fmt::join(chart, ", "));
  return text;
}

/// What changes at events only is counted among the unknowns, and has no place in the matching.
std::string discrete_text(const Explanation& e) {
  if (e.discrete.empty() && e.n_conditions == 0) return "";
  const std::size_t n = std::min(e.discrete.size(), most_lines);
  std::string text;
  if (n > 0)
    text = fmt::format(
        "Discrete variables, which change at events only ({}): {}{}\n", e.discrete.size(),
        fmt::join(e.discrete.begin(), e.discrete.begin() + static_cast<long>(n), ", "),
        e.discrete.size() > n ? ", ..." : "");
  if (e.n_conditions > 0)
    text +=
        fmt::format("Conditions of events, counted above as an equation and an unknown each: {}\n",
                    e.n_conditions);
  return text;
}

std::string shape_text(const Explanation& e) {
  if (e.positions.empty()) return "";
  const auto listed = [](const std::vector<std::string>& names) {
    const std::size_t n = std::min(names.size(), most_lines);
    return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<long>(n), ", "),
                       names.size() > n ? ", ..." : "");
  };
  return fmt::format(
      "Separable: slopes of positions ({}) depend on momenta ({}) alone, and theirs on positions "
      "alone.\n  Symplectic methods fit this shape; auto takes one where there are no events.\n",
      listed(e.positions), listed(e.momenta));
}

std::string blocks_text(const std::vector<Explanation::ExplainedBlock>& blocks,
                        const std::string& indent) {
  std::string text;
  for (std::size_t i = 0; i < std::min(blocks.size(), most_lines); ++i) {
    const auto& block = blocks[i];
    const std::span<const std::string> torn(block.unknowns.data(), block.n_torn);
    text += fmt::format(
        "{}{:<9} {}{}\n", indent, kind_text(block.kind), fmt::join(block.unknowns, ", "),
        block.n_torn == 0                       ? ""
        : block.n_torn == block.unknowns.size() ? "   (solved as a whole)"
                                                : fmt::format("   (torn: {})", flat::listed(torn)));
    for (const std::string& equation : block.equations)
      text += fmt::format("{}          from {}\n", indent, equation);
  }
  return text + rest_text(blocks.size());
}

std::string clocks_text(const Explanation& e) {
  std::string text;
  for (std::size_t i = 0; i < std::min(e.clocks.size(), most_lines); ++i) {
    const auto& clock = e.clocks[i];
    const std::string place = to_string(clock.origin);
    text += fmt::format("Clock {}: ticks {}{}; {} in solve order:\n", i + 1, clock.ticks,
                        place.empty() ? "" : fmt::format(" ({})", place),
                        flat::counted(clock.blocks.size(), "block")) +
            blocks_text(clock.blocks, "  ");
    if (!clock.states.empty())
      text += fmt::format("  States, which go one step of {} from tick to tick: {}\n", clock.method,
                          flat::listed(clock.states));
    if (!clock.differentiated.empty())
      text += "  Differentiated:\n" + differentiated_lines(clock.differentiated, "    ");
  }
  return text + rest_text(e.clocks.size());
}

std::string start_text(const Explanation& e) {
  std::string text;
  for (const Diagnostic& warning : e.start_warnings) {
    text += fmt::format("At the start: {}\n", warning.text);
    for (const Note& note : warning.notes) {
      const std::string place = to_string(note.origin);
      text +=
          fmt::format("  {}{}\n", note.text, place.empty() ? "" : fmt::format("   ({})", place));
    }
  }
  return text;
}

nlohmann::ordered_json blocks_json(const std::vector<Explanation::ExplainedBlock>& blocks) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& block : blocks)
    json.push_back({{"kind", kind_text(block.kind)},
                    {"size", block.unknowns.size()},
                    {"torn", block.n_torn},
                    {"unknowns", block.unknowns},
                    {"equations", block.equations}});
  return json;
}

nlohmann::ordered_json differentiated_json(
    const std::vector<Explanation::Differentiated>& differentiated) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& d : differentiated)
    json.push_back({{"equation", d.equation}, {"times", d.times}, {"origin", to_string(d.origin)}});
  return json;
}

/// Appended without a look at the names before, each of which would be compared: there may be many.
/// Texts that were cut may be equal; all but the first are numbered.
nlohmann::ordered_json offsets_json(const std::vector<Explanation::Offset>& offsets) {
  nlohmann::ordered_json::object_t object;
  std::unordered_map<std::string_view, int> n_met;  // looked up, never iterated
  for (const auto& offset : offsets) {
    const int n = ++n_met[offset.name];
    object.emplace_back(n == 1 ? offset.name : fmt::format("{} ({})", offset.name, n),
                        offset.value);
  }
  return object;
}

}  // namespace

std::string to_text(const Explanation& e) {
  std::string text = fmt::format(
      "{}: {}, {}, {}", e.model, flat::counted(e.n_equations, "equation"),
      flat::counted(e.n_unknowns, "unknown"), flat::counted(e.n_parameters, "parameter"));
  if (e.n_aliases_removed > 0)
    text += fmt::format("; {} alias{} removed", e.n_aliases_removed,
                        e.n_aliases_removed == 1 ? "" : "es");
  text += ".\n" + index_text(e) + counts_text(e) + redundant_text(e) + left_out_text(e) +
          repairs_text(e) + differentiated_text(e) + states_text(e) + discrete_text(e) +
          shape_text(e) + fmt::format("Blocks in solve order ({}):\n", e.blocks.size()) +
          blocks_text(e.blocks, "  ") + clocks_text(e) + start_text(e);
  text += "Time:";
  for (const auto& pass : e.passes)
    text += fmt::format(" {} {:.2f} ms;", pass.name, pass.milliseconds);
  text.back() = '\n';
  return text;
}

std::string to_json(const Explanation& e) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["model"] = e.model;
  json["equations"] = e.n_equations;
  json["unknowns"] = e.n_unknowns;
  json["parameters"] = e.n_parameters;
  json["aliases_removed"] = e.n_aliases_removed;
  json["structural_index"] = e.structural_index;
  json["degrees_of_freedom"] = e.degrees_of_freedom;
  if (!e.repairs.empty() || !e.left_out.empty() || !e.regular_as_written)
    json["repaired"] = {{"structural_index", e.repaired_index},
                        {"degrees_of_freedom", e.repaired_degrees_of_freedom}};
  json["offsets"] = {{"equations", offsets_json(e.equation_offsets)},
                     {"unknowns", offsets_json(e.unknown_offsets)}};
  json["block_sizes"] = {{"coarse", e.coarse_blocks}, {"fine", e.fine_blocks}};
  json["matching"] = {{"as_written", e.counts.n_matched_before},
                      {"added_by_differentiation", e.counts.n_added},
                      {"after_differentiation", e.counts.n_matched_after}};
  json["components"] = {{"count", e.counts.n_blocks},
                        {"larger_than_one", component_sizes(e.counts)}};
  json["redundant"] = e.redundant;
  json["left_out"] = e.left_out;
  json["repairs"] = Json::array();
  for (const auto& repair : e.repairs) {
    const bool combined = repair.method == StructureRepair::Method::combination;
    Json entry{{"method", combined ? "combination" : "substitution"},
               {"equations", repair.equations}};
    if (combined)
      entry["replaced"] = repair.replaced;
    else
      entry["added"] = repair.added;
    if (!repair.values.empty()) entry["values"] = repair.values;
    json["repairs"].push_back(std::move(entry));
  }
  json["differentiated"] = differentiated_json(e.differentiated);
  json["states"] = e.states;
  json["dynamic_selection"] = e.dynamic_selection;
  json["charts"] = e.charts;
  json["separable"] = !e.positions.empty();
  if (!e.positions.empty()) {
    json["positions"] = e.positions;
    json["momenta"] = e.momenta;
  }
  json["blocks"] = blocks_json(e.blocks);
  if (!e.clocks.empty()) json["clocks"] = Json::array();
  for (const auto& clock : e.clocks) {
    json["clocks"].push_back({{"ticks", clock.ticks},
                              {"origin", to_string(clock.origin)},
                              {"variables", clock.variables},
                              {"blocks", blocks_json(clock.blocks)}});
    if (clock.method.empty()) continue;
    json["clocks"].back()["method"] = clock.method;
    json["clocks"].back()["states"] = clock.states;
    json["clocks"].back()["differentiated"] = differentiated_json(clock.differentiated);
  }
  if (!e.start_warnings.empty()) json["start_conflicts"] = Json::array();
  for (const Diagnostic& warning : e.start_warnings) {
    Json conditions = Json::array();
    for (const Note& note : warning.notes)
      conditions.push_back({{"condition", note.text}, {"origin", to_string(note.origin)}});
    json["start_conflicts"].push_back({{"text", warning.text}, {"conditions", conditions}});
  }
  json["passes"] = Json::array();
  for (const auto& pass : e.passes)
    json["passes"].push_back({{"name", pass.name}, {"ms", pass.milliseconds}});
  // Names come from the user's file and may hold bytes that are not UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace alembert::structure
