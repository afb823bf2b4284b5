// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/number_text.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile {
namespace {

void append_values(std::string& text, const std::vector<ValueId>& values) {
  text += '(';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) text += ", ";
    text += 'v' + std::to_string(values[i]);
  }
  text += ')';
}

void append(std::string& text, const Tape& tape, const Instruction& i) {
  switch (i.op) {
    case TapeOp::input:
    case TapeOp::parameter: text += ' ' + std::to_string(i.a); return;
    case TapeOp::constant: text += ' ' + number_text(tape.constants[i.a]); return;
    case TapeOp::call:
    case TapeOp::call_many: {
      const Call& call = tape.calls[i.a];
      text += ' ' + tape.functions[call.function].name;
      append_values(text, call.arguments);
      return;
    }
    case TapeOp::solve: {
      const SolveRegion& region = tape.regions[i.a];
      const bool newton = region.kind == SolveRegion::Kind::newton;
      text += newton ? " newton " : " linear ";
      text += std::to_string(region.n_unknowns) + " unknowns, captured ";
      append_values(text, region.captured);
      if (newton) {
        text += ", guesses ";
        append_values(text, region.guesses);
      }
      return;
    }
    case TapeOp::result: text += " v" + std::to_string(i.a) + ' ' + std::to_string(i.b); return;
    default: {
      const std::uint32_t operands[] = {i.a, i.b, i.c};
      for (int k = 0; k < n_value_operands(i.op); ++k) text += " v" + std::to_string(operands[k]);
    }
  }
}

// Where the printing of a tape goes on after the body of a region has been printed.
struct Place {
  const Tape* tape;
  const SolveRegion* region;  // whose body this is; null at the top
  std::size_t next = 0;
};

void append_output(std::string& text, const Place& place, std::size_t k) {
  const std::size_t n = place.region ? place.region->n_unknowns : 0;
  if (place.region == nullptr) {
    text += "output " + std::to_string(k);
  } else if (k < n) {
    text += "residual " + std::to_string(k);
  } else {
    text += "jacobian " + std::to_string(place.region->jacobian_rows[k - n]) + ' ' +
            std::to_string(place.region->jacobian_columns[k - n]);
  }
  text += " = v" + std::to_string(place.tape->outputs[k]) + '\n';
}

}  // namespace

std::string to_text(const Tape& tape) {
  std::string text;
  std::vector<Place> places = {{&tape, nullptr}};
  while (!places.empty()) {
    Place& place = places.back();
    const std::string indent(2 * (places.size() - 1), ' ');
    const SolveRegion* entered = nullptr;
    while (place.next < place.tape->code.size() && entered == nullptr) {
      const Instruction& instruction = place.tape->code[place.next];
      text += indent + 'v' + std::to_string(place.next) + " = ";
      text += name(instruction.op);
      append(text, *place.tape, instruction);
      text += '\n';
      if (instruction.op == TapeOp::solve) entered = &place.tape->regions[instruction.a];
      ++place.next;
    }
    if (entered != nullptr) {
      places.push_back({&entered->body, entered});
      continue;
    }
    for (std::size_t k = 0; k < place.tape->outputs.size(); ++k) {
      text += indent;
      append_output(text, place, k);
    }
    places.pop_back();
  }
  return text;
}

}  // namespace alembert::compile
