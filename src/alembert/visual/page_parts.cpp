// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/page_parts.hpp"

#include <string>

namespace alembert::visual {
namespace {

using structure::Explanation;
using Kind = flat::SceneShape::Kind;

constexpr std::size_t most_rows = 20'000;  // of a matrix that a page shows

Json incidence_json(const Explanation::Incidence& incidence) {
  if (incidence.equations.size() > most_rows)
    return {{"equations", Json::array()}, {"unknowns", Json::array()}, {"entries", Json::array()}};
  Json entries = Json::array();
  for (std::size_t e = 0; e < incidence.equations.size(); ++e) {
    Json row = Json::array();
    for (const auto unknown : incidence.entries[static_cast<structure::Index>(e)])
      row.push_back(unknown);
    entries.push_back(std::move(row));
  }
  return {{"equations", incidence.equations},
          {"unknowns", incidence.unknowns},
          {"entries", std::move(entries)}};
}

const char* block_name(structure::Block::Kind kind) {
  switch (kind) {
    case structure::Block::Kind::assign: return "assignment";
    case structure::Block::Kind::linear: return "linear";
    default: return "nonlinear";
  }
}

const char* shape_name(Kind kind) {
  switch (kind) {
    case Kind::rod: return "rod";
    case Kind::box: return "box";
    case Kind::cylinder: return "cylinder";
    case Kind::cone: return "cone";
    case Kind::spring: return "spring";
    case Kind::arrow: return "arrow";
    case Kind::point: return "point";
    case Kind::sphere: return "sphere";
    case Kind::wheel: return "wheel";
    case Kind::trace: return "trace";
    case Kind::text: return "text";
  }
  return "";
}

Json track_json(const Track& track, PageData& data) {
  return data.add(track.values(), PageData::Width::floats);
}

Json place_json(const PlaceTrack& place, PageData& data) {
  Json list = Json::array();
  for (const Track& track : place) list.push_back(track_json(track, data));
  return list;
}

Json shape_json(const MovingShape& shape, PageData& data) {
  Json json = {{"kind", shape_name(shape.kind)}, {"name", shape.name}};
  json["at"] = place_json(shape.at, data);
  json["to"] = place_json(shape.to, data);
  if (shape.has_side) json["side"] = place_json(shape.side, data);
  json["axis"] = place_json(shape.axis, data);
  json["width"] = track_json(shape.width, data);
  json["height"] = track_json(shape.height, data);
  json["turns"] = shape.turns;
  json["seconds"] = shape.seconds;
  Json label = Json::array();
  for (const auto& part : shape.label) {
    if (const auto* text = std::get_if<std::string>(&part))
      label.push_back(*text);
    else
      label.push_back(track_json(std::get<Track>(part), data));
  }
  json["label"] = std::move(label);
  json["colour"] = {shape.colour.red, shape.colour.green, shape.colour.blue};
  return json;
}

}  // namespace

Json structure_json(const Explanation& explanation) {
  Json facts = Json::array();
  const auto fact = [&](const char* name, const std::string& value) {
    facts.push_back(Json::array({name, value}));
  };
  fact("Equations", std::to_string(explanation.n_equations));
  fact("Unknowns", std::to_string(explanation.n_unknowns));
  fact("Parameters", std::to_string(explanation.n_parameters));
  fact("Index", std::to_string(explanation.structural_index));
  fact("Degrees of freedom", std::to_string(explanation.degrees_of_freedom));
  fact("Aliases removed", std::to_string(explanation.n_aliases_removed));
  fact("States", explanation.dynamic_selection ? "chosen again while it runs" : "chosen once");
  Json blocks = Json::array(), differentiated = Json::array();
  const bool fits = explanation.ordered.equations.size() <= most_rows;
  for (const auto& block : explanation.blocks)
    if (fits)
      blocks.push_back({{"kind", block_name(block.kind)},
                        {"unknowns", block.unknowns},
                        {"equations", block.equations},
                        {"torn", block.n_torn}});
  for (const auto& equation : explanation.differentiated)
    differentiated.push_back({{"equation", equation.equation},
                              {"times", equation.times},
                              {"origin", to_string(equation.origin)}});
  Json json = {{"facts", std::move(facts)}};
  json["written"] = incidence_json(explanation.as_written);
  json["ordered"] = incidence_json(explanation.ordered);
  json["blocks"] = std::move(blocks);
  json["differentiated"] = std::move(differentiated);
  json["states"] = explanation.states;
  json["charts"] = explanation.charts;
  return json;
}

Json scene_json(const SceneMotion& motion, PageData& data) {
  Json json = {{"title", motion.title},
               {"planar", motion.planar},
               {"up", motion.up == flat::Scene::Up::y ? "y" : "z"},
               {"start", motion.start},
               {"step", motion.step},
               {"frames", motion.n_frames},
               {"speed", motion.speed},
               {"low", motion.low},
               {"high", motion.high}};
  Json systems = Json::array();
  for (const auto& shapes : motion.systems) {
    Json list = Json::array();
    for (const MovingShape& shape : shapes) list.push_back(shape_json(shape, data));
    systems.push_back(std::move(list));
  }
  json["systems"] = std::move(systems);
  return json;
}

}  // namespace alembert::visual
