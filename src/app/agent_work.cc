// The part of `berth agent` that brings ManifestWorks to its cluster.
// Tested by tests/kube/work_test.cc.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/agent_part.h"
#include "app/election_flags.h"
#include "app/hub_flags.h"
#include "fleet/registration/names.h"
#include "fleet/work/elected_work_agent_controller.h"

namespace berth::app {
namespace {

class WorkPart final : public AgentPart {
 public:
  WorkPart(const AgentWorld& world, fleet::WorkAgentSettings settings,
           std::optional<control::LeaderElectionOptions> election)
      : agent_(world.env, world.hub, world.cluster, std::move(settings), std::move(election)) {
    agent_.start();
  }

  Status readiness() const override { return agent_.readiness(); }
  void release(env::Task done) override { agent_.release(std::move(done)); }

 private:
  fleet::ElectedWorkAgent agent_;
};

class WorkPartCommand final : public AgentPartCommand {
 public:
  std::string_view name() const override { return "work"; }

  void add_flags(CLI::App& command) override {
    const auto add = [&command](const char* name, std::string& into, const char* help) {
      command.add_option(name, into, help)->capture_default_str()->group("Work");
    };
    add("--appliedmanifestwork-eviction-grace-period", grace_,
        "How long what a work brought stays after the work has vanished from the hub");
    add("--agent-id", agent_id_,
        "Whose AppliedManifestWorks to take care of; default: those of this hub");
    add_election_flags(command, election_,
                       {.what = "Let only one of several agents of the cluster apply works",
                        .lease_name = "The Lease's name on the managed cluster; default: "
                                      "berth-work- and which hub",
                        .group = "Work"});
  }

  Result<MakeAgentPart> configure() const override {
    fleet::WorkAgentSettings settings{.cluster_name = "", .agent_id = agent_id_};
    ASSIGN_OR_RETURN(settings.eviction_grace,
                     parse_length("--appliedmanifestwork-eviction-grace-period", grace_));
    ASSIGN_OR_RETURN(const auto election, election());
    return MakeAgentPart([settings, election](const AgentWorld& world) {
      fleet::WorkAgentSettings own = settings;
      own.cluster_name = world.cluster_name;
      auto own_election = election;
      if (own_election) own_election->identity = world.host;
      return std::make_unique<WorkPart>(world, std::move(own), std::move(own_election));
    });
  }

 private:
  // Who asks, and which hub, is not known yet.
  Result<std::optional<control::LeaderElectionOptions>> election() const {
    if (!election_.is_on) return std::nullopt;
    ElectionFlags flags = election_;
    if (flags.lease_name.empty()) flags.lease_name = "default";
    ASSIGN_OR_RETURN(control::LeaderElectionOptions options, election_options(flags, "agent"));
    options.lease_name = election_.lease_name;
    options.makes_namespace = true;
    return options;
  }

  std::string grace_ = "60m";
  std::string agent_id_ = {};
  ElectionFlags election_ = {.lease_name = "",
                             .lease_namespace = std::string(fleet::kAgentNamespace)};
};

}  // namespace

std::unique_ptr<AgentPartCommand> work_part() { return std::make_unique<WorkPartCommand>(); }

}  // namespace berth::app
