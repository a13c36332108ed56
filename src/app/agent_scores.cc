// The part of `berth agent` that publishes the room in its cluster.
// Tested by tests/kube/scores_test.cc.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/agent_part.h"
#include "app/hub_flags.h"
#include "scores/usage/usage_agent_service.h"

namespace berth::app {
namespace {

struct ScoreFlags {
  std::string object = "resource-usage-score";
  std::vector<std::string> sets = {"seed"};
  std::vector<std::string> resources = {};
  std::vector<std::string> shapes = {};
  std::vector<std::string> allowed_taints = {};
  std::string node_selector = {};
  std::string refresh = "60s";
  std::string validity = {};
  std::string change_interval = "10s";
  std::string creation = "always";
  std::string add_on = "resource-usage-collect";
  std::string add_on_namespace = "open-cluster-management-agent-addon";
};

class ScoresPart final : public AgentPart {
 public:
  ScoresPart(const AgentWorld& world, scores::UsageAgentOptions options)
      : agent_(world.env, world.cluster, world.hub, std::move(options)) {}

  Status readiness() const override { return agent_.readiness(); }

 private:
  scores::UsageAgent agent_;
};

// Whoever reads it has typed the flag.
template <typename Value>
Result<Value> of_flag(const char* flag, Result<Value> result) {
  if (result.ok()) return result;
  return failure(std::move(result).error().in_context(flag));
}

Result<scores::UsageOptions> usage_options(const ScoreFlags& flags) {
  scores::UsageOptions options{.sets = {}};
  for (const std::string& name : flags.sets) {
    ASSIGN_OR_RETURN(const auto set, of_flag("--score-sets", scores::parse_score_set(name)));
    options.sets.insert(set);
  }
  for (const std::string& text : flags.resources) {
    ASSIGN_OR_RETURN(auto resource, of_flag("--resource", scores::parse_resource(text)));
    std::erase_if(options.resources,
                  [&resource](const auto& known) { return known.name == resource.name; });
    options.resources.push_back(std::move(resource));
  }
  for (const std::string& text : flags.shapes) {
    ASSIGN_OR_RETURN(auto shape, of_flag("--shape", scores::parse_shape(text)));
    options.shapes.push_back(std::move(shape));
  }
  for (const std::string& text : flags.allowed_taints) {
    ASSIGN_OR_RETURN(auto toleration, of_flag("--allow-taint", scores::parse_allowed_taint(text)));
    options.allowed_taints.push_back(std::move(toleration));
  }
  ASSIGN_OR_RETURN(options.nodes,
                   of_flag("--node-selector", api::LabelSelector::parse(flags.node_selector)));
  RETURN_IF_ERROR(scores::check_usage_options(options));
  return options;
}

Result<scores::PublishTimes> publish_times(const ScoreFlags& flags) {
  scores::PublishTimes times;
  ASSIGN_OR_RETURN(times.refresh, parse_length("--score-refresh", flags.refresh));
  ASSIGN_OR_RETURN(times.change_interval,
                   parse_length("--score-change-interval", flags.change_interval));
  times.validity = 3 * times.refresh;
  if (!flags.validity.empty()) {
    ASSIGN_OR_RETURN(times.validity, parse_length("--score-validity", flags.validity));
  }
  if (Status status = scores::check_publish_times(times); !status.ok()) {
    return failure(std::move(status).error().in_context(
        "--score-refresh, --score-validity, --score-change-interval"));
  }
  return times;
}

class ScoresPartCommand final : public AgentPartCommand {
 public:
  std::string_view name() const override { return "scores"; }

  void add_flags(CLI::App& command) override {
    add_what(command);
    add_where(command);
  }

  Result<MakeAgentPart> configure() const override {
    scores::UsageAgentOptions options{.cluster = "",
                                      .score_object = flags_.object,
                                      .add_on = flags_.add_on,
                                      .add_on_namespace = flags_.add_on_namespace};
    ASSIGN_OR_RETURN(options.usage, usage_options(flags_));
    ASSIGN_OR_RETURN(options.times, publish_times(flags_));
    if (flags_.creation == "on-demand") options.creation = scores::Creation::OnDemand;
    return MakeAgentPart([options](const AgentWorld& world) {
      scores::UsageAgentOptions own = options;
      own.cluster = world.cluster_name;
      own.holder = world.host;
      return std::make_unique<ScoresPart>(world, std::move(own));
    });
  }

 private:
  void add_what(CLI::App& command) {
    const auto group = "Scores";
    command
        .add_option("--score-sets", flags_.sets,
                    "Which scores: seed (cpuAvailable, memAvailable), cluster, node, ratio")
        ->delimiter(',')
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--resource", flags_.resources,
                    "A resource and its bounds: NAME[=PREFIX][,min=N][,max=N][,curve=linear|log]")
        ->allow_extra_args(false)
        ->group(group);
    command
        .add_option("--shape", flags_.shapes,
                    "Publish how many such pods fit: NAME=cpu=500m,memory=1Gi[,max=N]")
        ->allow_extra_args(false)
        ->group(group);
    command
        .add_option("--allow-taint", flags_.allowed_taints,
                    "Count nodes in spite of this taint: KEY[=VALUE][:EFFECT]")
        ->allow_extra_args(false)
        ->group(group);
    command
        .add_option("--node-selector", flags_.node_selector,
                    "Count only nodes with these labels, as in kubectl get -l")
        ->group(group);
  }

  void add_where(CLI::App& command) {
    const auto add = [&command](const char* name, std::string& into, const char* help) {
      return command.add_option(name, into, help)->capture_default_str()->group("Scores");
    };
    add("--score-name", flags_.object, "The AddOnPlacementScore to keep");
    add("--score-creation", flags_.creation,
        "When it is made: always, or on-demand, when a Placement refers to it")
        ->check(CLI::IsMember({"always", "on-demand"}));
    add("--score-refresh", flags_.refresh, "How often it is written at least");
    add("--score-validity", flags_.validity, "How long scores hold; default: three refreshes");
    add("--score-change-interval", flags_.change_interval,
        "Time between changes, except before the first");
    add("--addon-name", flags_.add_on, "The ManagedClusterAddOn that it belongs to, and the Lease");
    add("--addon-namespace", flags_.add_on_namespace, "Where the Lease is, on the managed cluster");
  }

  ScoreFlags flags_;
};

}  // namespace

std::unique_ptr<AgentPartCommand> scores_part() { return std::make_unique<ScoresPartCommand>(); }

}  // namespace berth::app
