// berth explain: why a Placement chose what it chose, why not the rest, and what would change it.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"
#include "app/hub_flags.h"
#include "app/hub_objects.h"
#include "base/strings.h"
#include "client/error_text.h"
#include "json/print.h"
#include "json/yaml_print.h"
#include "placement/explain_text.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

struct ExplainFlags {
  HubFlags hub = {};
  std::vector<std::string> words = {};
  std::string output = "";
  bool ocm_exact = false;
};

struct Question {
  std::string placement = {};
  std::optional<std::string> cluster = std::nullopt;
};

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

// placement NAME [CLUSTER], or placement/NAME [CLUSTER].
Result<Question> read_question(const std::vector<std::string>& words) {
  std::vector<std::string> rest;
  for (const std::string& word : words) {
    const std::size_t slash = rest.empty() ? word.find('/') : std::string::npos;
    rest.push_back(word.substr(0, slash));
    if (slash != std::string::npos) rest.push_back(word.substr(slash + 1));
  }
  const bool is_placement = rest[0] == "placement" || rest[0] == "placements";
  if (!is_placement) {
    return failure(
        Code::Invalid,
        fmt::format("cannot explain {}: expected placement NAME [CLUSTER]", quote(rest[0])));
  }
  if (rest.size() < 2 || rest.size() > 3 || rest[1].empty()) {
    return failure(Code::Invalid, "expected placement NAME [CLUSTER]");
  }
  Question question{.placement = rest[1]};
  if (rest.size() == 3) question.cluster = rest[2];
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
                    "managedclusters.cluster.open-cluster-management.io {} not found",
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
  }
  return 0;
}

int explain(const ExplainFlags& flags) {
  const auto question = read_question(flags.words);
  if (!question.ok()) return fail("error: " + question.error().message);
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags.hub, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  const placement::PlacementKey key{config->ns, question->placement};
  const auto objects = read_hub(env, *config, key);
  if (!objects.ok()) return fail(client::error_text(objects.error(), config->server));

  const placement::Options options =
      flags.ocm_exact ? placement::ocm_exact() : placement::Options{};
  const placement::Situation situation = situation_of(*objects, options);
  const placement::CompiledPlacement* placement = situation.find(key);
  if (!placement) return fail("error: the server answered with another placement");
  if (placement->placement.is_disabled()) {
    std::fputs("Warning: scheduling is disabled by an annotation; this would be decided\n", stderr);
  }
  const Time now = env.clock.now();
  if (question->cluster) {
    return explain_one(situation, *placement, *question->cluster, now, flags.output);
  }
  return explain_all(situation, *placement, now, flags.output);
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("explain", "Show why clusters were chosen, why not, and what would help");
  command->footer(
      "Examples:\n"
      "  # Every cluster that a placement may use\n  berth explain placement web -n shop\n"
      "  # One cluster in full\n  berth explain placement web oslo -n shop\n"
      "  # For programs\n  berth explain placement/web -n shop -o json");
  const auto flags = std::make_shared<ExplainFlags>();
  command->add_option("WHAT", flags->words, "placement NAME [CLUSTER]")->required()->expected(1, 3);
  command->add_option("-o,--output", flags->output, "json, yaml or wide; a table without it")
      ->check(CLI::IsMember({"json", "yaml", "wide"}));
  command->add_flag("--ocm-exact", flags->ocm_exact, "Decide exactly as OCM does");
  add_hub_flags(*command, flags->hub);
  command->callback([&action, flags] { action = [flags] { return explain(*flags); }; });
}

}  // namespace berth::app
