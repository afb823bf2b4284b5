// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/external/c_function.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <stdexcept>

extern char** environ;

namespace alembert::modelica {

namespace {

namespace fs = std::filesystem;

using Caller = int (*)(const double* numbers, const char* const* texts, void* const* objects,
                       double* numbers_out, const char** texts_out, void** object_out);

/// As in the text below.
struct SharedState {
  void* exit = nullptr;
  void* texts = nullptr;
  char message[2048] = "";
};

SharedState& shared_state() {
  static SharedState state;
  return state;
}

constexpr const char* utilities_header = R"(#ifndef MODELICA_UTILITIES_H
#define MODELICA_UTILITIES_H
#include <stdarg.h>
#include <stddef.h>
void ModelicaMessage(const char* text);
void ModelicaFormatMessage(const char* format, ...);
void ModelicaVFormatMessage(const char* format, va_list arguments);
void ModelicaWarning(const char* text);
void ModelicaFormatWarning(const char* format, ...);
void ModelicaVFormatWarning(const char* format, va_list arguments);
__attribute__((noreturn)) void ModelicaError(const char* text);
__attribute__((noreturn)) void ModelicaFormatError(const char* format, ...);
__attribute__((noreturn)) void ModelicaVFormatError(const char* format, va_list arguments);
char* ModelicaAllocateString(size_t length);
char* ModelicaAllocateStringWithErrorReturn(size_t length);
char* ModelicaDuplicateString(const char* text);
char* ModelicaDuplicateStringWithErrorReturn(const char* text);
#endif
)";

// An error leaves the function by longjmp. Texts live until the next call. All that is loaded
// shares one state: a library that two functions use finds the utilities of one of them.
constexpr const char* utilities_source = R"(#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ModelicaUtilities.h"
struct alembert_text { struct alembert_text* next; };
struct alembert_state { jmp_buf* exit; struct alembert_text* texts; char message[2048]; };
struct alembert_state* alembert_shared;
void ModelicaVFormatMessage(const char* format, va_list arguments) { vfprintf(stderr, format, arguments); }
void ModelicaFormatMessage(const char* format, ...) { va_list a; va_start(a, format); ModelicaVFormatMessage(format, a); va_end(a); }
void ModelicaMessage(const char* text) { ModelicaFormatMessage("%s", text); }
void ModelicaVFormatWarning(const char* format, va_list arguments) { fputs("warning: ", stderr); vfprintf(stderr, format, arguments); fputc('\n', stderr); }
void ModelicaFormatWarning(const char* format, ...) { va_list a; va_start(a, format); ModelicaVFormatWarning(format, a); va_end(a); }
void ModelicaWarning(const char* text) { ModelicaFormatWarning("%s", text); }
void ModelicaVFormatError(const char* format, va_list arguments) { vsnprintf(alembert_shared->message, sizeof alembert_shared->message, format, arguments); longjmp(*alembert_shared->exit, 1); }
void ModelicaFormatError(const char* format, ...) { va_list a; va_start(a, format); ModelicaVFormatError(format, a); }
void ModelicaError(const char* text) { ModelicaFormatError("%s", text); }
int alembert_int(double number) {
  if (!(number >= -2147483648.0 && number <= 2147483647.0)) ModelicaFormatError("the Integer %.0f does not fit into an int of C", number);
  return (int)number;
}
char* ModelicaAllocateStringWithErrorReturn(size_t length) {
  struct alembert_text* text = malloc(sizeof *text + length + 1);
  if (!text) return NULL;
  text->next = alembert_shared->texts;
  alembert_shared->texts = text;
  char* characters = (char*)(text + 1);
  memset(characters, 0, length + 1);
  return characters;
}
char* ModelicaAllocateString(size_t length) {
  char* text = ModelicaAllocateStringWithErrorReturn(length);
  if (!text) ModelicaError("there is no memory for a text");
  return text;
}
char* ModelicaDuplicateString(const char* text) { return strcpy(ModelicaAllocateString(strlen(text)), text); }
char* ModelicaDuplicateStringWithErrorReturn(const char* text) {
  char* copy = ModelicaAllocateStringWithErrorReturn(strlen(text));
  return copy ? strcpy(copy, text) : NULL;
}
)";

bool is_number(ValueKind kind) {
  return kind == ValueKind::real || kind == ValueKind::integer || kind == ValueKind::boolean ||
         kind == ValueKind::enumeration;
}

std::string element_type(const CPart& part) {
  if (part.is_size) return "size_t";
  switch (part.kind) {
    case ValueKind::real: return "double";
    case ValueKind::string: return "const char*";
    case ValueKind::external_object: return "void*";
    default: return "int";
  }
}

std::string parameter_type(const CPart& part) {
  const std::string element = element_type(part);
  if (part.is_output) return element + "*";
  if (!part.is_array) return element;
  return part.kind == ValueKind::string ? element + "*" : "const " + element + "*";
}

/// Writes the function that takes flat lists and calls the function of the model.
class CallerText {
 public:
  explicit CallerText(const CSignature& signature) : signature_(signature) {
    std::string target = "  ";
    if (signature.result) target += start_of_result(*signature.result);
    std::string call = signature.symbol + "(";
    for (std::size_t k = 0; k < signature.arguments.size(); ++k)
      call +=
          (k == 0 ? "" : ", ") + argument(signature.arguments[k], "alembert_a" + std::to_string(k));
    call_ = target + call + ");\n";
  }

  std::size_t n_numbers_out() const { return n_numbers_out_; }
  std::size_t n_texts_out() const { return n_texts_out_; }

  std::string text(bool with_prototype) const {
    std::string result;
    if (with_prototype) {
      result += "extern " + (signature_.result ? element_type(*signature_.result) : "void") + " " +
                signature_.symbol + "(";
      for (std::size_t k = 0; k < signature_.arguments.size(); ++k)
        result += (k == 0 ? "" : ", ") + parameter_type(signature_.arguments[k]);
      result += signature_.arguments.empty() ? "void);\n" : ");\n";
    }
    result +=
        "int alembert_call(const double* alembert_numbers, const char* const* alembert_texts,\n"
        "                  void* const* alembert_objects, double* alembert_numbers_out,\n"
        "                  const char** alembert_texts_out, void** alembert_object_out) {\n"
        "  while (alembert_shared->texts) {\n"
        "    struct alembert_text* alembert_next = alembert_shared->texts->next;\n"
        "    free(alembert_shared->texts);\n"
        "    alembert_shared->texts = alembert_next;\n"
        "  }\n"
        "  jmp_buf alembert_exit;\n"
        "  alembert_shared->exit = &alembert_exit;\n"
        "  if (setjmp(alembert_exit)) return 1;\n";
    return result + before_ + call_ + after_ + "  return 0;\n}\n";
  }

 private:
  std::string start_of_result(const CPart& result) {
    if (is_number(result.kind))
      return "alembert_numbers_out[" + std::to_string(n_numbers_out_++) + "] = ";
    if (result.kind == ValueKind::string)
      return "alembert_texts_out[" + std::to_string(n_texts_out_++) + "] = ";
    return "*alembert_object_out = ";
  }

  std::string argument(const CPart& part, const std::string& name) {
    if (part.kind == ValueKind::external_object)
      return "alembert_objects[" + std::to_string(n_objects_++) + "]";
    std::size_t& position = part.kind == ValueKind::string
                                ? (part.is_output ? n_texts_out_ : n_texts_)
                                : (part.is_output ? n_numbers_out_ : n_numbers_);
    const std::string list =
        std::string(part.kind == ValueKind::string ? "alembert_texts" : "alembert_numbers") +
        (part.is_output ? "_out" : "");
    const std::string at = std::to_string(position);
    position += part.count;
    const bool by_address = part.is_array || part.is_output;
    if (part.kind == ValueKind::string && part.is_array && !part.is_output)
      return "(const char**)(" + list + " + " + at + ")";
    if (part.kind == ValueKind::string || part.kind == ValueKind::real)
      return by_address ? list + " + " + at : list + "[" + at + "]";
    const std::string to_c = part.is_size ? "(size_t)" : "alembert_int";
    if (!by_address) return to_c + "(" + list + "[" + at + "])";
    // Integers are kept as doubles here.
    const std::string count = std::to_string(part.count);
    before_ += "  static int " + name + "[" + std::to_string(std::max<std::size_t>(part.count, 1)) +
               "];\n";
    const std::string each =
        "  for (size_t alembert_i = 0; alembert_i < " + count + "; ++alembert_i) ";
    if (part.is_output)
      after_ += each + list + "[" + at + " + alembert_i] = " + name + "[alembert_i];\n";
    before_ += each + name + "[alembert_i] = " +
               (part.is_output ? "0" : "alembert_int(" + list + "[" + at + " + alembert_i])") +
               ";\n";
    return name;
  }

  const CSignature& signature_;
  std::string before_, call_, after_;
  std::size_t n_numbers_ = 0, n_texts_ = 0, n_objects_ = 0, n_numbers_out_ = 0, n_texts_out_ = 0;
};

/// A folder that goes away.
struct TemporaryFolder {
  fs::path path;
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "alembert-c-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no folder can be made for temporary files");
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
};

std::string compiler() {
  const char* chosen = std::getenv("CC");
  return chosen != nullptr && *chosen != '\0' ? chosen : "cc";
}

/// The exit code; what it says is in `log`. Without a shell.
int run_program(std::vector<std::string> words, const fs::path& log) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::pid_t child = 0;
  const int failure =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failure != 0 || ::waitpid(child, &status, 0) < 0 ||
      (WIFEXITED(status) && WEXITSTATUS(status) == 127))
    throw std::runtime_error("no C compiler '" + words[0] +
                             "' was found; install gcc, or name one in CC");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// What is wrong, without the temporary names: what nothing defines, or the first errors.
std::string mistakes_in(const fs::path& log, const fs::path& folder) {
  std::ifstream file(log);
  std::string result, line, fallback;
  for (std::size_t n_lines = 0; n_lines < 3 && std::getline(file, line);) {
    const std::string prefix = folder.string() + "/";
    for (std::size_t at = line.find(prefix); at != std::string::npos; at = line.find(prefix))
      line.erase(at, prefix.size());
    constexpr std::string_view undefined = "undefined reference to `";
    if (const std::size_t at = line.find(undefined); at != std::string::npos) {
      const std::string rest = line.substr(at + undefined.size());
      return "nothing defines '" + rest.substr(0, rest.find('\'')) +
             "' in C. Give its text in the annotation Include, or name its library by Library";
    }
    if (fallback.empty()) fallback = line;
    const bool tells =
        line.find("error:") != std::string::npos || line.find("cannot find") != std::string::npos;
    if (!tells || line.rfind("collect2", 0) == 0) continue;
    result += (result.empty() ? "" : "; ") + line;
    ++n_lines;
  }
  return "its C code does not compile: " + (result.empty() ? fallback : result);
}

std::optional<fs::path> source_of_library(const CSources& sources, const std::string& library) {
  for (const fs::path& folder : sources.library_folders)
    for (const char* extension : {".so", ".a"})
      if (fs::exists(folder / ("lib" + library + extension))) return std::nullopt;
  for (const fs::path& folder : sources.source_folders)
    if (fs::exists(folder / (library + ".c"))) return folder / (library + ".c");
  return std::nullopt;
}

std::vector<std::string> command(const CSources& sources, const fs::path& folder) {
  std::vector<std::string> words = {compiler(),    "-std=gnu11",     "-O2",
                                    "-fPIC",       "-shared",        "-w",
                                    "-Wl,-z,defs", "-Wl,-Bsymbolic", "-I" + folder.string()};
  for (const fs::path& path : sources.include_folders) words.push_back("-I" + path.string());
  words.push_back((folder / "external.c").string());
  std::vector<std::string> linked;
  for (const std::string& library : sources.libraries) {
    if (const auto source = source_of_library(sources, library))
      words.push_back(source->string());
    else
      linked.push_back("-l" + library);
  }
  for (const fs::path& path : sources.library_folders) {
    words.push_back("-L" + path.string());
    words.push_back("-Wl,-rpath," + path.string());
  }
  words.insert(words.end(), linked.begin(), linked.end());
  words.insert(words.end(), {"-lm", "-o", (folder / "external.so").string()});
  return words;
}

}  // namespace

std::shared_ptr<const CFunction> CFunction::make(const CSignature& signature,
                                                 const CSources& sources) {
  const CallerText caller(signature);
  std::string text = utilities_source;
  if (!sources.include.empty())
    text += "#line 1 \"Include of " + signature.function + "\"\n" + sources.include +
            "\n#line 1 \"" + "call of " + signature.function + "\"\n";
  text += caller.text(sources.include.empty());

  static std::mutex one_at_a_time;
  // Never unloaded: C code keeps things, and objects point into it.
  static auto& made = *new std::map<std::vector<std::string>, std::shared_ptr<const CFunction>>;
  const std::lock_guard lock(one_at_a_time);
  std::vector<std::string> key = command(sources, "");
  key.push_back(text);
  if (const auto known = made.find(key); known != made.end()) return known->second;

  const TemporaryFolder folder;
  std::ofstream(folder.path / "ModelicaUtilities.h") << utilities_header;
  std::ofstream(folder.path / "external.c") << text;
  const fs::path log = folder.path / "log";
  if (run_program(command(sources, folder.path), log) != 0)
    throw std::runtime_error(mistakes_in(log, folder.path));
  const std::shared_ptr<CFunction> function(new CFunction);
  function->loaded_ = ::dlopen((folder.path / "external.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  void* shared = nullptr;
  if (function->loaded_ != nullptr) {
    function->address_ = ::dlsym(function->loaded_, "alembert_call");
    shared = ::dlsym(function->loaded_, "alembert_shared");
  }
  if (function->address_ == nullptr || shared == nullptr)
    throw std::runtime_error(std::string("its C code cannot be loaded: ") + ::dlerror());
  function->n_numbers_out_ = caller.n_numbers_out();
  function->n_texts_out_ = caller.n_texts_out();
  *static_cast<SharedState**>(shared) = &shared_state();
  made[key] = function;
  return function;
}

CFunction::~CFunction() {
  if (loaded_ != nullptr) ::dlclose(loaded_);
}

std::optional<std::string> CFunction::call(CCall& call) const {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  std::vector<const char*> texts;
  for (const std::string& text : call.texts) texts.push_back(text.c_str());
  std::vector<const char*> texts_out(n_texts_out_, nullptr);
  call.numbers_out.assign(n_numbers_out_, 0.0);
  const auto caller = reinterpret_cast<Caller>(address_);
  if (caller(call.numbers.data(), texts.data(), call.objects.data(), call.numbers_out.data(),
             texts_out.data(), &call.object_out) != 0)
    return shared_state().message;
  call.texts_out.clear();
  for (const char* text : texts_out) call.texts_out.emplace_back(text == nullptr ? "" : text);
  return std::nullopt;
}

}  // namespace alembert::modelica
