// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/c_source.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "alembert/base/characters.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/compile/c_source_solver.hpp"

namespace alembert::compile {
namespace {

constexpr std::uint32_t part_size = 400;  // operations a function

std::string literal(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "HUGE_VAL" : "(-HUGE_VAL)";
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";  // or C would take it for an int
  return std::signbit(value) ? '(' + text + ')' : text;
}

bool is_identifier(std::string_view name) {
  return !name.empty() && starts_name(name[0]) &&
         std::all_of(name.begin(), name.end(), continues_name);
}

std::string as_identifier(std::string name) {
  for (char& c : name)
    if (!is_identifier(std::string("_") + c)) c = '_';
  return name;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t next; (next = text.find(from, at)) != std::string_view::npos;) {
    result.append(text, at, next - at).append(to);
    at = next + from.size();
  }
  return result.append(text, at);
}

bool is_operation(TapeOp op) { return op > TapeOp::constant && op != TapeOp::result; }

// Which function of a cut tape computes a value, and where the value waits for later functions.
struct Parts {
  std::vector<std::uint32_t> part;  // of every value that is computed
  std::vector<std::uint32_t> kept;  // index into the array of kept values, or no_value
  std::uint32_t n_parts = 1;
  std::uint32_t n_kept = 0;

  explicit Parts(const Tape& tape) : part(tape.code.size(), 0), kept(tape.code.size(), no_value) {
    const std::size_t n = tape.code.size();
    std::uint32_t n_operations = 0;
    for (std::size_t id = 0; id < n; ++id) {
      const Instruction& i = tape.code[id];
      if (is_operation(i.op)) part[id] = n_operations++ / part_size;
      if (i.op == TapeOp::result) part[id] = part[i.a];
    }
    n_parts = n_operations == 0 ? 1 : (n_operations - 1) / part_size + 1;
    if (n_parts > 1) keep(tape);
  }

 private:
  void keep(const Tape& tape) {
    const std::size_t n = tape.code.size();
    std::vector<std::uint32_t> last_part(n, 0);
    const auto use = [&](ValueId value, std::size_t user) {
      last_part[value] = std::max(last_part[value], part[user]);
    };
    for (std::size_t id = 0; id < n; ++id) {
      const Instruction& i = tape.code[id];
      const std::uint32_t operands[] = {i.a, i.b, i.c};
      if (i.op == TapeOp::call || i.op == TapeOp::call_many) {
        for (ValueId value : tape.calls[i.a].arguments) use(value, id);
      } else if (i.op == TapeOp::solve) {
        for (ValueId value : tape.regions[i.a].captured) use(value, id);
        for (ValueId value : tape.regions[i.a].guesses) use(value, id);
      } else if (i.op != TapeOp::result) {
        for (int k = 0; k < n_value_operands(i.op); ++k) use(operands[k], id);
      }
    }
    // A place is taken again only by a later function than the last that reads it.
    std::vector<std::vector<std::uint32_t>> freed(n_parts + 1);
    std::vector<std::uint32_t> free;
    std::uint32_t at_part = 0;
    for (std::size_t id = 0; id < n; ++id) {
      const TapeOp op = tape.code[id].op;
      if (!is_operation(op) && op != TapeOp::result) continue;
      for (; at_part < part[id]; ++at_part)
        free.insert(free.end(), freed[at_part].begin(), freed[at_part].end());
      if (last_part[id] <= part[id]) continue;
      if (free.empty()) free.push_back(n_kept++);
      kept[id] = free.back();
      free.pop_back();
      freed[last_part[id]].push_back(kept[id]);
    }
  }
};

class SourceWriter {
 public:
  explicit SourceWriter(std::string_view name) : name_(name) {}

  std::string write(const Tape& tape) {
    scan(tape);
    std::string text =
        "/* Written by Alembert. Compile with -ffp-contract=off to keep every bit. */\n"
        "#include <math.h>\n\n"
        "void NAME(const double *inputs, const double *parameters, double *outputs);\n";
    for (const std::string& declaration : declarations_) text += declaration;
    text += '\n';
    if (has_linear_ || has_newton_) text += c_dense_solver;
    if (has_linear_) text += c_linear_solver;
    if (has_newton_) text += c_newton_solver;
    text = replaced(text, "NAME", name_);
    write_function(tape, name_, "");
    return text + text_;
  }

 private:
  // What makes two user functions the same one.
  using FunctionKey = std::tuple<std::string, const void*, std::uintptr_t>;

  static FunctionKey key(const ForeignFunction& function) {
    return {function.name, function.context.get(),
            function.outputs != nullptr ? reinterpret_cast<std::uintptr_t>(function.outputs)
                                        : reinterpret_cast<std::uintptr_t>(function.function)};
  }

  void scan(const Tape& tape) {
    std::vector<const Tape*> to_scan = {&tape};
    while (!to_scan.empty()) {
      const Tape& next = *to_scan.back();
      to_scan.pop_back();
      for (const ForeignFunction& function : next.functions) name_function(function);
      for (const SolveRegion& region : next.regions) {
        (region.kind == SolveRegion::Kind::linear ? has_linear_ : has_newton_) = true;
        to_scan.push_back(&region.body);
      }
    }
  }

  void name_function(const ForeignFunction& function) {
    const auto [place, is_new] = function_to_c_.try_emplace(key(function));
    if (!is_new) return;
    const std::string base = name_ + '_' + as_identifier(function.name);
    std::string c_name = base;
    for (int k = 2; !taken_.insert(c_name).second; ++k) c_name = base + '_' + std::to_string(k);
    place->second = c_name;
    declarations_.push_back(function.outputs != nullptr
                                ? "void " + c_name + "(const double *arguments, double *values);\n"
                                : "double " + c_name + "(const double *arguments);\n");
  }

  // Regions first: their bodies are functions too. As deep as regions are nested, which is a few
  // levels.
  void write_function(const Tape& tape, const std::string& name, const char* storage) {
    std::vector<std::string> regions;
    for (const SolveRegion& region : tape.regions) {
      regions.push_back(name_ + "_region_" + std::to_string(n_regions_++));
      write_function(region.body, regions.back() + "_body", "static ");
      write_region(region, regions.back());
    }
    const Parts parts(tape);
    Body body(*this, tape, parts, regions);
    const auto [begin, end] = part_bounds(tape, parts);
    if (parts.n_parts == 1) {
      body.write_part(0, begin[0], end[0]);
      write_definition(std::string(storage) + "void " + name + signature(false), body, false);
      return;
    }
    for (std::uint32_t k = 0; k < parts.n_parts; ++k) {
      body.write_part(k, begin[k], end[k]);
      write_definition("static void " + name + "_part_" + std::to_string(k) + signature(true), body,
                       true);
    }
    write_caller(parts, name, storage);
  }

  // Through a table, so that no compiler puts the parts together again.
  void write_caller(const Parts& parts, const std::string& name, const char* storage) {
    const std::string n_parts = std::to_string(parts.n_parts);
    text_ += "static void (*const " + name + "_parts[])" + signature(true) + " = {\n";
    for (std::uint32_t k = 0; k < parts.n_parts; ++k)
      text_ +=
          "  " + name + "_part_" + std::to_string(k) + (k + 1 < parts.n_parts ? ",\n" : "\n};\n\n");
    text_ += std::string(storage) + "void " + name + signature(false) + " {\n";
    text_ += "  double kept[" + std::to_string(std::max(parts.n_kept, 1u)) + "];\n  int k;\n";
    text_ += "  for (k = 0; k < " + n_parts + "; ++k) " + name +
             "_parts[k](inputs, parameters, outputs, kept);\n";
    text_ += "}\n\n";
  }

  static std::string signature(bool is_part) {
    return std::string("(const double *inputs, const double *parameters, double *outputs") +
           (is_part ? ", double *kept)" : ")");
  }

  struct Bounds {
    std::vector<std::size_t> begin, end;  // [n_parts] instructions
  };

  static Bounds part_bounds(const Tape& tape, const Parts& parts) {
    Bounds bounds = {std::vector<std::size_t>(parts.n_parts, tape.code.size()),
                     std::vector<std::size_t>(parts.n_parts, 0)};
    for (std::size_t id = 0; id < tape.code.size(); ++id) {
      const TapeOp op = tape.code[id].op;
      if (!is_operation(op) && op != TapeOp::result) continue;
      bounds.begin[parts.part[id]] = std::min(bounds.begin[parts.part[id]], id);
      bounds.end[parts.part[id]] = std::max(bounds.end[parts.part[id]], id + 1);
    }
    return bounds;
  }

  void write_region(const SolveRegion& region, const std::string& name) {
    const auto write_indices = [&](const char* what, const std::vector<std::uint32_t>& indices) {
      text_ += "static const int " + name + what + "[] = {";
      for (std::size_t k = 0; k < indices.size(); ++k)
        text_ += (k == 0 ? "" : (k % 20 == 0 ? ",\n    " : ", ")) + std::to_string(indices[k]);
      text_ += indices.empty() ? "0};\n" : "};\n";
    };
    write_indices("_rows", region.jacobian_rows);
    write_indices("_columns", region.jacobian_columns);
    text_ += "static const struct " + name_ + "_region " + name + " = {" + name + "_body, " +
             std::to_string(region.n_unknowns) + ", " + std::to_string(region.captured.size()) +
             ", " + std::to_string(region.jacobian_rows.size()) + ", " + name + "_rows, " + name +
             "_columns};\n\n";
  }

  // The statements of one function, and what they use of its arguments.
  class Body {
   public:
    Body(const SourceWriter& source, const Tape& tape, const Parts& parts,
         const std::vector<std::string>& regions)
        : source_(source),
          tape_(tape),
          parts_(parts),
          regions_(regions),
          first_output_(tape.code.size() + 1, 0) {
      for (ValueId value : tape.outputs) ++first_output_[value + 1];
      for (std::size_t id = 0; id < tape.code.size(); ++id)
        first_output_[id + 1] += first_output_[id];
      output_.resize(tape.outputs.size());
      std::vector<std::uint32_t> next(first_output_.begin(), first_output_.end() - 1);
      for (std::uint32_t k = 0; k < tape.outputs.size(); ++k) output_[next[tape.outputs[k]]++] = k;
    }

    void write_part(std::uint32_t part, std::size_t begin, std::size_t end) {
      text.clear();
      uses_inputs = uses_parameters = uses_outputs = uses_kept = false;
      part_ = part;
      for (std::size_t id = begin; id < end; ++id) {
        const TapeOp op = tape_.code[id].op;
        if (is_operation(op)) write_instruction(static_cast<ValueId>(id));
        if (is_operation(op) || op == TapeOp::result) write_results(static_cast<ValueId>(id));
      }
      if (part + 1 < parts_.n_parts) return;
      for (std::size_t id = 0; id < tape_.code.size(); ++id)
        if (tape_.code[id].op <= TapeOp::constant) write_outputs(static_cast<ValueId>(id));
    }

    std::string text;
    bool uses_inputs = false, uses_parameters = false, uses_outputs = false, uses_kept = false;

   private:
    static std::string local(char kind, ValueId id) { return kind + std::to_string(id); }

    std::string operand(ValueId id) {
      const Instruction& i = tape_.code[id];
      const std::string index = '[' + std::to_string(i.op == TapeOp::result ? i.b : i.a) + ']';
      switch (i.op) {
        case TapeOp::input: uses_inputs = true; return "inputs" + index;
        case TapeOp::parameter: uses_parameters = true; return "parameters" + index;
        case TapeOp::constant: return literal(tape_.constants[i.a]);
        default: break;
      }
      if (parts_.part[id] == part_)
        return i.op == TapeOp::result ? local('u', i.a) + index : local('v', id);
      uses_kept = true;
      const std::string kept = "kept[" + std::to_string(parts_.kept[id]) + ']';
      return is_condition(i.op) ? '(' + kept + " != 0.0)" : kept;
    }

    void write_instruction(ValueId id) {
      const Instruction& i = tape_.code[id];
      if (i.op == TapeOp::solve) return write_solve(id, tape_.regions[i.a]);
      if (i.op == TapeOp::call) return write_call(id, tape_.calls[i.a]);
      if (i.op == TapeOp::call_many) return write_call_many(id, tape_.calls[i.a]);
      text += is_condition(i.op) ? "  const int " : "  const double ";
      text += local('v', id) + " = " + expression(i) + ";\n";
    }

    std::string expression(const Instruction& i) {
      const int n = n_value_operands(i.op);
      const std::string a = operand(i.a);
      const std::string b = n > 1 ? operand(i.b) : "";
      const std::string c = n > 2 ? operand(i.c) : "";
      switch (i.op) {
        case TapeOp::add: return a + " + " + b;
        case TapeOp::sub: return a + " - " + b;
        case TapeOp::mul: return a + " * " + b;
        case TapeOp::div: return a + " / " + b;
        case TapeOp::fma: return "fma(" + a + ", " + b + ", " + c + ')';
        case TapeOp::fms: return "fma(" + a + ", " + b + ", -" + c + ')';
        case TapeOp::fnma: return "fma(-" + a + ", " + b + ", " + c + ')';
        case TapeOp::fnms: return "fma(-" + a + ", " + b + ", -" + c + ')';
        case TapeOp::neg: return '-' + a;
        case TapeOp::abs: return "fabs(" + a + ')';
        case TapeOp::min: return a + " < " + b + " ? " + a + " : " + b;
        case TapeOp::max: return a + " > " + b + " ? " + a + " : " + b;
        case TapeOp::sign: return a + " > 0.0 ? 1.0 : (" + a + " < 0.0 ? -1.0 : 0.0)";
        case TapeOp::less: return a + " < " + b;
        case TapeOp::less_equal: return a + " <= " + b;
        case TapeOp::equal: return a + " == " + b;
        case TapeOp::not_equal: return a + " != " + b;
        case TapeOp::logical_and: return a + " && " + b;
        case TapeOp::logical_or: return a + " || " + b;
        case TapeOp::logical_not: return '!' + a;
        case TapeOp::number: return a + " ? 1.0 : 0.0";
        case TapeOp::select: return a + " ? " + b + " : " + c;
        // The rest bears the name of its C function.
        default: return std::string(name(i.op)) + '(' + a + (n > 1 ? ", " + b : "") + ')';
      }
    }

    void write_array(const char* kind, ValueId id, const std::vector<ValueId>& values) {
      text += std::string("  const double ") + kind + std::to_string(id) + "[] = {";
      for (std::size_t k = 0; k < values.size(); ++k)
        text += (k == 0 ? "" : ", ") + operand(values[k]);
      text += values.empty() ? "0.0};\n" : "};\n";
    }

    void write_call(ValueId id, const Call& call) {
      write_array("a", id, call.arguments);
      text += "  const double " + local('v', id) + " = " +
              source_.function_to_c_.at(key(tape_.functions[call.function])) + '(' +
              local('a', id) + ");\n";
    }

    void write_call_many(ValueId id, const Call& call) {
      const ForeignFunction& function = tape_.functions[call.function];
      write_array("a", id, call.arguments);
      text += "  double " + local('u', id) + '[' + std::to_string(function.n_outputs) + "];\n";
      text += "  " + source_.function_to_c_.at(key(function)) + '(' + local('a', id) + ", " +
              local('u', id) + ");\n";
    }

    void write_solve(ValueId id, const SolveRegion& region) {
      const std::size_t n = region.n_unknowns;
      const bool newton = region.kind == SolveRegion::Kind::newton;
      const std::size_t memory =
          n + region.captured.size() + 2 * region.body.outputs.size() + n * n + 3 * n;
      write_array("c", id, region.captured);
      if (newton) write_array("g", id, region.guesses);
      text += "  double " + local('u', id) + '[' + std::to_string(n) + "], " + local('w', id) +
              '[' + std::to_string(memory) + "];\n";
      text += "  " + source_.name_ + (newton ? "_solve_newton(&" : "_solve_linear(&") +
              regions_[tape_.code[id].a] + ", " + local('c', id) + ", " +
              (newton ? local('g', id) + ", " : std::string()) + "parameters, " + local('u', id) +
              ", " + local('w', id) + ");\n";
      uses_parameters = true;
    }

    void write_results(ValueId id) {
      if (parts_.kept[id] != no_value) {
        uses_kept = true;
        text += "  kept[" + std::to_string(parts_.kept[id]) + "] = " + operand(id) + ";\n";
      }
      write_outputs(id);
    }

    void write_outputs(ValueId id) {
      for (std::uint32_t k = first_output_[id]; k < first_output_[id + 1]; ++k) {
        uses_outputs = true;
        text += "  outputs[" + std::to_string(output_[k]) + "] = " + operand(id) + ";\n";
      }
    }

    const SourceWriter& source_;
    const Tape& tape_;
    const Parts& parts_;
    const std::vector<std::string>& regions_;
    std::vector<std::uint32_t> first_output_, output_;  // outputs by the value they show
    std::uint32_t part_ = 0;
  };

  void write_definition(const std::string& head, const Body& body, bool is_part) {
    text_ += head + " {\n" + body.text;
    if (!body.uses_inputs) text_ += "  (void)inputs;\n";
    if (!body.uses_parameters) text_ += "  (void)parameters;\n";
    if (!body.uses_outputs) text_ += "  (void)outputs;\n";
    if (is_part && !body.uses_kept) text_ += "  (void)kept;\n";
    text_ += "}\n\n";
  }

  std::string name_;
  std::string text_;
  std::map<FunctionKey, std::string> function_to_c_;
  std::vector<std::string> declarations_;  // of user functions, in order of appearance
  std::set<std::string> taken_;
  bool has_linear_ = false;
  bool has_newton_ = false;
  int n_regions_ = 0;
};

}  // namespace

std::string to_c_source(const Tape& tape, std::string_view name) {
  ensure(is_identifier(name), "the name of a C function is an identifier");
  // Without dead code and constant operations, about which compilers would warn.
  return SourceWriter(name).write(rebuilt(tape));
}

}  // namespace alembert::compile
