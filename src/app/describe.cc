// berth describe: one object of a hub in words, with what others say about it.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "app/calls.h"
#include "app/command.h"
#include "app/hub_flags.h"
#include "runtime/system.h"
#include "views/description.h"

namespace berth::app {
namespace {

using json::Value;
using views::HubView;

struct DescribeFlags {
  HubFlags hub = {};
  std::vector<std::string> names = {};
  std::string labels = {};
};

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

// What cannot be read is not told.
std::vector<Value> all(Calls& hub, const api::Gvr& resource, const std::string& ns = {}) {
  auto objects = hub.list({.resource = resource, .ns = ns});
  return objects.ok() ? *std::move(objects) : std::vector<Value>();
}

api::Gvr in_cluster_group(std::string version, std::string resource) {
  return {"cluster.open-cluster-management.io", std::move(version), std::move(resource)};
}

// As much as the view looks at.
views::Company company_of(Calls& hub, const HubView& view, const std::string& ns, Time now) {
  views::Company company{.now = now};
  if (view.name == "clustersets") {
    company.clusters = all(hub, in_cluster_group("v1", "managedclusters"));
    company.bindings = all(hub, in_cluster_group("v1beta2", "managedclustersetbindings"));
  }
  if (view.name == "clusters" || view.name == "placements") {
    company.decisions = all(hub, in_cluster_group("v1beta1", "placementdecisions"), ns);
  }
  if (view.name == "clusters") {
    company.scores = all(hub, in_cluster_group("v1alpha1", "addonplacementscores"));
  }
  // Events about what is in no namespace are in that of the name default.
  company.events = all(hub, {"", "v1", "events"}, ns.empty() ? "default" : ns);
  return company;
}

Result<std::vector<Value>> read(Calls& hub, const HubView& view, const DescribeFlags& flags,
                                const std::string& ns) {
  const client::ResourcePath collection{.resource = view.resource, .ns = ns};
  if (flags.names.empty()) return hub.list(collection, flags.labels);
  std::vector<Value> objects;
  for (const std::string& name : flags.names) {
    client::ResourcePath path = collection;
    path.name = name;
    ASSIGN_OR_RETURN(Value object, hub.get(path));
    objects.push_back(std::move(object));
  }
  return objects;
}

int describe(const HubView& view, const DescribeFlags& flags) {
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags.hub, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  const std::string ns = view.is_namespaced ? config->ns : "";
  Calls hub(env, *config);
  const auto objects = read(hub, view, flags, ns);
  if (!objects.ok()) return fail(hub.text_of(objects.error()));
  if (objects->empty()) return fail(fmt::format("No {} found", view.name));
  const views::Company company = company_of(hub, view, ns, env.clock.now());
  for (const Value& object : *objects) {
    if (&object != &objects->front()) fmt::print("\n\n");
    fmt::print("{}", views::description_text(view, object, company));
  }
  return 0;
}

void add_view(CLI::App& parent, Action& action, const HubView& view) {
  CLI::App* command =
      parent.add_subcommand(std::string(view.singular), fmt::format("Describe {}", view.name));
  command->alias(std::string(view.name));
  command->alias(view.resource.resource == view.name
                     ? view.resource.resource + "." + view.resource.group
                     : view.resource.resource);
  const auto flags = std::make_shared<DescribeFlags>();
  command->add_option("NAME", flags->names, "Only these");
  command->add_option("-l,--selector", flags->labels, "Only those with these labels");
  add_hub_flags(*command, flags->hub);
  command->callback(
      [&action, flags, &view] { action = [flags, &view] { return describe(view, *flags); }; });
}

}  // namespace

void add_describe(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "describe", "Show one object of a hub in words, with all that concerns it");
  command->require_subcommand(1);
  command->footer(
      "Examples:\n"
      "  # A cluster: room, taints, scores, and the placements that chose it\n"
      "  berth describe cluster cluster1\n"
      "  # A placement: what it wants, what it got, and what happened\n"
      "  berth describe placement web -n shop\n"
      "  # A cluster set: its clusters, and who may use them\n"
      "  berth describe clusterset default");
  for (const HubView& view : views::hub_views()) add_view(*command, action, view);
}

}  // namespace berth::app
