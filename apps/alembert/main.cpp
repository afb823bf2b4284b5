// SPDX-License-Identifier: Apache-2.0
// The command line: parses arguments, calls stages.
#include <cstdio>
#include <string_view>

namespace {

constexpr const char* usage =
    "usage: alembert COMMAND [options]\n"
    "\n"
    "  help [COMMAND]   this text\n"
    "  --version        the version\n";

}  // namespace

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "--version") {
    std::puts("alembert " ALEMBERT_VERSION);
    return 0;
  }
  if (command == "help" || command == "--help" || command == "-h") {
    std::fputs(usage, stdout);
    return 0;
  }
  if (!command.empty()) {
    std::fprintf(stderr, "alembert: unknown command '%s'\n", argv[1]);
  }
  std::fputs(usage, stderr);
  return 2;
}
