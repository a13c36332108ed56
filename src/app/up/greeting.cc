// Tested by tests/kube/up_test.cc.
#include "app/up/greeting.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "base/strings.h"

namespace berth::app {
namespace {

bool is_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  return path && std::ranges::any_of(split(path, ':'), [&program](std::string_view folder) {
           return access(fmt::format("{}/{}", folder, program).c_str(), X_OK) == 0;
         });
}

// How to call this program from where we are.
std::string own_name() {
  if (is_on_path("berth")) return "berth";
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto near = std::filesystem::proximate(program, error);
  return error ? "berth" : near.string();
}

// Whoever has no kubectl yet gets along without it.
std::string commands_to_try(const std::string& placement) {
  const std::string berth = own_name();
  const std::string looks = is_on_path("kubectl")
                                ? "  kubectl get managedclusters\n"
                                  "  kubectl get addonplacementscores -A\n"
                                : fmt::format("  {0} get clusters\n  {0} get scores\n", berth);
  return looks + fmt::format("  {} explain placement {} -n default\n", berth, placement);
}

}  // namespace

std::string greeting(const Greeting& about) {
  const std::size_t count = about.clusters.size();
  const std::string& first = about.clusters.front().name;
  return fmt::format(
      "berth up: a hub and {} at {}, ready after {:.1f} s\n\n"
      "  export KUBECONFIG={}\n{}\n"
      "Contexts: hub, {}. Ctrl-C stops it; \"berth up\" goes on with its data, \"berth down\"\n"
      "deletes everything. The log is {}.\n{}",
      count == 1 ? "1 cluster" : fmt::format("{} clusters", count), about.url,
      std::chrono::duration<double>(about.took).count(), about.kubeconfig,
      commands_to_try(about.placement),
      count == 1 ? first : fmt::format("{} ... {}", first, about.clusters.back().name), about.log,
      about.delays.empty()
          ? ""
          : fmt::format("Simulated: what generators measure is further away, by {}.\n",
                        join(about.delays, ", ")));
}

}  // namespace berth::app
