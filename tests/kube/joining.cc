#include "kube/joining.h"

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/base64.h"
#include "client/errors.h"
#include "fleet/registration/cluster_rights.h"
#include "fleet/registration/renewal_approval.h"
#include "fleet/registration/resources.h"
#include "json/parse.h"
#include "kube/commands.h"
#include "kube/contents.h"
#include "kube/crds.h"
#include "kube/objects.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;

std::unique_ptr<Server> start_server() {
  auto server = start_with_berth_crds();
  EXPECT_TRUE(server.ok()) << server.error().message;
  if (!server.ok()) return nullptr;
  const Status guarded = apply_berth_guards(**server);
  EXPECT_TRUE(guarded.ok()) << guarded.error().message;
  return *std::move(server);
}

void make_node(BlockingApi& api) {
  const Value node = json::parse(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"node1"},
      "status":{"capacity":{"cpu":"4","memory":"8Gi"},
                "allocatable":{"cpu":"3500m","memory":"7Gi"},
                "conditions":[{"type":"Ready","status":"True","reason":"Test",
                               "lastTransitionTime":"2026-01-01T00:00:00Z",
                               "lastHeartbeatTime":"2026-01-01T00:00:00Z"}]}})")
                         .value();
  create_whole(api, node);
  // Kubernetes taints nodes that are new.
  const auto untainted = api.patch({.resource = {"", "v1", "nodes"}, .name = "node1"},
                                   json::parse(R"({"spec":{"taints":null}})").value(), {});
  EXPECT_TRUE(untainted.ok()) << untainted.error().message;
}

void create_if_missing(BlockingApi& api, const client::ResourcePath& path, const Value& object) {
  const auto made = api.create(path, object);
  EXPECT_TRUE(made.ok() || client::is_already_exists(made.error())) << made.error().message;
}

}  // namespace

std::unique_ptr<Joining> Joining::start(const Options& options) {
  std::unique_ptr<Joining> joining(new Joining);
  joining->hub_server_ = start_server();
  joining->cluster_server_ = start_server();
  if (!joining->hub_server_ || !joining->cluster_server_) return nullptr;
  joining->hub_ = std::make_unique<BlockingApi>(joining->hub_server_->kubeconfig());
  joining->cluster_ = std::make_unique<BlockingApi>(joining->cluster_server_->kubeconfig());
  joining->hub_caretaker_ = std::make_unique<Caretaker>(*joining->hub_server_);
  joining->cluster_caretaker_ = std::make_unique<Caretaker>(*joining->cluster_server_);
  if (!options.controllers.empty()) {
    auto controllers = start_controllers(*joining->hub_server_, options.controllers);
    EXPECT_TRUE(controllers.ok()) << controllers.error().message;
    if (controllers.ok()) joining->controllers_ = *std::move(controllers);
  }
  make_node(*joining->cluster_);
  return joining;
}

std::string Joining::hub_authority() const {
  return contents(hub_server_->folder() / "pki" / "ca.crt");
}

std::filesystem::path Joining::bootstrap_kubeconfig() {
  const std::string ns(fleet::kHubNamespace);
  create_if_missing(*hub_, {.resource = fleet::namespaces()},
                    Value::object({{"metadata", Value::object({{"name", ns}})}}));
  create_if_missing(*hub_, {.resource = fleet::service_accounts(), .ns = ns},
                    fleet::bootstrap_account());
  create_if_missing(*hub_, {.resource = fleet::cluster_roles()}, fleet::bootstrap_role());
  create_if_missing(*hub_, {.resource = fleet::cluster_role_bindings()},
                    fleet::bootstrap_binding());
  const auto token = hub_->create({.resource = fleet::service_accounts(),
                                   .ns = ns,
                                   .name = std::string(fleet::kBootstrapAccount),
                                   .subresource = "token"},
                                  Value::object({{"apiVersion", "authentication.k8s.io/v1"},
                                                 {"kind", "TokenRequest"},
                                                 {"spec", Value::object()}}));
  EXPECT_TRUE(token.ok()) << token.error().message;
  const std::filesystem::path path = hub_server_->folder() / "bootstrap.kubeconfig";
  std::ofstream(path) << fmt::format(
      "apiVersion: v1\nkind: Config\ncurrent-context: hub\n"
      "clusters:\n- name: hub\n  cluster:\n    server: {}\n    certificate-authority-data: {}\n"
      "users:\n- name: bootstrap\n  user:\n    token: {}\n"
      "contexts:\n- name: hub\n  context:\n    cluster: hub\n    user: bootstrap\n",
      hub_server_->url(), encode_base64(hub_authority()),
      token.ok() ? api::text_field(api::field(*token, "status"), "token") : "");
  return path;
}

std::unique_ptr<RegisteredAgent> Joining::agent(const std::string& name,
                                                fleet::RegistrationSettings settings) {
  settings.name.cluster = name;
  return std::make_unique<RegisteredAgent>(
      RegisteredAgent::Options{.cluster = *cluster_server_,
                               .bootstrap = bootstrap_kubeconfig(),
                               .settings = std::move(settings),
                               .secret = "hub-of-" + name});
}

Value Joining::managed_cluster(const std::string& name) {
  auto cluster = hub_->get({.resource = fleet::managed_clusters(), .name = name});
  return cluster.ok() ? *std::move(cluster) : Value();
}

std::string Joining::condition(const std::string& cluster, std::string_view type) {
  const Value object = managed_cluster(cluster);
  const Value* found =
      api::find_condition(api::field(api::field(object, "status"), "conditions"), type);
  if (!found) return "none";
  return api::text_field(*found, "status") + " " + api::text_field(*found, "reason");
}

bool Joining::eventually(const std::string& cluster, std::string_view type,
                         const std::string& expected) {
  std::string last;
  const bool came = wait_until([&] {
    last = condition(cluster, type);
    return last == expected;
  });
  EXPECT_TRUE(came) << cluster << " " << type << ": " << last;
  return came;
}

std::vector<Value> Joining::requests_of(const std::string& cluster) {
  std::vector<Value> found;
  const auto all = hub_->list_all({.resource = fleet::certificate_requests()});
  EXPECT_TRUE(all.ok()) << all.error().message;
  if (!all.ok()) return found;
  for (const Value& request : all->items) {
    if (api::read_facts(request).label(fleet::kClusterNameLabel) == cluster) {
      found.push_back(request);
    }
  }
  return found;
}

void Joining::approve_requests(const std::string& cluster) {
  for (const Value& request : requests_of(cluster)) {
    if (!fleet::is_undecided(request)) continue;
    const auto done = hub_->update(
        {.resource = fleet::certificate_requests(),
         .name = api::read_facts(request).name,
         .subresource = "approval"},
        fleet::approved(request, "Test", "by the administrator", hub_->env().clock.now()));
    EXPECT_TRUE(done.ok()) << done.error().message;
  }
}

void Joining::set_accepted(const std::string& cluster, bool accepted) {
  const auto done =
      hub_->patch({.resource = fleet::managed_clusters(), .name = cluster},
                  Value::object({{"spec", Value::object({{"hubAcceptsClient", accepted}})}}), {});
  EXPECT_TRUE(done.ok()) << done.error().message;
}

void Joining::accept(const std::string& cluster) {
  EXPECT_TRUE(wait_until([&] { return !requests_of(cluster).empty(); })) << "nobody asked";
  EXPECT_TRUE(wait_until([&] { return !managed_cluster(cluster).is_null(); }));
  approve_requests(cluster);
  set_accepted(cluster, true);
}

void Joining::make_accepted(const std::string& cluster) {
  create_if_missing(*hub_, {.resource = fleet::managed_clusters()},
                    Value::object({{"apiVersion", "cluster.open-cluster-management.io/v1"},
                                   {"kind", "ManagedCluster"},
                                   {"metadata", Value::object({{"name", cluster}})},
                                   {"spec", Value::object({{"hubAcceptsClient", true}})}}));
  eventually(cluster, fleet::kAccepted, "True HubClusterAdminAccepted");
}

pki::Identity Joining::issue(const fleet::AgentName& name, Time when, Duration life) {
  return pki::issue_client(authority_of(*hub_server_),
                           {.common_name = fleet::user_of(name),
                            .organizations = {fleet::group_of(name.cluster),
                                              std::string(fleet::kManagedClustersGroup)}},
                           {.now = when, .life = life})
      .value();
}

void Joining::store_identity(const fleet::AgentName& name, const pki::Identity& identity) {
  const fleet::HubEndpoint endpoint{
      .entry = "hub", .server = hub_server_->url(), .authority_pem = hub_authority()};
  const fleet::HubSecret secret = fleet::with_certificate(
      {{fleet::kPendingKey, identity.key.pem()}}, endpoint, name, identity.certificate.pem());
  const std::string ns(fleet::kAgentNamespace);
  create_if_missing(*cluster_, {.resource = fleet::namespaces()},
                    Value::object({{"metadata", Value::object({{"name", ns}})}}));
  Value object = Value::object(
      {{"metadata", Value::object({{"name", "hub-of-" + name.cluster}, {"namespace", ns}})}});
  for (const auto& [key, bytes] : secret) object["data"][key] = encode_base64(bytes);
  create_if_missing(*cluster_, {.resource = fleet::secrets(), .ns = ns}, object);
}

Value Joining::stored_identity(const std::string& cluster) {
  const auto secret = cluster_->get({.resource = fleet::secrets(),
                                     .ns = std::string(fleet::kAgentNamespace),
                                     .name = "hub-of-" + cluster});
  return secret.ok() ? api::field(*secret, "data") : Value();
}

std::filesystem::path Joining::agent_kubeconfig(const fleet::AgentName& name) {
  const pki::Identity identity = issue(name, hub_->env().clock.now(), std::chrono::hours(1));
  const std::filesystem::path path =
      hub_server_->folder() / (name.cluster + "-" + name.agent + ".kubeconfig");
  std::ofstream(path) << fmt::format(
      "apiVersion: v1\nkind: Config\ncurrent-context: hub\n"
      "clusters:\n- name: hub\n  cluster:\n    server: {}\n    certificate-authority-data: {}\n"
      "users:\n- name: agent\n  user:\n    client-certificate-data: {}\n"
      "    client-key-data: {}\n"
      "contexts:\n- name: hub\n  context:\n    cluster: hub\n    user: agent\n",
      hub_server_->url(), encode_base64(hub_authority()), encode_base64(identity.certificate.pem()),
      encode_base64(identity.key.pem()));
  return path;
}

}  // namespace berth::kube
