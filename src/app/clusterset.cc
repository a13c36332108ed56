// berth clusterset bind, unbind: which namespaces may place work on which sets of clusters.

#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/calls.h"
#include "app/command.h"
#include "app/hub_flags.h"
#include "client/errors.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

using json::Value;

const api::Gvr kSets = {"cluster.open-cluster-management.io", "v1beta2", "managedclustersets"};
const api::Gvr kBindings = {"cluster.open-cluster-management.io", "v1beta2",
                            "managedclustersetbindings"};

struct BindFlags {
  HubFlags hub = {};
  std::string set = {};
};

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

// A binding has the name of its set.
Status bind(Calls& hub, const std::string& set, const std::string& ns) {
  RETURN_IF_ERROR(hub.get({.resource = kSets, .name = set}));
  RETURN_IF_ERROR(
      hub.apply({.resource = kBindings, .ns = ns, .name = set},
                Value::object({{"apiVersion", "cluster.open-cluster-management.io/v1beta2"},
                               {"kind", "ManagedClusterSetBinding"},
                               {"metadata", Value::object({{"name", set}, {"namespace", ns}})},
                               {"spec", Value::object({{"clusterSet", set}})}})));
  fmt::print("clusterset {} bound to namespace {}\n", set, ns);
  return {};
}

Status unbind(Calls& hub, const std::string& set, const std::string& ns) {
  const auto removed = hub.remove({.resource = kBindings, .ns = ns, .name = set});
  if (!removed.ok() && !client::is_not_found(removed.error())) return failure(removed.error());
  fmt::print("clusterset {} {} namespace {}\n", set,
             removed.ok() ? "unbound from" : "was not bound to", ns);
  return {};
}

int act(const BindFlags& flags, Status (*what)(Calls&, const std::string&, const std::string&)) {
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags.hub, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  Calls hub(env, *config);
  const Status done = what(hub, flags.set, config->ns);
  return done.ok() ? 0 : fail(hub.text_of(done.error()));
}

void add_one(CLI::App& parent, Action& action, const char* name, const char* help,
             Status (*what)(Calls&, const std::string&, const std::string&)) {
  CLI::App* command = parent.add_subcommand(name, help);
  const auto flags = std::make_shared<BindFlags>();
  command->add_option("SET", flags->set, "The cluster set")->required();
  add_hub_flags(*command, flags->hub);
  command->callback(
      [&action, flags, what] { action = [flags, what] { return act(*flags, what); }; });
}

}  // namespace

void add_clusterset(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("clusterset", "Say which namespaces may place work on which clusters");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  # Placements in the namespace shop may use the clusters of the set default\n"
      "  berth clusterset bind default --namespace shop\n"
      "  # Not any more\n  berth clusterset unbind default --namespace shop");
  add_one(*command, action, "bind", "Bind a set to a namespace", bind);
  add_one(*command, action, "unbind", "Take that back", unbind);
}

}  // namespace berth::app
