// berth crds: the custom resource definitions that a hub needs, and the guards on them, for kubectl
// apply.

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
constexpr std::string_view kGuards = "deploy/guards/";
constexpr std::string_view kSuffix = ".yaml";

struct CrdFlags {
  std::vector<std::string> names = {};
  bool guards = true;
};

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

void print_guards() {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.starts_with(kGuards)) fmt::print("---\n{}", file.text);
  }
}

int print_crds(const CrdFlags& flags) {
  const std::vector<std::string>& names = flags.names;
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
  if (names.empty() && flags.guards) print_guards();
  return 0;
}

}  // namespace

void add_crds(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "crds", "Print the custom resource definitions that a hub needs, and guards");
  command->footer(
      "Examples:\n"
      "  # Install or update all of them\n  berth crds | kubectl apply --server-side -f -\n"
      "  # Only some\n  berth crds placements placementdecisions\n\n"
      "The guards are ValidatingAdmissionPolicies. They say who may let clusters in, move them\n"
      "between sets and bind sets, which OCM's webhooks do on its hubs and Berth's hub by itself.");
  const auto flags = std::make_shared<CrdFlags>();
  command->add_option("NAME", flags->names, "Only these definitions");
  command->add_flag("--guards,!--no-guards", flags->guards, "Print the guards too")
      ->capture_default_str();
  command->callback([&action, flags] { action = [flags] { return print_crds(*flags); }; });
}

}  // namespace berth::app
