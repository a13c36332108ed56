// berth version

#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"

namespace berth::app {
namespace {

constexpr const char* kCompiler = "clang " __clang_version__;

int print_version(const std::string& output) {
  if (output == "json") {
    std::puts(fmt::format(R"({{"version":"{}","flavour":"{}","compiler":"{}"}})", BERTH_VERSION,
                          BERTH_FLAVOUR, kCompiler)
                  .c_str());
  } else {
    std::puts("berth " BERTH_VERSION);
  }
  return 0;
}

}  // namespace

void add_version(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("version", "Print the version");
  const auto output = std::make_shared<std::string>("text");
  command->add_option("-o,--output", *output, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->callback([&action, output] { action = [output] { return print_version(*output); }; });
}

}  // namespace berth::app
