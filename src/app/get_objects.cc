// berth get clusters, placements, scores, hosting and so on: what a hub has, in the columns that
// people look for.

#include <cstdio>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "app/calls.h"
#include "app/command.h"
#include "app/hub_flags.h"
#include "app/lasting_program.h"
#include "client/errors.h"
#include "client/informer_service.h"
#include "json/print.h"
#include "json/yaml_print.h"
#include "runtime/signals.h"
#include "runtime/system.h"
#include "views/hub_view.h"

namespace berth::app {
namespace {

using json::Value;
using views::HubView;

const api::Gvr kBindings = {"cluster.open-cluster-management.io", "v1beta2",
                            "managedclustersetbindings"};

struct GetFlags {
  HubFlags hub = {};
  std::vector<std::string> names = {};
  std::string labels = {};
  std::string output = {};
  bool all_namespaces = false;
  bool watches = false;
};

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

// A hub that does not know the kind says so in other words than one without the object.
std::string text_of(const Error& error, const Calls& hub, const HubView& view) {
  const bool is_kind =
      client::is_not_found(error) && !error.message.contains(view.resource.resource);
  if (!is_kind) return hub.text_of(error);
  return fmt::format(
      "error: this server has no {}: it is no hub, or one without its kinds (berth crds | kubectl "
      "apply --server-side -f -)",
      view.resource.resource);
}

Result<std::vector<Value>> read(Calls& hub, const HubView& view, const GetFlags& flags,
                                const std::string& ns) {
  const client::ResourcePath collection{.resource = view.resource, .ns = ns};
  if (flags.names.empty()) return hub.list(collection, flags.labels);
  std::vector<Value> objects;
  for (const std::string& name : flags.names) {
    client::ResourcePath path = collection;
    path.name = name;
    if (!view.object_name.empty()) {
      path.ns = name;
      path.name = view.object_name;
    }
    ASSIGN_OR_RETURN(Value object, hub.get(path));
    objects.push_back(std::move(object));
  }
  return objects;
}

// Sets do not know who is bound to them.
views::Surroundings surroundings(Calls& hub, const HubView& view, Time now) {
  views::Surroundings around{.now = now};
  if (view.name != "clustersets") return around;
  const auto bindings = hub.list({.resource = kBindings});
  if (!bindings.ok()) return around;  // Whoever may not read them sees the rest.
  for (const Value& binding : *bindings) {
    around.bound[api::text_field(api::field(binding, "spec"), "clusterSet")].push_back(
        api::read_facts(binding).object_namespace);
  }
  return around;
}

void print_documents(const std::vector<Value>& objects, const GetFlags& flags) {
  Value document = Value::object({{"apiVersion", "v1"}, {"kind", "List"}});
  if (flags.names.size() == 1 && objects.size() == 1) {
    document = objects.front();
  } else {
    Value items = Value::array();
    for (const Value& object : objects) items.push_back(object);
    document["items"] = std::move(items);
  }
  if (flags.output == "yaml") {
    fmt::print("{}", json::print_yaml(document));
  } else {
    fmt::print("{}\n", json::print(document, {.indent = json::kKubectlIndent}));
  }
}

void print_objects(const HubView& view, const std::vector<Value>& objects,
                   const views::Surroundings& around, const GetFlags& flags,
                   const std::string& ns) {
  if (flags.output == "json" || flags.output == "yaml") return print_documents(objects, flags);
  if (flags.output == "name") {
    for (const Value& object : objects) {
      fmt::print("{}.{}/{}\n", view.resource.resource, view.resource.group,
                 api::read_facts(object).name);
    }
    return;
  }
  if (objects.empty()) {
    std::fputs(ns.empty() ? "No resources found\n"
                          : fmt::format("No resources found in {} namespace.\n", ns).c_str(),
               stderr);
    return;
  }
  const auto width = flags.output == "wide" ? views::Width::Wide : views::Width::Usual;
  fmt::print("{}", views::view_text(view, objects, around, ns, width));
}

// A line for each change, until a signal comes.
int watch(runtime::Signals& signals, env::Env& env, const client::ClientConfig& config,
          const HubView& view, const GetFlags& flags, const std::string& ns) {
  std::unique_ptr<client::Api> api;
  std::unique_ptr<client::InformerService> informer;
  runtime::run_on(env.loop, [&] {
    api = std::make_unique<client::Api>(env, config, client::ApiOptions{});
    informer = std::make_unique<client::InformerService>(
        env, *api,
        client::InformerSpec{.collection = {.resource = view.resource, .ns = ns},
                             .selection = {.labels = flags.labels}});
    informer->add_handler([&](const client::Delta& delta) {
      if (delta.in_initial_list || !delta.after) return;
      const std::vector<Value> objects = {delta.after->body()};
      const auto width = flags.output == "wide" ? views::Width::Wide : views::Width::Usual;
      const std::string text = views::view_text(view, objects, {.now = env.clock.now()}, ns, width);
      fmt::print("{}", text.substr(text.find('\n') + 1));
      std::fflush(stdout);
    });
    informer->start();
  });
  std::promise<void> ended;
  signals.handle(env.loop, {.drain = [&ended] { ended.set_value(); }, .reload = [] {}});
  ended.get_future().wait();
  runtime::run_on(env.loop, [&] {
    informer.reset();
    api.reset();
  });
  return 0;
}

int get_objects(const HubView& view, const GetFlags& flags) {
  if (flags.watches && !(flags.output.empty() || flags.output == "wide")) {
    return fail("error: --watch goes with -o wide or without -o");
  }
  runtime::Signals signals;
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags.hub, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  // The namespaces of scores are clusters: nobody's default.
  const bool everywhere = !view.is_namespaced || flags.all_namespaces ||
                          (view.name == "scores" && flags.hub.overrides.ns.empty());
  const std::string ns = everywhere ? "" : config->ns;
  Calls hub(env, *config);
  const auto objects = read(hub, view, flags, ns);
  if (!objects.ok()) return fail(text_of(objects.error(), hub, view));
  print_objects(view, *objects, surroundings(hub, view, env.clock.now()), flags, ns);
  std::fflush(stdout);
  return flags.watches ? watch(signals, env, *config, view, flags, ns) : 0;
}

void add_view(CLI::App& get, Action& action, const HubView& view) {
  CLI::App* command = get.add_subcommand(
      std::string(view.name), fmt::format("Show {} ({})", view.name, view.resource.resource));
  command->alias(std::string(view.singular));
  command->alias(view.resource.resource == view.name
                     ? view.resource.resource + "." + view.resource.group
                     : view.resource.resource);
  const auto flags = std::make_shared<GetFlags>();
  command->add_option("NAME", flags->names, "Only these");
  command->add_option("-o,--output", flags->output, "json, yaml, name or wide; a table without it")
      ->check(CLI::IsMember({"json", "yaml", "name", "wide"}));
  command->add_option("-l,--selector", flags->labels, "Only those with these labels");
  if (view.is_namespaced) {
    command->add_flag("-A,--all-namespaces", flags->all_namespaces, "In all namespaces");
  }
  command->add_flag("-w,--watch", flags->watches, "Then a line for each change");
  add_hub_flags(*command, flags->hub);
  command->callback(
      [&action, flags, &view] { action = [flags, &view] { return get_objects(view, *flags); }; });
}

}  // namespace

void add_get_objects(CLI::App& get, Action& action) {
  for (const HubView& view : views::hub_views()) add_view(get, action, view);
}

}  // namespace berth::app
