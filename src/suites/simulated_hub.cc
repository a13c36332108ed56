// Tested by installing_test.cc.
#include "suites/simulated_hub.h"

#include <deque>
#include <utility>

#include <fmt/format.h>

#include "api/metadata.h"
#include "apiserver/api_service.h"
#include "apiserver/certificates/signing.h"
#include "apiserver/kinds/kinds_files.h"
#include "base/base64.h"
#include "base/check.h"
#include "base/strings.h"
#include "fleet/registration/cluster_rights.h"
#include "fleet/registration/names.h"
#include "fleet/registration/resources.h"
#include "http/server_service.h"
#include "json/parse.h"
#include "json/print.h"
#include "store/durable_store_service.h"
#include "suites/seeded_keys.h"
#include "upkeep/upkeep_service.h"

namespace berth::suites {
namespace {

using client::Gvr;
using client::ResourcePath;
using json::Value;

constexpr std::uint16_t kPort = 6443;
constexpr std::string_view kIssuer = "https://hub.test";
constexpr std::string_view kBootstrapToken = "bootstrap-token";
constexpr Duration kLongLife = std::chrono::hours(24 * 3650);

std::string url() { return fmt::format("https://{}:{}", SimulatedHub::kHost, kPort); }

std::shared_ptr<const apiserver::HubFacts> make_facts() {
  const pki::PrivateKey key = pki::PrivateKey::generate();
  const std::string tokens = fmt::format("{},system:serviceaccount:{}:{},1\n", kBootstrapToken,
                                         fleet::kHubNamespace, fleet::kBootstrapAccount);
  return std::make_shared<apiserver::HubFacts>(apiserver::HubFacts{
      .kinds = std::make_shared<apiserver::BuiltinKinds>(apiserver::read_builtin_kinds()),
      .messages = std::make_shared<apiserver::MessageTable>(apiserver::read_kinds_file("protobuf")),
      .authenticator = apiserver::Authenticator(
          {.issuer = std::string(kIssuer),
           .audiences = {std::string(kIssuer)},
           .keys = {key.public_key()},
           .static_tokens = apiserver::StaticTokens::parse(tokens).value()}),
      .token_issuer = {.issuer = std::string(kIssuer),
                       .audiences = {std::string(kIssuer)},
                       .key = key},
      .address = fmt::format("{}:{}", SimulatedHub::kHost, kPort)});
}

// Between the network and the server: a bad moment instead of an answer.
class BadMoments final : public http::Handler {
 public:
  BadMoments(http::Handler& server, std::function<int()> trouble)
      : server_(server), trouble_(std::move(trouble)) {}

  void on_request(http::ServerRequest request, http::Answer answer) override {
    if (const int status = trouble_()) {
      return answer.send({.status = status}, http::Body(std::string("trouble")));
    }
    server_.on_request(std::move(request), std::move(answer));
  }
  void on_refused(const http::ServerRequest& request, const Error& error,
                  http::Answer answer) override {
    server_.on_refused(request, error, std::move(answer));
  }

 private:
  http::Handler& server_;
  std::function<int()> trouble_;
};

apiserver::ApiRequest request_for(http::Method method, const ResourcePath& path) {
  const std::string target = client::path_of(path).value() + "?fieldManager=admin";
  apiserver::ApiRequest request;
  request.info = apiserver::read_request_info(method, target).value();
  request.query = http::parse_query(http::split_target(target).query).value();
  const bool is_patch = method == http::Method::Patch;
  request.headers.add("content-type",
                      is_patch ? "application/merge-patch+json" : "application/json");
  return request;
}

}  // namespace

// What one process has, from its start to its crash.
struct SimulatedHub::Life {
  Life(SimulatedHub& owner, std::unique_ptr<store::DurableStore> opened, std::span<env::Env> loops)
      : hub(owner),
        server_env(loops[1]),
        inner_env(loops[2]),
        store(std::move(opened)),
        api({server_env.clock, server_env.loop, server_env.entropy, server_env.log,
             server_env.metrics},
            *store, hub.facts_, {}, {}),
        moments(api, hub.setup_.trouble),
        server({server_env.clock, server_env.loop}, moments, {}) {
    store->follow(server_env.loop,
                  scope.guard([this](const store::BatchPtr& batch) { hub.note(batch); }));
    for (apiserver::ApiRequest& request :
         apiserver::bootstrap_requests(hub.setup_.definitions, hub.authority_.certificate.pem())) {
      to_install.push_back(std::move(request));
    }
    server_env.loop.post(scope.guard([this] { install(); }));
  }

  // One after the other: what comes later needs what came before. Then everybody may come.
  void install() {
    if (to_install.empty()) return open();
    apiserver::ApiRequest request = std::move(to_install.front());
    to_install.pop_front();
    api.perform(std::move(request), scope.guard([this](const apiserver::Response& response) {
      CHECK(response.status < 300);
      server_env.loop.post(scope.guard([this] { install(); }));
    }));
  }

  void open() {
    std::vector<env::Seat> seats;
    seats.push_back(server.seat(server_env.network));
    listener = server_env.network
                   .listen({.address = {.host = std::string(kHost), .port = kPort}, .tls = tls()},
                           std::move(seats))
                   .value();
    inner_env.loop.post(scope.guard([this] { begin_work(); }));
  }

  env::TlsServer tls() const {
    const std::string authority = hub.authority_.certificate.pem();
    const pki::Identity identity =
        pki::issue_serving(hub.authority_, std::string(kHost), {.dns = {std::string(kHost)}},
                           {.now = server_env.clock.now(), .life = kLongLife})
            .value();
    return {.identity = {.certificates_pem = identity.certificate.pem() + authority,
                         .key_pem = identity.key.pem()},
            .client_certificate = env::ClientCertificate::Request,
            .client_authorities_pem = authority,
            .protocols = http::server_protocols()};
  }

  void begin_work() {
    upkeep = std::make_unique<upkeep::Upkeep>(
        inner_env, hub.client_of("system:berth-upkeep"),
        upkeep::UpkeepSettings{
            .ca_pem = hub.authority_.certificate.pem(),
            .sign_token = nullptr,
            .sign_certificate = [this](const Value& csr, Time now) { return sign(csr, now); }});
    upkeep->start();
    controllers = hub.setup_.controllers(inner_env, hub.client_of("system:berth-controllers"));
  }

  // With the authority's own certificate behind it: by that, simulated TLS knows it.
  Result<std::string> sign(const Value& csr, Time now) const {
    ASSIGN_OR_RETURN(
        const auto done,
        apiserver::sign_csr(
            csr, {.authority = hub.authority_, .life_max = hub.setup_.certificate_life}, now));
    const Value* certificate = done ? done->find_path({"status", "certificate"}) : nullptr;
    if (!certificate) return failure(Code::Invalid, "this signer does not sign such requests");
    ASSIGN_OR_RETURN(const std::string pem, decode_base64(certificate->string_or_empty()));
    return pem + hub.authority_.certificate.pem();
  }

  SimulatedHub& hub;
  env::Env& server_env;
  env::Env& inner_env;
  std::unique_ptr<store::DurableStore> store;
  apiserver::ApiServer api;
  BadMoments moments;
  http::Server server;
  std::deque<apiserver::ApiRequest> to_install;
  std::unique_ptr<env::Listener> listener;
  std::unique_ptr<upkeep::Upkeep> upkeep;
  std::shared_ptr<void> controllers;
  env::Scope scope;
};

SimulatedHub::SimulatedHub(sim::World& world, HubSetup setup)
    : world_(world),
      setup_(std::move(setup)),
      authority_((seed_keys(world.options().seed),
                  pki::Authority::make("hub-ca", sim::NodeClock::kBeginning - std::chrono::hours(1),
                                       kLongLife))),
      facts_(make_facts()),
      seen_(std::make_shared<store::Snapshot>()) {
  world_.add_node(std::string(kHost), {.loops = 3}).start([this](std::span<env::Env> loops) {
    // A machine may lose power while it reads its disk.
    auto store = store::DurableStore::open(loops[0], {.directory = "/data"}, [](const Error&) {});
    if (!store.ok()) return std::shared_ptr<Life>();
    auto life = std::make_shared<Life>(*this, *std::move(store), loops);
    life_ = life;
    return life;
  });
}

client::Kubeconfig SimulatedHub::bootstrap() const {
  client::Kubeconfig kubeconfig;
  kubeconfig.clusters["hub"] = {.server = url(),
                                .certificate_authority = {.data = authority_.certificate.pem()}};
  kubeconfig.users["bootstrap"] = {.token = std::string(kBootstrapToken)};
  kubeconfig.contexts["bootstrap"] = {.cluster = "hub", .user = "bootstrap"};
  kubeconfig.current_context = "bootstrap";
  return kubeconfig;
}

client::ClientConfig SimulatedHub::client_of(const std::string& user) const {
  const pki::Identity identity =
      pki::issue_client(authority_, {.common_name = user, .organizations = {"system:masters"}},
                        {.now = now(), .life = kLongLife})
          .value();
  client::ClientConfig config{.server = http::parse_url(url()).value()};
  config.tls.certificate_authority.data = authority_.certificate.pem();
  config.tls.client_certificate.data = identity.certificate.pem() + authority_.certificate.pem();
  config.tls.client_key.data = identity.key.pem();
  return config;
}

Time SimulatedHub::now() const {
  return world_.node(std::string(kHost)).clock().wall(world_.now());
}

void SimulatedHub::note(const store::BatchPtr& batch) {
  for (const store::EntryChange& change : batch->changes) {
    if (change.revision <= noted_) continue;
    noted_ = change.revision;
    setup_.on_change(change);
  }
  if (const auto life = life_.lock()) seen_ = life->store->snapshot();
}

store::SnapshotPtr SimulatedHub::snapshot() const {
  const auto life = life_.lock();
  return life ? life->store->snapshot() : seen_;
}

std::optional<Value> SimulatedHub::find(const Gvr& resource, const std::string& key) const {
  const store::EntryPtr entry = snapshot()->table(resource.text()).find(key);
  if (!entry) return std::nullopt;
  return json::parse(entry->text).value();
}

std::vector<Value> SimulatedHub::list(const Gvr& resource, const std::string& ns) const {
  const std::string prefix = ns.empty() ? "" : ns + "/";
  std::vector<Value> objects;
  snapshot()
      ->table(resource.text())
      .visit(prefix, [&](std::string_view name, const store::EntryPtr& entry) {
        if (!name.starts_with(prefix)) return false;
        objects.push_back(json::parse(entry->text).value());
        return true;
      });
  return objects;
}

void SimulatedHub::ask(http::Method method, const ResourcePath& path, std::string body,
                       const apiserver::User& user) const {
  const auto life = life_.lock();
  if (!is_up()) return;
  apiserver::ApiRequest request = request_for(method, path);
  request.body = std::move(body);
  request.user = user;
  life->server_env.loop.post(
      life->scope.guard([&api = life->api, request = std::move(request)]() mutable {
        api.perform(std::move(request), [](const apiserver::Response&) {});
      }));
}

std::vector<std::string> SimulatedHub::keys_in(const std::string& ns) const {
  const std::string prefix = ns + "/";
  const store::SnapshotPtr objects = snapshot();
  std::vector<std::string> keys;
  for (const auto& named : objects->tables().all()) {
    named->table.visit(prefix, [&](std::string_view name, const store::EntryPtr&) {
      if (name.starts_with(prefix)) keys.push_back(fmt::format("{}/{}", named->name, name));
      return name.starts_with(prefix);
    });
  }
  return keys;
}

void SimulatedHub::create(const Gvr& resource, const Value& object,
                          const apiserver::User& user) const {
  ask(http::Method::Post,
      {.resource = resource, .ns = std::string(api::Metadata(object).namespace_name())},
      json::print(object), user);
}

void SimulatedHub::update(const ResourcePath& path, const Value& object) const {
  ask(http::Method::Put, path, json::print(object));
}

void SimulatedHub::merge(const ResourcePath& path, const Value& patch) const {
  ask(http::Method::Patch, path, json::print(patch));
}

void SimulatedHub::remove(const ResourcePath& path) const { ask(http::Method::Delete, path, {}); }

Value plain_definition(const Gvr& resource, const std::string& kind, KindScope scope) {
  const Value anything =
      Value::object({{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}});
  const Value version =
      Value::object({{"name", resource.version},
                     {"served", true},
                     {"storage", true},
                     {"subresources", Value::object({{"status", Value::object()}})},
                     {"schema", Value::object({{"openAPIV3Schema", anything}})}});
  return Value::object(
      {{"apiVersion", "apiextensions.k8s.io/v1"},
       {"kind", "CustomResourceDefinition"},
       {"metadata", Value::object({{"name", resource.text()}})},
       {"spec", Value::object({{"group", resource.group},
                               {"scope", scope == KindScope::Cluster ? "Cluster" : "Namespaced"},
                               {"names", Value::object({{"plural", resource.resource},
                                                        {"singular", lower_ascii(kind)},
                                                        {"kind", kind},
                                                        {"listKind", kind + "List"}})},
                               {"versions", Value::array({version})}})}});
}

}  // namespace berth::suites
