// The part of `berth agent` that serves the add-ons of its cluster: their credentials, and the
// health that their leases show. Its work is tested by fleet/addons/addon_agent_controller_test.cc.

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/agent_part.h"
#include "app/hub_flags.h"
#include "fleet/addons/addon_agent_controller.h"

namespace berth::app {
namespace {

// Add-ons run elsewhere: what is a file here has to be in their kubeconfig.
fleet::HubEndpoint endpoint_of(const client::ClientConfig& hub) {
  fleet::HubEndpoint endpoint{.entry = "hub",
                              .server = hub.server.text(),
                              .proxy_url = hub.proxy_url,
                              .authority_pem = hub.tls.certificate_authority.data,
                              .tls_server_name = hub.tls.server_name,
                              .insecure = hub.tls.insecure};
  if (const std::string& path = hub.tls.certificate_authority.path;
      endpoint.authority_pem.empty() && !path.empty()) {
    std::ifstream file(path, std::ios::binary);
    endpoint.authority_pem.assign(std::istreambuf_iterator<char>(file), {});
  }
  return endpoint;
}

class AddOnsPart final : public AgentPart {
 public:
  AddOnsPart(const AgentWorld& world, fleet::AddOnAgentSettings settings)
      : agent_(world.env, world.hub, world.cluster, std::move(settings)) {}

  Status readiness() const override {
    if (agent_.has_synced()) return {};
    return failure(Code::ServiceUnavailable, "the add-ons of the hub are not known yet");
  }

 private:
  fleet::AddOnAgent agent_;
};

class AddOnsPartCommand final : public AgentPartCommand {
 public:
  std::string_view name() const override { return "addons"; }

  void add_flags(CLI::App& command) override {
    command
        .add_option("--addon-health-period", health_period_,
                    "How often the leases of add-ons are looked at")
        ->capture_default_str()
        ->group("Add-ons");
  }

  Result<MakeAgentPart> configure() const override {
    ASSIGN_OR_RETURN(const Duration period, parse_length("--addon-health-period", health_period_));
    return MakeAgentPart([period](const AgentWorld& world) {
      return std::make_unique<AddOnsPart>(
          world, fleet::AddOnAgentSettings{.cluster = world.cluster_name,
                                           .hub = endpoint_of(world.hub.config()),
                                           .health_period = period});
    });
  }

 private:
  std::string health_period_ = "30s";
};

}  // namespace

std::unique_ptr<AgentPartCommand> add_ons_part() { return std::make_unique<AddOnsPartCommand>(); }

}  // namespace berth::app
