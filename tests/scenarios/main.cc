// Runs one transcript: scenarios SUITE FILE.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "suites.h"

namespace {

using berth::sim::ScenarioHandlers;

const std::map<std::string, ScenarioHandlers (*)()> kSuites = {
    {"disk", &berth::scenarios::disk_suite},
    {"network", &berth::scenarios::network_suite},
    {"placement", &berth::scenarios::placement_suite},
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || !kSuites.contains(argv[1])) {
    std::fprintf(stderr, "usage: scenarios SUITE FILE\n");
    return 2;
  }
  const std::string path = argv[2];
  const auto scenario = berth::sim::parse_scenario(read_file(path));
  if (!scenario.ok()) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), scenario.error().message.c_str());
    return 2;
  }
  const auto outcome = berth::sim::run_scenario(*scenario, kSuites.at(argv[1])());
  if (std::getenv("BERTH_REWRITE") != nullptr) {
    std::ofstream(path, std::ios::binary) << outcome.rewritten;
    return 0;
  }
  if (outcome.diff.empty()) return 0;
  std::fprintf(stderr, "%s\n%s", path.c_str(), outcome.diff.c_str());
  return 1;
}
