// berth get clusters, placements, scores, hosting and so on: what a hub has, in the columns that
// people look for.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "app/calls.h"
#include "app/command.h"
#include "app/hub_flags.h"
#include "app/lasting_program.h"
#include "base/strings.h"
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

// Shows each change of what was shown already. Lives on the loop.
class ObjectWatch {
 public:
  ObjectWatch(const env::Env& env, const client::ClientConfig& config, const HubView& view,
              const GetFlags& flags, std::string ns, const std::vector<Value>& shown)
      : env_(env),
        view_(view),
        flags_(flags),
        ns_(std::move(ns)),
        api_(env, config, client::ApiOptions{}),
        objects_(env, api_,
                 {.collection = {.resource = view.resource, .ns = ns_},
                  .selection = {.labels = flags.labels}}),
        bindings_(env, api_, {.collection = {.resource = kBindings}}) {
    for (const Value& object : shown) known_[key_of(object)] = object;
    objects_.add_handler([this](const client::Delta& delta) { on_changed(delta); });
    bindings_.add_handler([this](const client::Delta& delta) { on_binding(delta); });
    if (view.name == "clustersets") bindings_.start();
    objects_.start();
  }

 private:
  static client::ObjectKey key_of(const Value& object) {
    const api::ObjectFacts facts = api::read_facts(object);
    return {facts.object_namespace, facts.name};
  }

  bool is_wanted(const client::ObjectKey& key) const {
    const std::string& name = view_.object_name.empty() ? key.name : key.ns;
    const bool is_one = view_.object_name.empty() || key.name == view_.object_name;
    return flags_.names.empty() ||
           (is_one && std::ranges::find(flags_.names, name) != flags_.names.end());
  }

  // As in kubectl, what is gone is shown a last time.
  void on_changed(const client::Delta& delta) {
    const client::ObjectKey key = delta.object().key();
    if (!is_wanted(key)) return;
    const auto known = known_.find(key);
    const bool was_shown =
        delta.after && known != known_.end() &&
        api::read_facts(known->second).resource_version == delta.after->resource_version();
    if (was_shown) return;
    if (delta.after) {
      known_[key] = delta.after->body();
    } else {
      known_.erase(key);
    }
    show(delta.object().body());
  }

  // Sets do not know who is bound to them.
  void on_binding(const client::Delta& delta) {
    const auto set = known_.find({"", set_of(delta.object().body())});
    if (!delta.in_initial_list && set != known_.end()) show(set->second);
  }

  static std::string set_of(const Value& binding) {
    return api::text_field(api::field(binding, "spec"), "clusterSet");
  }

  // In the columns of everything that is known.
  void show(const Value& object) const {
    views::Surroundings around{.now = env_.clock.now()};
    for (const client::ObjectPtr& binding : bindings_.store().objects()) {
      around.bound[set_of(binding->body())].emplace_back(binding->ns());
    }
    std::vector<Value> objects = {object};
    const auto text = [&] {
      const auto width = flags_.output == "wide" ? views::Width::Wide : views::Width::Usual;
      return views::view_text(view_, objects, around, ns_, width);
    };
    const std::ptrdiff_t lines = std::ranges::count(text(), '\n') - 1;
    for (const auto& [key, known] : known_) objects.insert(objects.end() - 1, known);
    std::vector<std::string_view> last;
    const std::string all = text();
    for (const std::string_view line : split(all, '\n')) last.push_back(line);
    for (auto line = last.end() - 1 - lines; line != last.end() - 1; ++line)
      fmt::print("{}\n", *line);
    std::fflush(stdout);
  }

  const env::Env& env_;
  const HubView& view_;
  const GetFlags& flags_;
  std::string ns_;
  client::Api api_;
  std::map<client::ObjectKey, Value> known_;
  client::InformerService objects_;
  client::InformerService bindings_;
};

// A line for each change, until a signal comes.
int watch(runtime::Signals& signals, env::Env& env,
          std::move_only_function<std::unique_ptr<ObjectWatch>()> begin) {
  std::unique_ptr<ObjectWatch> watch;
  runtime::run_on(env.loop, [&] { watch = begin(); });
  std::promise<void> ended;
  signals.handle(env.loop, {.drain = [&ended] { ended.set_value(); }, .reload = [] {}});
  ended.get_future().wait();
  runtime::run_on(env.loop, [&] { watch.reset(); });
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
  if (!flags.watches) return 0;
  return watch(signals, env, [&] {
    return std::make_unique<ObjectWatch>(env, *config, view, flags, ns, *objects);
  });
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
