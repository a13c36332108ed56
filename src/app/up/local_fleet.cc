// Tested by tests/kube/up_test.cc.
#include "app/up/local_fleet.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "app/approval.h"
#include "app/bootstrap_access.h"
#include "app/bootstrap_token.h"
#include "app/embedded_files.h"
#include "app/up/agent_options.h"
#include "app/up/fleet_kubeconfig.h"
#include "base/check.h"
#include "base/strings.h"
#include "client/errors.h"
#include "env/files.h"
#include "fleet/registration/names.h"
#include "fleet/registration/renewal_approval.h"
#include "fleet/registration/resources.h"
#include "json/yaml_print.h"
#include "json/yaml_read.h"
#include "local/example_cluster.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

using namespace std::chrono_literals;
using json::Value;

constexpr Duration kTokenLife = 24h;
constexpr Duration kPatience = 5min;
constexpr Duration kPeriod = 100ms;
constexpr std::size_t kAtOnce = 32;  // Clusters that are set up at the same time.

constexpr std::string_view kBinding = R"(
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: default}
spec: {clusterSet: default}
)";

constexpr const char* kPlacement = R"(
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {{name: {}, namespace: default}}
spec:
  numberOfClusters: 1
  clusterSets: [default]
  prioritizerPolicy:
    mode: Exact
    configurations:
      - scoreCoordinate:
          type: AddOn
          addOn: {{resourceName: {}, scoreName: cpuAvailable}}
        weight: 1
)";

// Without the controller that would run as a pod: the hub has it inside.
constexpr std::string_view kAddOnFiles[] = {"deploy/addon/namespace.yaml", "deploy/addon/hub.yaml",
                                            "deploy/addon/addon.yaml"};

client::ResourcePath path_of(const Value& object) {
  const api::ObjectFacts facts = api::read_facts(object);
  const std::string version = api::text_field(object, "apiVersion");
  const std::size_t slash = version.find('/');
  return {.resource = {slash == std::string::npos ? "" : version.substr(0, slash),
                       slash == std::string::npos ? version : version.substr(slash + 1),
                       lower_ascii(api::text_field(object, "kind")) + "s"},
          .ns = facts.object_namespace,
          .name = facts.name};
}

Status apply_all(Calls& calls, std::string_view text) {
  ASSIGN_OR_RETURN(const std::vector<Value> objects, json::read_yaml(text));
  for (const Value& object : objects) {
    RETURN_IF_ERROR(calls.apply(path_of(object), object));
  }
  return {};
}

}  // namespace

LocalFleet::LocalFleet(env::Env& env, HubProgram& hub, LocalFleetSettings settings)
    : env_(env), hub_(hub), settings_(std::move(settings)) {
  for (std::string& option : pace_of(settings_.scenario)) {
    add_agent_option(settings_.agent_options, std::move(option));
  }
}

LocalFleet::~LocalFleet() {
  runtime::run_on(env_.loop, [this] {
    clusters_.clear();
    stores_.reset();
  });
}

Status LocalFleet::start(const Progress& progress) {
  RETURN_IF_ERROR(write_kubeconfigs());
  RETURN_IF_ERROR(check_agent_options());
  RETURN_IF_ERROR(prepare_hub());
  RETURN_IF_ERROR(start_clusters(progress));
  RETURN_IF_ERROR(let_in(progress));
  if (settings_.binds) RETURN_IF_ERROR(apply_all(*calls_, kBinding));
  return make_placements();
}

Status LocalFleet::start_clusters(const Progress& progress) {
  std::deque<std::future<Status>> begun;
  std::size_t started = 0;
  const auto await_first = [&]() -> Status {
    const Status status = begun.front().get();
    begun.pop_front();
    progress("clusters start", ++started, settings_.clusters.size());
    return status;
  };
  for (const FleetCluster& cluster : settings_.clusters) {
    if (cluster.joins_later) continue;
    if (begun.size() == kAtOnce) RETURN_IF_ERROR(await_first());
    ASSIGN_OR_RETURN(std::future<Status> ready, begin(cluster));
    begun.push_back(std::move(ready));
  }
  while (!begun.empty()) RETURN_IF_ERROR(await_first());
  return {};
}

Status LocalFleet::make_placements() {
  if (!settings_.scenario) {
    return apply_all(*calls_, fmt::format(kPlacement, kFirstPlacement,
                                          published_score(settings_.agent_options)));
  }
  for (const Value& placement : settings_.scenario->placements) {
    RETURN_IF_ERROR(calls_->apply(path_of(placement), placement));
  }
  return {};
}

Status LocalFleet::set_there(const std::string& name, bool is_there) {
  if (clusters_.contains(name) == is_there) return {};
  if (!is_there) {
    runtime::run_on(env_.loop, [&] { clusters_.erase(name); });
    return {};
  }
  ASSIGN_OR_RETURN(std::future<Status> ready, begin(find(name)));
  return ready.get();
}

// What was there before stays: somebody may have changed it.
Result<std::future<Status>> LocalFleet::begin(const FleetCluster& cluster) {
  ASSIGN_OR_RETURN(LocalClusterSettings settings, cluster_settings(cluster));
  if (prepared_.insert(cluster.name).second) {
    settings.setup = ClusterSetupSettings{.nodes = cluster.nodes, .bootstrap = bootstrap_};
  }
  const auto ready = std::make_shared<std::promise<Status>>();
  runtime::run_on(env_.loop, [&] {
    clusters_[cluster.name] =
        std::make_unique<LocalCluster>(env_, stores_->of(cluster.name), std::move(settings),
                                       [ready](const Status& status) { ready->set_value(status); });
  });
  return ready->get_future();
}

void LocalFleet::set_silent(const std::string& name, bool silent) {
  const auto cluster = clusters_.find(name);
  if (cluster == clusters_.end()) return;
  runtime::run_on(env_.loop, [&] { cluster->second->set_silent(silent); });
}

Status LocalFleet::set_load(const std::string& name, int percent) {
  const std::int64_t pods = local::example_pods(find(name).nodes, percent / 100.0);
  const auto told = loads_.find(name);
  if (!prepared_.contains(name) || (told != loads_.end() && told->second == pods)) return {};
  ASSIGN_OR_RETURN(const std::unique_ptr<Calls> cluster, calls_to(name));
  RETURN_IF_ERROR(cluster->merge(path_of(local::example_workload(0)),
                                 Value::object({{"spec", Value::object({{"replicas", pods}})}})));
  loads_[name] = pods;
  return {};
}

Status LocalFleet::let_in_newcomers() {
  RETURN_IF_ERROR(approve_requests());
  ASSIGN_OR_RETURN([[maybe_unused]] const std::size_t available, accept_clusters());
  return {};
}

local::ClusterUse LocalFleet::use_of(const std::string& cluster) const {
  const auto found = clusters_.find(cluster);
  return found == clusters_.end() ? local::ClusterUse() : found->second->use();
}

const FleetCluster& LocalFleet::find(const std::string& cluster) const {
  const auto found = std::ranges::find(settings_.clusters, cluster, &FleetCluster::name);
  CHECK(found != settings_.clusters.end());
  return *found;
}

std::string LocalFleet::kubeconfig_of_cluster(const std::string& name) const {
  return fmt::format("{}/clusters/{}.kubeconfig", settings_.directory, name);
}

Status LocalFleet::write_kubeconfigs() {
  const Time now = env_.clock.now();
  ASSIGN_OR_RETURN(const env::TlsIdentity admin, hub_.keys().admin_identity(now));
  FleetKubeconfig whole(hub_.keys().authority_pem());
  whole.add("hub", hub_.url(), admin);
  RETURN_IF_ERROR(env::replace_passing_file(env_.disk, settings_.directory + "/hub.kubeconfig",
                                            whole.text(), 0600));
  RETURN_IF_ERROR(env_.disk.create_directory(settings_.directory + "/clusters"));
  for (const auto& [name, nodes, joins_later] : settings_.clusters) {
    ASSIGN_OR_RETURN(const env::TlsIdentity identity,
                     hub_.keys().cluster_admin_identity(name, now));
    const std::string url = cluster_url(hub_.url(), name);
    whole.add(name, url, identity);
    FleetKubeconfig one(hub_.keys().authority_pem());
    one.add(name, url, identity);
    RETURN_IF_ERROR(
        env::replace_passing_file(env_.disk, kubeconfig_of_cluster(name), one.text(), 0600));
  }
  return env::replace_passing_file(env_.disk, kubeconfig_path(), whole.text(), 0600);
}

// Now and here, instead of by pods that do not start.
Status LocalFleet::check_agent_options() {
  std::vector<std::string> arguments = {"--kubeconfig=" + kubeconfig_path(), "--parts=scores"};
  for (const std::string& option : settings_.agent_options) {
    RETURN_IF_ERROR(check_agent_option(option));
    arguments.push_back("--" + option);
  }
  for (const std::string& argument : agent_arguments("")) arguments.push_back(argument);
  const auto settings = agent_settings(arguments, env_);
  return settings.ok() ? Status() : Status(failure(settings.error()));
}

// Their pods publish room; here they carry out score generators, too.
std::vector<std::string> LocalFleet::agent_arguments(const std::string& cluster) const {
  std::vector<std::string> arguments = {"--parts=generators"};
  if (!settings_.probe_allow.empty()) {
    arguments.push_back("--probe-allow=" + settings_.probe_allow);
  }
  if (const auto delay = settings_.delays.find(cluster); delay != settings_.delays.end()) {
    arguments.push_back(fmt::format("--simulated-delay={}ms", delay->second / 1ms));
  }
  return arguments;
}

Status LocalFleet::prepare_hub() {
  ASSIGN_OR_RETURN(const client::ClientConfig config, hub_.inner_client("system:berth-up"));
  runtime::run_on(env_.loop, [this] {
    stores_ = std::make_unique<store::Partitions>(env_.loop, hub_.store());
  });
  // For a thousand clusters at once; the hub is fair to all.
  calls_ = std::make_unique<Calls>(env_, config, RateLimit{.per_second = 0});
  ASSIGN_OR_RETURN(const BootstrapToken token, make_bootstrap_token(*calls_, kTokenLife));
  bootstrap_ = kubeconfig_of(
      {.server = hub_.url(), .token = token.text, .authority_pem = hub_.keys().authority_pem()});
  for (const std::string_view path : kAddOnFiles) {
    const auto file = std::ranges::find(embedded_files(), path, &EmbeddedFile::path);
    RETURN_IF_ERROR(apply_all(*calls_, with_agent_options(with_image(file->text, settings_.image),
                                                          settings_.agent_options)));
  }
  return {};
}

Result<std::unique_ptr<Calls>> LocalFleet::calls_to(const std::string& cluster) {
  ASSIGN_OR_RETURN(const client::ClientConfig config,
                   hub_.inner_cluster_client(cluster, "system:berth-up"));
  return std::make_unique<Calls>(env_, config);
}

Result<LocalClusterSettings> LocalFleet::cluster_settings(const FleetCluster& cluster) {
  const std::string& name = cluster.name;
  ASSIGN_OR_RETURN(client::ClientConfig config,
                   hub_.inner_cluster_client(name, "system:berth-local"));
  ASSIGN_OR_RETURN(
      AgentSettings agent,
      agent_settings({"--cluster-name=" + name, "--kubeconfig=" + kubeconfig_of_cluster(name),
                      "--parts=work,addons", "--leader-elect=false",
                      "--health-probe-bind-address=0", "--metrics-bind-address=0"},
                     env_));
  LocalClusterSettings settings{.name = name,
                                .config = std::move(config),
                                .agent = std::move(agent),
                                .authority_pem = hub_.keys().authority_pem(),
                                .image = settings_.image,
                                .folder = fmt::format("{}/pods/{}", settings_.directory, name),
                                .agent_arguments = agent_arguments(name)};
  if (!settings_.scenario) {
    settings.load = {.cluster = static_cast<int>(&cluster - settings_.clusters.data()) + 1,
                     .clusters = static_cast<int>(settings_.clusters.size()),
                     .nodes = cluster.nodes};
  }
  RETURN_IF_ERROR(env_.disk.create_directory(settings.folder));
  return settings;
}

// As an administrator would with "berth accept", for all at once.
Status LocalFleet::let_in(const Progress& progress) {
  const auto all = static_cast<std::size_t>(
      std::ranges::count(settings_.clusters, false, &FleetCluster::joins_later));
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    const auto began = std::chrono::steady_clock::now();
    RETURN_IF_ERROR(approve_requests());
    ASSIGN_OR_RETURN(const std::size_t available, accept_clusters());
    progress("clusters join", available, all);
    if (available == all) return {};
    const auto now = std::chrono::steady_clock::now();
    if (now >= deadline) {
      return failure(Code::Timeout, fmt::format("only {} of {} clusters are available after {}s",
                                                available, all, kPatience / 1s));
    }
    // Of many clusters a look takes long, and they have other things to do than to be looked at.
    std::this_thread::sleep_for(std::max<Duration>(kPeriod, 2 * (now - began)));
  }
}

Status LocalFleet::approve_requests() {
  const std::string bootstrapper =
      fmt::format("system:serviceaccount:{}:{}", fleet::kHubNamespace, fleet::kBootstrapAccount);
  ASSIGN_OR_RETURN(const std::vector<Value> requests,
                   calls_->list({.resource = fleet::certificate_requests()}));
  std::vector<Calls::Request> approvals;
  for (const Value& request : requests) {
    const auto agent = fleet::requested_agent(request);
    const std::string user = api::text_field(api::field(request, "spec"), "username");
    const bool is_ours = fleet::is_undecided(request) && agent.ok() &&
                         prepared_.contains(agent->cluster) && user == bootstrapper;
    if (!is_ours) continue;
    const client::Edit edit =
        approval_of(api::read_facts(request).name, {.reason = "ApprovedByBerthUp",
                                                    .message = "A cluster of the local fleet.",
                                                    .now = env_.clock.now()});
    approvals.push_back(
        [edit](client::Api& hub, client::Done done) { client::edit(hub, edit, std::move(done)); });
  }
  return calls_->all(approvals);
}

// How many are available.
Result<std::size_t> LocalFleet::accept_clusters() {
  ASSIGN_OR_RETURN(const std::vector<Value> clusters,
                   calls_->list({.resource = fleet::managed_clusters()}));
  std::size_t available = 0;
  std::vector<Calls::Request> acceptances;
  for (const Value& cluster : clusters) {
    const std::string name = api::read_facts(cluster).name;
    if (!prepared_.contains(name)) continue;
    const Value& spec = api::field(cluster, "spec");
    if (!api::field(spec, "hubAcceptsClient").as_bool().value_or(false)) {
      acceptances.push_back(
          [name, patch = acceptance_of(name)](client::Api& hub, client::Done done) {
            hub.patch({.resource = fleet::managed_clusters(), .name = name}, patch, {},
                      std::move(done));
          });
    }
    if (api::is_condition_true(cluster, fleet::kAvailable)) ++available;
  }
  RETURN_IF_ERROR(calls_->all(acceptances));
  return available;
}

Value LocalFleet::acceptance_of(const std::string& cluster) const {
  if (!settings_.scenario) {
    return Value::object({{"spec", Value::object({{"hubAcceptsClient", true}})}});
  }
  const auto script =
      std::ranges::find(settings_.scenario->clusters, cluster, &local::ScenarioCluster::name);
  return local::acceptance(*settings_.scenario, *script);
}

}  // namespace berth::app
