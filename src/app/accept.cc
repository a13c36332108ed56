// berth accept: lets clusters in that asked to join. berth detach: lets them go.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "app/approval.h"
#include "app/calls.h"
#include "app/cluster_progress.h"
#include "app/command.h"
#include "app/hub_flags.h"
#include "base/strings.h"
#include "client/errors.h"
#include "fleet/registration/names.h"
#include "fleet/registration/renewal_approval.h"
#include "fleet/registration/resources.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

using json::Value;

struct FleetFlags {
  HubFlags hub = {};
  std::vector<std::string> clusters = {};
  std::vector<std::string> requesters = {};
  bool wait = true;
  std::string timeout = "5m";
};

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

void tell(std::string_view message) { std::fputs(fmt::format("{}\n", message).c_str(), stderr); }

client::ResourcePath cluster_path(const std::string& name) {
  return {.resource = fleet::managed_clusters(), .name = name};
}

// Those whose only right is to ask.
bool is_bootstrapper(const std::string& user, const FleetFlags& flags) {
  const std::string account =
      fmt::format("system:serviceaccount:{}:{}", fleet::kHubNamespace, fleet::kBootstrapAccount);
  return user == account || user.starts_with("system:bootstrap:") ||
         std::ranges::find(flags.requesters, user) != flags.requesters.end();
}

// What asks for a certificate of exactly that cluster and is not decided.
Result<std::vector<Value>> open_requests(Calls& hub, const std::string& cluster) {
  ASSIGN_OR_RETURN(std::vector<Value> requests,
                   hub.list({.resource = fleet::certificate_requests()},
                            fmt::format("{}={}", fleet::kClusterNameLabel, cluster)));
  std::erase_if(requests, [&cluster](const Value& request) {
    const auto agent = fleet::requested_agent(request);
    return !fleet::is_undecided(request) || !agent.ok() || agent->cluster != cluster;
  });
  return requests;
}

class Acceptance {
 public:
  Acceptance(Calls& hub, env::Clock& clock, const FleetFlags& flags, Duration patience)
      : hub_(hub), clock_(clock), flags_(flags), patience_(patience) {}

  Status accept(const std::string& cluster) {
    if (const Status named = fleet::check_cluster_name(cluster); !named.ok()) {
      return failure(Code::Unknown, named.error().message);
    }
    RETURN_IF_ERROR(wait_until_it_asks(cluster));
    RETURN_IF_ERROR(approve(cluster));
    RETURN_IF_ERROR(set_accepted(cluster));
    return flags_.wait ? wait_until_joined(cluster) : Status();
  }

 private:
  // An agent that has its certificate already does not ask again.
  Status wait_until_it_asks(const std::string& cluster) {
    Status last;
    bool told = false;
    const bool asked = wait_for(flags_.wait ? patience_ : Duration::zero(), [&] {
      const auto object = hub_.get(cluster_path(cluster));
      last = object.ok() ? Status() : Status(failure(object.error()));
      if (last.ok()) return true;
      if (!client::is_not_found(last.error())) return true;
      if (!std::exchange(told, true)) tell("waiting for " + cluster + " to ask");
      return false;
    });
    if (!asked) {
      return failure(Code::Unknown,
                     fmt::format("{} has not asked to join: run for it what \"berth get token "
                                 "--cluster-name {}\" prints",
                                 quote(cluster), cluster));
    }
    return last;
  }

  Status approve(const std::string& cluster) {
    ASSIGN_OR_RETURN(const std::vector<Value> requests, open_requests(hub_, cluster));
    for (const Value& request : requests) {
      const std::string name = api::read_facts(request).name;
      const std::string user = api::text_field(api::field(request, "spec"), "username");
      if (!is_bootstrapper(user, flags_)) {
        if (!left_alone_.insert(name).second) continue;  // Told once.
        tell(
            fmt::format("certificatesigningrequest.certificates.k8s.io/{} left alone: {} asked, "
                        "who is no bootstrap user; --requester {} lets him",
                        name, quote(user), quote(user)));
        continue;
      }
      RETURN_IF_ERROR(app::approve(hub_, name,
                                   {.reason = "ApprovedByBerthAccept",
                                    .message = "Approved by an administrator of the hub.",
                                    .now = clock_.now()}));
      fmt::print("certificatesigningrequest.certificates.k8s.io/{} approved\n", name);
      has_approved_ = true;
    }
    return {};
  }

  Status set_accepted(const std::string& cluster) {
    ASSIGN_OR_RETURN(const Value object, hub_.get(cluster_path(cluster)));
    const bool is_accepted =
        api::field(api::field(object, "spec"), "hubAcceptsClient").as_bool().value_or(false);
    if (!is_accepted) {
      RETURN_IF_ERROR(
          hub_.merge(cluster_path(cluster),
                     Value::object({{"spec", Value::object({{"hubAcceptsClient", true}})}})));
    }
    fmt::print("managedcluster.cluster.open-cluster-management.io/{} {}\n", cluster,
               is_accepted ? "unchanged" : "accepted");
    std::fflush(stdout);
    return {};
  }

  // A request that comes now, because its agent was late, is approved too, but no second one.
  Status wait_until_joined(const std::string& cluster) {
    Status trouble;
    std::string last;
    const bool joined = wait_for(patience_, [&] {
      if (!has_approved_) trouble = approve(cluster);
      if (!trouble.ok()) return true;
      const auto object = hub_.get(cluster_path(cluster));
      const std::string now =
          object.ok() ? progress_of_joining(hub_, *object) : object.error().message;
      if (now != last) tell(cluster + ": " + now);
      last = now;
      return now == kAvailableNow;
    });
    RETURN_IF_ERROR(trouble);
    if (joined) return {};
    return failure(Code::Unknown,
                   fmt::format("{} is accepted, but not available yet: {}", quote(cluster), last));
  }

  Calls& hub_;
  env::Clock& clock_;
  const FleetFlags& flags_;
  Duration patience_;
  bool has_approved_ = false;
  std::set<std::string> left_alone_ = {};
};

Status detach(Calls& hub, const std::string& cluster, const FleetFlags& flags, Duration patience) {
  RETURN_IF_ERROR(hub.remove(cluster_path(cluster)));
  std::string last;
  const bool is_gone = !flags.wait || wait_for(patience, [&] {
    const auto object = hub.get(cluster_path(cluster));
    if (!object.ok() && client::is_not_found(object.error())) return true;
    const std::string now =
        object.ok() ? progress_of_leaving(hub, *object) : object.error().message;
    if (now != last) tell(cluster + ": " + now);
    last = now;
    return false;
  });
  if (!is_gone) {
    return failure(Code::Unknown,
                   fmt::format("{} is being deleted, but not gone yet: {}", quote(cluster), last));
  }
  fmt::print("managedcluster.cluster.open-cluster-management.io/{} detached\n", cluster);
  return {};
}

using EachCluster = std::function<Status(Calls&, env::Env&, const std::string&, Duration)>;

int for_each_cluster(const FleetFlags& flags, const EachCluster& act) {
  const auto patience = parse_length("--timeout", flags.timeout);
  if (!patience.ok()) return fail("error: " + patience.error().message);
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags.hub, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  Calls hub(env, *config);
  int result = 0;
  for (const std::string& cluster : flags.clusters) {
    const Status done = act(hub, env, cluster, *patience);
    if (!done.ok()) result = fail(hub.text_of(done.error()));
  }
  return result;
}

void add_flags(CLI::App& command, FleetFlags& flags) {
  command.add_option("NAME,--clusters", flags.clusters, "The clusters")->required()->delimiter(',');
  command.add_flag("--wait,!--no-wait", flags.wait, "Wait until it is so")->capture_default_str();
  command.add_option("--timeout", flags.timeout, "How long to wait")->capture_default_str();
  add_hub_flags(command, flags.hub);
}

}  // namespace

void add_accept(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("accept", "Let clusters in that asked to join this hub");
  command->footer(
      "Examples:\n"
      "  # Approve what cluster1 asks for, and wait until it is available\n"
      "  berth accept cluster1\n"
      "  # Several, without waiting\n  berth accept cluster1 cluster2 --no-wait\n\n"
      "Approves the open certificate requests of exactly that cluster that a bootstrap user made,\n"
      "and sets hubAcceptsClient. Renewals are approved by the hub itself.");
  const auto flags = std::make_shared<FleetFlags>();
  command->add_option("--requester", flags->requesters,
                      "Also approve what this user asked, besides bootstrap users");
  add_flags(*command, *flags);
  command->callback([&action, flags] {
    action = [flags] {
      return for_each_cluster(*flags, [&flags](Calls& hub, env::Env& env,
                                               const std::string& cluster, Duration patience) {
        return Acceptance(hub, env.clock, *flags, patience).accept(cluster);
      });
    };
  });
}

void add_detach(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("detach", "Remove clusters from this hub");
  command->footer(
      "Examples:\n"
      "  # Delete its add-ons and works, then all that the hub keeps for it\n"
      "  berth detach cluster1\n\n"
      "While its agent runs, it removes from the cluster what works put there. Afterwards run\n"
      "\"berth unjoin\" for the cluster.");
  const auto flags = std::make_shared<FleetFlags>();
  add_flags(*command, *flags);
  command->callback([&action, flags] {
    action = [flags] {
      return for_each_cluster(
          *flags, [&flags](Calls& hub, env::Env&, const std::string& cluster, Duration patience) {
            return detach(hub, cluster, *flags, patience);
          });
    };
  });
}

}  // namespace berth::app
