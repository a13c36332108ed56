// berth cordon hosting: nothing new goes to a hosting cluster; what is there stays.
// Tested by tests/kube/hosting_command_test.cc.

#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/calls.h"
#include "app/command.h"
#include "app/hub_flags.h"
#include "hosting/hosting_kinds_controller.h"
#include "hosting/hosting_ledger.h"
#include "hosting/names.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

using hosting::HostingResource;

struct CordonFlags {
  HubFlags hub = {};
  std::string cluster = {};
  bool undo = false;
};

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

// Also for a cluster that does not host yet: the ledger waits for it.
Status set_cordoned(Calls& hub, const std::string& cluster, bool cordoned) {
  RETURN_IF_ERROR(hub.get({.resource = resource_of(HostingResource::Clusters), .name = cluster}));
  json::Value ledger = hosting::new_ledger(cluster);
  ledger["spec"]["cordoned"] = cordoned;
  RETURN_IF_ERROR(hub.apply({.resource = resource_of(HostingResource::Ledgers),
                             .ns = cluster,
                             .name = std::string(hosting::kLedgerName)},
                            ledger));
  fmt::print("hosting cluster {} {}\n", cluster, cordoned ? "cordoned" : "uncordoned");
  return {};
}

int cordon(const CordonFlags& flags) {
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags.hub, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  Calls hub(env, *config);
  const Status done = set_cordoned(hub, flags.cluster, !flags.undo);
  return done.ok() ? 0 : fail(hub.text_of(done.error()));
}

}  // namespace

void add_cordon(CLI::App& app, Action& action) {
  CLI::App* parent = app.add_subcommand("cordon", "Let nothing new come to a cluster");
  parent->require_subcommand(1);
  CLI::App* command =
      parent->add_subcommand("hosting", "Assign no more hosted clusters to a hosting cluster");
  command->footer(
      "Examples:\n"
      "  # Before maintenance: what is there stays, nothing new comes\n"
      "  berth cordon hosting oslo\n"
      "  # Again as before\n  berth cordon hosting oslo --undo");
  const auto flags = std::make_shared<CordonFlags>();
  command->add_option("NAME", flags->cluster, "The hosting cluster")->required();
  command->add_flag("--undo", flags->undo, "Take that back");
  add_hub_flags(*command, flags->hub);
  command->callback([&action, flags] { action = [flags] { return cordon(*flags); }; });
}

}  // namespace berth::app
