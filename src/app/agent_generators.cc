// The part of `berth agent` that carries out AddOnPlacementScoreGenerators.
// Tested by tests/kube/generator_test.cc.

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/agent_part.h"
#include "app/hub_flags.h"
#include "control/served_service.h"
#include "scores/generators/generator_controller.h"
#include "scores/generators/generator_resources_service.h"

namespace berth::app {
namespace {

struct GeneratorFlags {
  std::vector<std::string> allowed = {};
  std::vector<std::string> own = {};
  std::string authorities = {};
  std::string plugin_directory = {};
  std::string plugin_timeout = "30s";
  std::string plugin_interval = "60s";
  std::string simulated_delay = "0s";
};

class GeneratorsPart final : public AgentPart {
 public:
  GeneratorsPart(const AgentWorld& world, const scores::GeneratorOptions& options)
      : served_(world.env, world.hub,
                {.name = "generators",
                 .collections = {{.resource = scores::generator_resource(), .ns = options.cluster}},
                 .remedy = std::string(scores::kDefinitionsRemedy)},
                [this, env = world.env, &hub = world.hub, options] {
                  controller_ = std::make_unique<scores::GeneratorController>(env, hub, options);
                }) {}

  // A hub that does not know generators has none to be carried out.
  Status readiness() const override { return {}; }

 private:
  std::unique_ptr<scores::GeneratorController> controller_;
  control::ServedService served_;
};

Result<std::vector<api::IpNetwork>> networks(const char* flag,
                                             const std::vector<std::string>& texts) {
  auto read = scores::read_networks(texts);
  if (!read.ok()) return failure(std::move(read).error().in_context(flag));
  return read;
}

Result<std::string> read_authorities(const std::string& path) {
  if (path.empty()) return std::string();
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (text.empty()) return failure(Code::NotFound, "--probe-ca-file: cannot read " + path);
  return text;
}

class GeneratorsPartCommand final : public AgentPartCommand {
 public:
  std::string_view name() const override { return "generators"; }

  void add_flags(CLI::App& command) override {
    const auto group = "Score generators";
    command
        .add_option("--probe-allow", flags_.allowed,
                    "Measure also these loopback, private or own addresses: 10.1.0.0/16,127.0.0.1")
        ->delimiter(',')
        ->group(group);
    command
        .add_option("--cluster-ranges", flags_.own,
                    "Where the cluster's own nodes, pods and services are, which are not measured; "
                    "default: all private addresses")
        ->delimiter(',')
        ->group(group);
    command
        .add_option("--probe-ca-file", flags_.authorities,
                    "Who may vouch for https locations; default: the system's authorities")
        ->group(group);
    command
        .add_option("--plugin-dir", flags_.plugin_directory,
                    "Where the executables of score plugins are; default: there are none")
        ->group(group);
    command.add_option("--plugin-timeout", flags_.plugin_timeout, "When a plugin is killed")
        ->capture_default_str()
        ->group(group);
    command.add_option("--plugin-interval", flags_.plugin_interval, "How often plugins are asked")
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--simulated-delay", flags_.simulated_delay,
                    "Pretend that connecting takes so much longer, to try placements by latency; "
                    "generators say so")
        ->capture_default_str()
        ->group(group);
  }

  Result<MakeAgentPart> configure() const override {
    scores::GeneratorOptions options{.cluster = ""};
    ASSIGN_OR_RETURN(options.rules.allowed, networks("--probe-allow", flags_.allowed));
    if (!flags_.own.empty()) {
      ASSIGN_OR_RETURN(options.rules.own, networks("--cluster-ranges", flags_.own));
    }
    ASSIGN_OR_RETURN(options.authorities_pem, read_authorities(flags_.authorities));
    ASSIGN_OR_RETURN(options.simulated_delay,
                     parse_length("--simulated-delay", flags_.simulated_delay));
    options.plugins.directory = flags_.plugin_directory;
    ASSIGN_OR_RETURN(options.plugins.timeout,
                     parse_length("--plugin-timeout", flags_.plugin_timeout));
    ASSIGN_OR_RETURN(options.times.plugin_interval,
                     parse_length("--plugin-interval", flags_.plugin_interval));
    if (options.plugins.timeout <= Duration::zero() ||
        options.times.plugin_interval < options.plugins.timeout) {
      return failure(Code::BadRequest,
                     "--plugin-timeout: must be above 0 and not above --plugin-interval");
    }
    return MakeAgentPart([options](const AgentWorld& world) {
      scores::GeneratorOptions own = options;
      own.cluster = world.cluster_name;
      return std::make_unique<GeneratorsPart>(world, own);
    });
  }

 private:
  GeneratorFlags flags_;
};

}  // namespace

std::unique_ptr<AgentPartCommand> generators_part() {
  return std::make_unique<GeneratorsPartCommand>();
}

}  // namespace berth::app
