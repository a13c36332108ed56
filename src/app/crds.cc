// berth crds: the custom resource definitions that a hub needs, for kubectl apply.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"
#include "app/embedded_files.h"

namespace berth::app {
namespace {

constexpr std::string_view kFolder = "deploy/crds/";
constexpr std::string_view kSuffix = ".yaml";

struct Crd {
  std::string_view name;  // "placements"
  std::string_view text;
};

std::vector<Crd> all_crds() {
  std::vector<Crd> crds;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(kFolder) || !file.path.ends_with(kSuffix)) continue;
    const std::size_t length = file.path.size() - kFolder.size() - kSuffix.size();
    crds.push_back({.name = file.path.substr(kFolder.size(), length), .text = file.text});
  }
  return crds;
}

// "placements", or as the server calls it: "placements.cluster.open-cluster-management.io".
bool is_named(const Crd& crd, std::string_view name) {
  return name == crd.name || crd.text.contains(fmt::format("\n  name: {}\n", name));
}

int print_crds(const std::vector<std::string>& names) {
  const std::vector<Crd> all = all_crds();
  std::vector<Crd> chosen = names.empty() ? all : std::vector<Crd>();
  for (const std::string& name : names) {
    const auto found =
        std::ranges::find_if(all, [&name](const Crd& crd) { return is_named(crd, name); });
    if (found == all.end()) {
      std::vector<std::string_view> known;
      for (const Crd& crd : all) known.push_back(crd.name);
      std::fputs(fmt::format("berth: there is no definition \"{}\"; there are {}\n", name,
                             fmt::join(known, ", "))
                     .c_str(),
                 stderr);
      return 1;
    }
    chosen.push_back(*found);
  }
  for (const Crd& crd : chosen) fmt::print("---\n{}", crd.text);
  return 0;
}

}  // namespace

void add_crds(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("crds", "Print the custom resource definitions that a hub needs");
  command->footer(
      "Examples:\n"
      "  # Install or update all of them\n  berth crds | kubectl apply --server-side -f -\n"
      "  # Only some\n  berth crds placements placementdecisions");
  const auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("NAME", *names, "Only these");
  command->callback([&action, names] { action = [names] { return print_crds(*names); }; });
}

}  // namespace berth::app
