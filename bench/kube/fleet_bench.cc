// What do 1,000 clusters cost the embedded hub, and how long does a change of an add-on's
// configuration take to reach all of them?
//
//   fleet_bench [CLUSTERS [SECONDS]]
//
// Starts `berth hub` with its controllers and, in this process, the agents of as many clusters,
// each with a connection and a certificate of its own: they watch their cluster, their works and
// their certificate requests, renew their leases, tell how they are, and report on the one work
// that an add-on brings them. Measured are the hub's memory, its processor time over so many
// seconds in which only leases are renewed, and the time from a change of the configuration until
// every agent has it and until the hub knows that it is in place everywhere.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/informer_service.h"
#include "env/scope.h"
#include "fleet/addons/spec_hash.h"
#include "fleet/registration/cluster_report.h"
#include "fleet/registration/names.h"
#include "fleet/registration/resources.h"
#include "http/url.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/measures.h"
#include "kube/server.h"
#include "pki/authority.h"

namespace berth {
namespace {

using namespace std::chrono_literals;
using bench::cpu_seconds;
using bench::megabytes;
using json::Value;

constexpr std::string_view kAddOn = "bench";

struct Sizes {
  int clusters;
  int seconds;
};

Value parsed(const std::string& text) { return json::parse(text).value(); }

std::string name_of(int i) { return fmt::format("cluster-{:04}", i); }

client::Gvr add_on_resource(const char* plural) {
  return {"addon.open-cluster-management.io", "v1alpha1", plural};
}

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// What a work agent says when all of it is in place.
Value work_status(std::int64_t generation) {
  return parsed(fmt::format(
      R"({{"status":{{"conditions":[
            {{"type":"Applied","status":"True","reason":"AppliedManifestWorkComplete","message":"",
              "lastTransitionTime":"2026-01-01T00:00:00Z","observedGeneration":{0}}},
            {{"type":"Available","status":"True","reason":"ResourcesAvailable","message":"",
              "lastTransitionTime":"2026-01-01T00:00:00Z","observedGeneration":{0}}}],
          "resourceStatus":{{"manifests":[{{"conditions":[],"resourceMeta":{{"ordinal":0,
            "group":"apps","version":"v1","kind":"Deployment","resource":"deployments",
            "name":"agent","namespace":"agents"}},"statusFeedback":{{"values":[
            {{"name":"ReadyReplicas","fieldValue":{{"type":"Integer","integer":1}}}},
            {{"name":"Replicas","fieldValue":{{"type":"Integer","integer":1}}}}]}}}}]}}}}}})",
      generation));
}

// One cluster's agent, as the hub sees it.
class Agent {
 public:
  Agent(const env::Env& env, const client::ClientConfig& config, std::string cluster)
      : env_(env),
        name_(std::move(cluster)),
        hub_(env, config, {.rate = {.per_second = 0}}),
        own_(env, hub_,
             {.collection = {.resource = fleet::managed_clusters()},
              .selection = {.fields = "metadata.name=" + name_}}),
        works_(env, hub_, {.collection = {.resource = fleet::manifest_works(), .ns = name_}}),
        requests_(
            env, hub_,
            {.collection = {.resource = fleet::certificate_requests()},
             .selection = {.labels = fmt::format("{}={}", fleet::kClusterNameLabel, name_)}}) {
    works_.add_handler(scope_.guard([this](const client::Delta& delta) { on_work(delta); }));
    own_.when_synced(scope_.guard([this] { report(); }));
    for (client::InformerService* informer : {&own_, &works_, &requests_}) informer->start();
    renew();
  }

  // The image in its work.
  const std::string& image() const { return image_; }

 private:
  client::ResourcePath lease() const {
    return {.resource = fleet::leases(), .ns = name_, .name = std::string(fleet::kClusterLease)};
  }

  void renew() {
    hub_.get(lease(), scope_.guard([this](const Result<Value>& read) {
      if (!read.ok()) return again(5s);
      hub_.update(lease(), fleet::renewed_lease(*read, env_.clock.now()), {},
                  scope_.guard([this](const Result<Value>& put) { again(put.ok() ? 60s : 5s); }));
    }));
  }

  void again(Duration delay) {
    timer_ = env::after(env_.loop, env_.clock, delay, [this] { renew(); });
  }

  void report() {
    const client::ObjectPtr own = own_.store().find({.ns = "", .name = name_});
    if (!own) return;
    const Value node = parsed(R"({"metadata":{"name":"n"},"status":{
        "capacity":{"cpu":"64","memory":"256Gi"},"allocatable":{"cpu":"60","memory":"240Gi"}}})");
    const std::vector<const Value*> nodes = {&node};
    const Value after = fleet::with_report(own->body(),
                                           {.health = fleet::Health::Verdict::Available,
                                            .probe = {.status = 200, .text = "ok"},
                                            .version = "v1.36.0",
                                            .resources = fleet::sum_of_nodes(nodes)},
                                           env_.clock.now());
    hub_.patch({.resource = fleet::managed_clusters(), .name = name_, .subresource = "status"},
               Value::object({{"status", api::field(after, "status")}}), {},
               [](const Result<Value>&) {});
  }

  void on_work(const client::Delta& delta) {
    if (!delta.after) return;
    const Value& work = delta.after->body();
    const Value* manifests = work.find_path({"spec", "workload", "manifests"});
    if (!manifests || manifests->elements().empty()) return;
    const std::string text = json::print(manifests->elements()[0]);
    const std::size_t at = text.find("\"image\":\"");
    if (at != std::string::npos) image_ = text.substr(at + 9, text.find('"', at + 9) - at - 9);
    const std::int64_t generation = api::Metadata(work).generation();
    if (generation == reported_) return;
    reported_ = generation;
    hub_.patch({.resource = fleet::manifest_works(),
                .ns = name_,
                .name = std::string(api::Metadata(work).name()),
                .subresource = "status"},
               work_status(generation), {}, [](const Result<Value>&) {});
  }

  env::Env env_;
  std::string name_;
  client::Api hub_;
  client::InformerService own_;
  client::InformerService works_;
  client::InformerService requests_;
  std::string image_;
  std::int64_t reported_ = 0;
  env::Timer timer_ = {};
  env::Scope scope_;
};

// How an agent is known on the hub; its authority's files are the hub's own.
class Identities {
 public:
  Identities(const std::filesystem::path& pki, std::string url)
      : authority_(
            pki::Authority::from_pem(read_file(pki / "ca.crt"), read_file(pki / "ca.key")).value()),
        url_(std::move(url)) {}

  client::ClientConfig config(const std::string& cluster, Time now) const {
    const fleet::AgentName name{.cluster = cluster, .agent = "bench"};
    const pki::Identity identity =
        pki::issue_client(authority_,
                          {.common_name = fleet::user_of(name),
                           .organizations = {fleet::group_of(cluster),
                                             std::string(fleet::kManagedClustersGroup)}},
                          {.now = now, .life = std::chrono::hours(24)})
            .value();
    client::ClientConfig config{.server = http::parse_url(url_).value()};
    config.tls.certificate_authority.data = authority_.certificate.pem();
    config.tls.client_certificate.data = identity.certificate.pem();
    config.tls.client_key.data = identity.key.pem();
    return config;
  }

 private:
  pki::Authority authority_;
  std::string url_;
};

Value configuration(int version) {
  return parsed(fmt::format(
      R"({{"apiVersion":"addon.open-cluster-management.io/v1alpha1","kind":"AddOnDeploymentConfig",
          "metadata":{{"name":"config","namespace":"default"}},"spec":{{"agentInstallNamespace":"",
          "customizedVariables":[{{"name":"VERSION","value":"v{}"}}]}}}})",
      version));
}

void install(kube::BlockingApi& api) {
  (void)api.create({.resource = add_on_resource("addondeploymentconfigs"), .ns = "default"},
                   configuration(1));
  (void)api.create({.resource = add_on_resource("addontemplates")},
                   parsed(R"({"apiVersion":"addon.open-cluster-management.io/v1alpha1",
      "kind":"AddOnTemplate","metadata":{"name":"bench"},"spec":{"addonName":"bench","agentSpec":{
      "workload":{"manifests":[{"apiVersion":"apps/v1","kind":"Deployment",
        "metadata":{"name":"agent","namespace":"agents"},"spec":{"replicas":1,
        "selector":{"matchLabels":{"app":"agent"}},"template":{
          "metadata":{"labels":{"app":"agent"}},"spec":{"containers":[
          {"name":"agent","image":"registry.example.com/agent:{{VERSION}}"}]}}}}]}}}})"));
  (void)api.create(
      {.resource = {"cluster.open-cluster-management.io", "v1beta2", "managedclustersetbindings"},
       .ns = "default"},
      parsed(R"({"apiVersion":"cluster.open-cluster-management.io/v1beta2",
      "kind":"ManagedClusterSetBinding","metadata":{"name":"default","namespace":"default"},
      "spec":{"clusterSet":"default"}})"));
  (void)api.create({.resource = {"cluster.open-cluster-management.io", "v1beta1", "placements"},
                    .ns = "default"},
                   parsed(R"({"apiVersion":"cluster.open-cluster-management.io/v1beta1",
      "kind":"Placement","metadata":{"name":"all","namespace":"default"},"spec":{"tolerations":[
      {"key":"cluster.open-cluster-management.io/unreachable","operator":"Exists"}]}})"));
  (void)api.create({.resource = add_on_resource("clustermanagementaddons")},
                   parsed(R"({"apiVersion":"addon.open-cluster-management.io/v1alpha1",
      "kind":"ClusterManagementAddOn","metadata":{"name":"bench"},"spec":{"supportedConfigs":[
        {"group":"addon.open-cluster-management.io","resource":"addontemplates",
         "defaultConfig":{"name":"bench"}},
        {"group":"addon.open-cluster-management.io","resource":"addondeploymentconfigs"}],
      "installStrategy":{"type":"Placements","placements":[{"name":"all","namespace":"default",
        "configs":[{"group":"addon.open-cluster-management.io",
          "resource":"addondeploymentconfigs","name":"config","namespace":"default"}]}]}}})"));
}

int count_if(kube::BlockingApi& api, const client::Gvr& kind,
             const std::function<bool(const Value&)>& holds) {
  const auto all = api.list_all({.resource = kind});
  if (!all.ok()) return 0;
  int count = 0;
  for (const Value& each : all->items) count += holds(each) ? 1 : 0;
  return count;
}

class Fleet {
 public:
  Fleet(kube::Server& server, const Sizes& sizes)
      : server_(server), sizes_(sizes), api_(server.kubeconfig(), {.rate = {.per_second = 0}}) {}
  ~Fleet() {
    api_.on_loop([this] { agents_.clear(); });
  }

  void run() {
    tell("empty");
    bench::send_all(api_, sizes_.clusters, [](client::Api& to, int i, client::Done done) {
      to.create({.resource = fleet::managed_clusters()},
                Value::object({{"apiVersion", "cluster.open-cluster-management.io/v1"},
                               {"kind", "ManagedCluster"},
                               {"metadata", Value::object({{"name", name_of(i)}})},
                               {"spec", Value::object({{"hubAcceptsClient", true}})}}),
                {}, std::move(done));
    });
    say("accepted after", until(fleet::managed_clusters(), [](const Value& cluster) {
          return api::is_condition_true(cluster, fleet::kAccepted);
        }));
    start_agents();
    say("available after", until(fleet::managed_clusters(), [](const Value& cluster) {
          return api::is_condition_true(cluster, fleet::kAvailable);
        }));
    install(api_);
    say("the add-on is in place after",
        until(add_on_resource("managedclusteraddons"), in_place(1)));
    rest();
    for (int version = 2; version <= 4; ++version) change(version);
    tell("in the end");
  }

 private:
  void say(const char* what, double seconds) const {
    std::puts(fmt::format("{:34} {:7.2f} s", what, seconds).c_str());
    std::fflush(stdout);
  }

  void tell(const char* when) {
    std::puts(fmt::format("hub {:12} memory {:6.1f} MB (peak {:6.1f}), CPU so far {:6.2f} s", when,
                          megabytes(hub(), "VmRSS"), megabytes(hub(), "VmHWM"), cpu_seconds(hub()))
                  .c_str());
    std::fflush(stdout);
  }

  pid_t hub() { return server_.process().id(); }

  double until(const client::Gvr& kind, const std::function<bool(const Value&)>& holds) {
    const auto all = [&] {
      std::this_thread::sleep_for(200ms);  // Looking costs the hub something, too.
      return count_if(api_, kind, holds) == sizes_.clusters;
    };
    return bench::wait_for(all, 600s);
  }

  void start_agents() {
    const Identities identities(server_.folder() / "pki", server_.url());
    for (int i = 0; i < sizes_.clusters; ++i) {
      const client::ClientConfig config = identities.config(name_of(i), api_.env().clock.now());
      api_.on_loop(
          [&] { agents_.push_back(std::make_unique<Agent>(api_.env(), config, name_of(i))); });
    }
  }

  // The hub has heard that the cluster has that version.
  static std::function<bool(const Value&)> in_place(int version) {
    return [hash = fleet::spec_hash(configuration(version))](const Value& managed) {
      bool has_it = false;
      for (const Value& reference :
           api::elements_field(api::field(managed, "status"), "configReferences")) {
        const Value& applied = api::field(reference, "lastAppliedConfig");
        has_it = has_it || api::text_field(applied, "specHash") == hash;
      }
      return has_it && api::is_condition_true(managed, "Available");
    };
  }

  bool have_all(const std::string& image) {
    bool all = true;
    api_.on_loop([&] {
      for (const auto& agent : agents_) all = all && agent->image() == image;
    });
    return all;
  }

  void change(int version) {
    const std::string image = fmt::format("registry.example.com/agent:v{}", version);
    const double cpu = cpu_seconds(hub());
    (void)api_.patch(
        {.resource = add_on_resource("addondeploymentconfigs"), .ns = "default", .name = "config"},
        Value::object({{"spec", api::field(configuration(version), "spec")}}), {});
    const double reached = bench::wait_for([&] { return have_all(image); }, 600s);
    const double known =
        reached + until(add_on_resource("managedclusteraddons"), in_place(version));
    std::puts(
        fmt::format("a change reached all agents after {:6.2f} s, the hub knows after {:6.2f} s, "
                    "CPU of the hub {:6.2f} s",
                    reached, known, cpu_seconds(hub()) - cpu)
            .c_str());
    std::fflush(stdout);
  }

  void rest() {
    std::this_thread::sleep_for(20s);
    tell("at rest");
    const double before = cpu_seconds(hub());
    std::this_thread::sleep_for(std::chrono::seconds(sizes_.seconds));
    std::puts(fmt::format("CPU of the hub at rest: {:.2f} % of one core over {} s",
                          (cpu_seconds(hub()) - before) * 100 / sizes_.seconds, sizes_.seconds)
                  .c_str());
    std::fflush(stdout);
  }

  kube::Server& server_;
  Sizes sizes_;
  kube::BlockingApi api_;
  std::vector<std::unique_ptr<Agent>> agents_;
};

int measure(const Sizes& sizes) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const auto server =
      kube::Server::start({.kind = kube::ServerKind::EmbeddedHub,
                           .controllers = "clustersets,placement,registration,addons"});
  if (!server.ok()) {
    std::fprintf(stderr, "%s\n", server.error().message.c_str());
    return 1;
  }
  bench::print_load("before");
  std::puts(
      fmt::format("{} clusters, one add-on ({}) with one work on each:", sizes.clusters, kAddOn)
          .c_str());
  Fleet(**server, sizes).run();
  bench::print_load("after");
  return 0;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  return berth::measure({.clusters = berth::bench::number_at(words, 1, 1000),
                         .seconds = berth::bench::number_at(words, 2, 120)});
}
