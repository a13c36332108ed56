// The part of `berth agent` that counts hosted clusters, nodes and pods on a hosting cluster.
// Tested by tests/kube/hosting_agent_test.cc.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/agent_part.h"
#include "control/served_service.h"
#include "hosting/host_agent_service.h"
#include "hosting/names.h"
#include "scores/publisher_service.h"

namespace berth::app {
namespace {

struct HostingFlags {
  std::int64_t hosted_max = hosting::Thresholds().hosted_max;
  std::int64_t threshold = hosting::Thresholds().threshold;
};

// The exact count goes into the ledger, and the number into the score that HyperShift's add-on
// would keep, for whoever reads that.
class HostReporter {
 public:
  HostReporter(const AgentWorld& world, const hosting::HostAgentOptions& options)
      : env_(world.env),
        agent_(world.env, world.cluster, world.hub, options,
               {.hub_time = [this]() -> std::optional<Time> {
                  if (!hub_ahead_) return std::nullopt;
                  return env_.clock.now() + *hub_ahead_;
                },
                .changed =
                    [this] {
                      if (publisher_) publisher_->on_changed();
                    }}) {
    publisher_ = std::make_unique<scores::Publisher>(
        world.env, world.hub,
        scores::PublisherOptions{
            .object = {.cluster = options.cluster, .name = std::string(hosting::kCountScore)},
            .field_manager = "berth-hosting-agent"},
        [this](Time now) { return report(now); });
  }

  Status readiness() const { return agent_.readiness(); }

 private:
  scores::Report report(Time now) {
    hub_ahead_ = now - env_.clock.now();
    const auto count = agent_.count();
    if (!count) return {};
    const auto shown = static_cast<std::int32_t>(std::min(*count, hosting::kScoreCountMax));
    return {.scores = {{{std::string(hosting::kCountItem), shown}}}};
  }

  env::Env env_;
  std::optional<Duration> hub_ahead_ = std::nullopt;  // Of our calendar.
  std::unique_ptr<scores::Publisher> publisher_;      // Null only while this is being made.
  hosting::HostAgent agent_;
};

class HostingPart final : public AgentPart {
 public:
  HostingPart(const AgentWorld& world, const hosting::HostAgentOptions& options)
      : served_(
            world.env, world.cluster,
            {.name = "hosting",
             .collections = {{.resource = {"hypershift.openshift.io", "v1beta1", "hostedclusters"}},
                             {.resource = {"cluster.open-cluster-management.io", "v1alpha1",
                                           "clusterclaims"}}},
             .remedy = "install HyperShift if this cluster is to host clusters"},
            [this, world, options] {
              reporter_ = std::make_unique<HostReporter>(world, options);
            }) {}

  // A cluster without HyperShift hosts nothing.
  Status readiness() const override { return reporter_ ? reporter_->readiness() : Status(); }

 private:
  std::unique_ptr<HostReporter> reporter_;
  control::ServedService served_;
};

class HostingPartCommand final : public AgentPartCommand {
 public:
  std::string_view name() const override { return "hosting"; }

  void add_flags(CLI::App& command) override {
    const auto group = "Hosting";
    command
        .add_option("--hosting-max", flags_.hosted_max,
                    "How many hosted clusters make the cluster claim to be full")
        ->capture_default_str()
        ->group(group);
    command
        .add_option("--hosting-threshold", flags_.threshold,
                    "From how many on it claims to be above its threshold")
        ->capture_default_str()
        ->group(group);
  }

  Result<MakeAgentPart> configure() const override {
    if (flags_.threshold < 1 || flags_.hosted_max < flags_.threshold) {
      return failure(Code::BadRequest,
                     "--hosting-threshold: must be above 0 and not above --hosting-max");
    }
    const hosting::Thresholds thresholds{.hosted_max = flags_.hosted_max,
                                         .threshold = flags_.threshold};
    return MakeAgentPart([thresholds](const AgentWorld& world) {
      return std::make_unique<HostingPart>(
          world,
          hosting::HostAgentOptions{.cluster = world.cluster_name, .thresholds = thresholds});
    });
  }

 private:
  HostingFlags flags_;
};

}  // namespace

std::unique_ptr<AgentPartCommand> hosting_part() { return std::make_unique<HostingPartCommand>(); }

}  // namespace berth::app
