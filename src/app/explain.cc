// berth explain: why a Placement chose what it chose, why not the rest, and what would change it;
// the same for the node of a pod (explain_pod.h) and for a hosted cluster (explain_hosted.h).

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/advice.h"
#include "app/command.h"
#include "app/explain_hosted.h"
#include "app/explain_pod.h"
#include "app/hub_flags.h"
#include "app/hub_objects.h"
#include "app/placement_flags.h"
#include "base/strings.h"
#include "json/print.h"
#include "json/yaml_print.h"
#include "placement/explaining/explain_text.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

struct ExplainFlags {
  HubFlags hub = {};
  std::vector<std::string> words = {};
  std::string output = "";
  PlacementFlags placement = {};
};

enum class About { Placement, Pod, Hosted };

struct Question {
  About about = About::Placement;
  std::string name = {};
  std::optional<std::string> place = std::nullopt;  // A cluster, or a node.
};

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

struct Explainable {
  About about;
  std::vector<std::string_view> names;
  std::string_view usage;
  std::size_t words_max;
};

const std::vector<Explainable>& explainables() {
  static const std::vector<Explainable> all = {
      {About::Placement, {"placement", "placements"}, "placement NAME [CLUSTER]", 3},
      {About::Pod, {"pod", "pods", "po"}, "pod NAME [NODE]", 3},
      {About::Hosted, {"hosted", "hostedclusterrequest", "hcr"}, "hosted NAME", 2}};
  return all;
}

// KIND NAME [PLACE], or KIND/NAME [PLACE].
Result<Question> read_question(const std::vector<std::string>& words) {
  std::vector<std::string> rest;
  for (const std::string& word : words) {
    const std::size_t slash = rest.empty() ? word.find('/') : std::string::npos;
    rest.push_back(word.substr(0, slash));
    if (slash != std::string::npos) rest.push_back(word.substr(slash + 1));
  }
  const auto found = std::ranges::find_if(explainables(), [&](const Explainable& one) {
    return std::ranges::find(one.names, rest[0]) != one.names.end();
  });
  if (found == explainables().end()) {
    return failure(Code::Invalid, fmt::format("cannot explain {}: expected placement NAME "
                                              "[CLUSTER], pod NAME [NODE] or hosted NAME",
                                              quote(rest[0])));
  }
  if (rest.size() < 2 || rest.size() > found->words_max || rest[1].empty()) {
    return failure(Code::Invalid, fmt::format("expected {}", found->usage));
  }
  Question question{.about = found->about, .name = rest[1]};
  if (rest.size() == 3) question.place = rest[2];
  return question;
}

void print(const json::Value& document, const std::string& output) {
  const std::string text = output == "yaml"
                               ? json::print_yaml(document)
                               : json::print(document, {.indent = json::kKubectlIndent}) + "\n";
  std::fputs(text.c_str(), stdout);
}

int explain_one(const placement::Situation& situation,
                const placement::CompiledPlacement& placement, const std::string& cluster, Time now,
                const std::string& output) {
  const placement::ClusterVerdict verdict =
      placement::explain_cluster(placement, situation.fleet(), now, situation.options(), cluster);
  if (verdict.kind == placement::ClusterVerdict::Kind::Unknown) {
    return fail(
        fmt::format("Error from server (NotFound): "
                    "managedclusters.cluster.open-cluster-management.io {} not found\n"
                    "See what there is: berth get clusters",
                    quote(cluster)));
  }
  if (output == "json" || output == "yaml") {
    print(to_json(verdict), output);
  } else {
    std::fputs(to_text(placement.key, verdict).c_str(), stdout);
  }
  return 0;
}

int explain_all(const placement::Situation& situation,
                const placement::CompiledPlacement& placement, Time now,
                const std::string& output) {
  using placement::ExplainFormat;
  const placement::Explanation explanation =
      placement::explain(placement, situation.fleet(), now, situation.options());
  if (output == "json" || output == "yaml") {
    print(to_json(explanation), output);
  } else {
    const auto format = output == "wide" ? ExplainFormat::Wide : ExplainFormat::Table;
    std::fputs(to_text(explanation, format).c_str(), stdout);
    if (explanation.clusters.empty()) {
      std::fflush(stdout);
      std::fputs(
          fmt::format("See which sets there are with berth get clustersets, and bind one with "
                      "berth clusterset bind SET --namespace {}\n",
                      placement.key.ns)
              .c_str(),
          stderr);
    }
  }
  return 0;
}

int explain(const ExplainFlags& flags) {
  const auto question = read_question(flags.words);
  if (!question.ok()) return fail("error: " + question.error().message);
  if (question->about == About::Pod) {
    return explain_pod(flags.hub, {.pod = question->name, .node = question->place});
  }
  if (question->about == About::Hosted) {
    return explain_hosted(flags.hub, question->name, flags.output);
  }
  const auto options = placement_options(flags.placement);
  if (!options.ok()) return fail("error: " + options.error().message);
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags.hub, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  const api::ObjectKey key{config->ns, question->name};
  const auto objects = read_hub(env, *config, key);
  if (!objects.ok()) return fail(text_with_advice(objects.error(), config->server));

  const placement::Situation situation = situation_of(*objects, *options);
  const placement::CompiledPlacement* placement = situation.find(key);
  if (!placement) return fail("error: the server answered with another placement");
  if (placement->placement.is_disabled()) {
    std::fputs("Warning: scheduling is disabled by an annotation; this would be decided\n", stderr);
  }
  const Time now = env.clock.now();
  if (question->place) {
    return explain_one(situation, *placement, *question->place, now, flags.output);
  }
  return explain_all(situation, *placement, now, flags.output);
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "explain", "Show why clusters or nodes were chosen, why not, and what would help");
  command->footer(
      "Examples:\n"
      "  # Every cluster that a placement may use\n  berth explain placement web -n shop\n"
      "  # One cluster in full\n  berth explain placement web oslo -n shop\n"
      "  # For programs\n  berth explain placement/web -n shop -o json\n"
      "  # Why a pod waits: every node, or one with the room that is held there\n"
      "  berth explain pod web-0 -n shop\n  berth explain pod web-0 node1 -n shop\n"
      "  # As controllers decide that run with the same flags\n"
      "  berth explain placement web -n shop --missing-scores=Exclude\n"
      "  # Where a hosted cluster is, and every hosting cluster\n"
      "  berth explain hosted web -n shop");
  const auto flags = std::make_shared<ExplainFlags>();
  command
      ->add_option("WHAT", flags->words,
                   "placement NAME [CLUSTER], pod NAME [NODE], or hosted NAME")
      ->required()
      ->expected(1, 3);
  command->add_option("-o,--output", flags->output, "json, yaml or wide; a table without it")
      ->check(CLI::IsMember({"json", "yaml", "wide"}));
  add_placement_flags(*command, flags->placement);
  add_hub_flags(*command, flags->hub);
  command->callback([&action, flags] { action = [flags] { return explain(*flags); }; });
}

}  // namespace berth::app
