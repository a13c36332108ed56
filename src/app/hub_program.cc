#include "app/hub_program.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "apiserver/bootstrap.h"
#include "apiserver/certificates/signing.h"
#include "apiserver/kinds/kinds_files.h"
#include "app/embedded_files.h"
#include "app/hub_installation.h"
#include "app/key_modes.h"
#include "base/base64.h"
#include "base/rfc3339.h"
#include "env/files.h"
#include "http/url.h"
#include "json/yaml_read.h"

namespace berth::app {
namespace {

constexpr std::string_view kIssuer = "https://kubernetes.default.svc.cluster.local";
constexpr std::size_t kTokenFileBytesMax = 1 << 20;
constexpr Duration kLookPeriod = std::chrono::minutes(10);  // It serves nothing of other servers.

// What agents need in their cluster; the hub needs all.
constexpr std::string_view kDefinitionsOfClusters[] = {"deploy/crds/appliedmanifestworks.yaml",
                                                       "deploy/crds/clusterclaims.yaml"};

bool is_of_clusters(std::string_view path) {
  return std::ranges::find(kDefinitionsOfClusters, path) != std::end(kDefinitionsOfClusters);
}

Result<std::vector<json::Value>> shipped_definitions(bool (*is_wanted)(std::string_view)) {
  std::vector<json::Value> definitions;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("deploy/crds/") || !is_wanted(file.path)) continue;
    ASSIGN_OR_RETURN(json::Value definition, json::read_one_yaml(file.text));
    definitions.push_back(std::move(definition));
  }
  return definitions;
}

// In PEM, for a CertificateSigningRequest that was approved.
Result<std::string> signed_certificate(const pki::Authority& authority, const json::Value& csr,
                                       Time now) {
  ASSIGN_OR_RETURN(
      const auto signed_csr,
      apiserver::sign_csr(csr, {.authority = authority, .life_max = kCertificateLife}, now));
  const json::Value* certificate =
      signed_csr ? signed_csr->find_path({"status", "certificate"}) : nullptr;
  if (!certificate) return failure(Code::Invalid, "this signer does not sign such requests");
  return decode_base64(certificate->string_or_empty());
}

// Runs it on the loop and waits for what it says.
template <typename Task>
Status run_status_on(env::Loop& loop, Task task) {
  Status status;
  runtime::run_on(loop, [&status, &task] { status = task(); });
  return status;
}

}  // namespace

std::string cluster_url(const std::string& hub_url, const std::string& cluster) {
  return hub_url + std::string(apiserver::kClustersPath) + cluster;
}

HubProgram::HubProgram(runtime::System& system, HubSettings settings, Failed failed)
    : system_(system), settings_(std::move(settings)), failed_(std::move(failed)) {}

HubProgram::~HubProgram() { stop(); }

Status HubProgram::start() {
  env::Env& env = store_env();
  RETURN_IF_ERROR(check_key_modes(settings_.directory));
  for (const std::string& path :
       open_to_everybody({settings_.keys.key_file, settings_.token_file})) {
    env.log.warn("hub.secret_open_to_everybody", {{"file", path}});
  }
  auto keys = HubKeys::open(env.disk, settings_.keys, env.clock.now());
  if (!keys.ok()) return failure(std::move(keys).error());
  keys_ = std::make_unique<HubKeys>(*std::move(keys));
  RETURN_IF_ERROR(open_store());
  RETURN_IF_ERROR(make_facts());
  RETURN_IF_ERROR(make_servers());
  RETURN_IF_ERROR(install_bootstrap());
  RETURN_IF_ERROR(open_door());
  return start_controllers();
}

Status HubProgram::open_store() {
  env::Env& env = store_env();
  return run_status_on(env.loop, [this, &env]() -> Status {
    auto opened = store::DurableStore::open(
        env,
        {.directory = settings_.directory + "/store", .history = {.age = settings_.watch_history}},
        [this](const Error& why) { failed_(why); });
    if (!opened.ok()) return failure(std::move(opened).error());
    store_ = *std::move(opened);
    return {};
  });
}

Status HubProgram::make_facts() {
  apiserver::StaticTokens tokens;
  if (!settings_.token_file.empty()) {
    ASSIGN_OR_RETURN(const std::string text,
                     env::read_file(store_env().disk, settings_.token_file, kTokenFileBytesMax));
    ASSIGN_OR_RETURN(tokens, apiserver::StaticTokens::parse(text));
  }
  facts_ = std::make_shared<apiserver::HubFacts>(apiserver::HubFacts{
      .kinds = std::make_shared<apiserver::BuiltinKinds>(apiserver::read_builtin_kinds()),
      .messages = std::make_shared<apiserver::MessageTable>(apiserver::read_kinds_file("protobuf")),
      .authenticator = apiserver::Authenticator({.issuer = std::string(kIssuer),
                                                 .audiences = {std::string(kIssuer)},
                                                 .keys = {keys_->token_key().public_key()},
                                                 .static_tokens = std::move(tokens)}),
      .token_issuer = {.issuer = std::string(kIssuer),
                       .audiences = {std::string(kIssuer)},
                       .key = keys_->token_key()},
      .address = env::to_string(settings_.listen)});
  return {};
}

// Its tokens and certificates are good for nothing but it.
Facts HubProgram::cluster_facts(const std::string& cluster) const {
  const std::string issuer = cluster_url(std::string(kIssuer), cluster);
  return std::make_shared<apiserver::HubFacts>(apiserver::HubFacts{
      .kinds = facts_->kinds,
      .messages = facts_->messages,
      .authenticator = apiserver::Authenticator({.issuer = issuer,
                                                 .audiences = {issuer},
                                                 .keys = {keys_->token_key().public_key()},
                                                 .cluster = cluster}),
      .token_issuer = {.issuer = issuer, .audiences = {issuer}, .key = keys_->token_key()},
      .address = facts_->address});
}

Status HubProgram::make_servers() {
  if (!settings_.audit_file.empty()) {
    RETURN_IF_ERROR(run_status_on(controllers_env().loop, [this]() -> Status {
      ASSIGN_OR_RETURN(audit_, AuditLog::open(controllers_env(), settings_.audit_file));
      return {};
    }));
  }
  HubSeatSettings settings{.hub = facts_,
                           .limits = {.requests_per_user = settings_.requests_per_user,
                                      .history = {.age = settings_.watch_history}},
                           .http = settings_.http};
  for (const std::string& cluster : settings_.clusters) {
    settings.clusters[cluster] = cluster_facts(cluster);
  }
  for (std::size_t i = 0; i < io_loops(); ++i) {
    env::Env& env = system_.env(i);
    runtime::run_on(env.loop, [this, &env, &settings] {
      apiserver::AuditSink audit = audit_ ? audit_->sink() : apiserver::AuditSink();
      seats_.push_back(std::make_unique<HubSeat>(env, *store_, settings, std::move(audit)));
      add_backup_route(*seats_.back());
    });
  }
  return {};
}

// POST /backup writes DATA-DIR/backups/TIME.db and says so. One at a time.
void HubProgram::add_backup_route(HubSeat& seat) {
  seat.hub().add_route("/backup", [this, &seat](const apiserver::ApiRequest&,
                                                apiserver::ApiServer::Performed done) {
    env::Env& env = controllers_env();
    auto answer = [&loop = seat.env().loop, done = std::move(done)](
                      const Result<store::BackupReport>& report, const std::string& path) mutable {
      apiserver::Response response =
          report.ok()
              ? apiserver::json_response(200, json::Value::object({{"file", path},
                                                                   {"revision", report->revision},
                                                                   {"objects", report->objects}}))
              : apiserver::refusal_response(report.error());
      loop.post([done = std::move(done), response = std::move(response)]() mutable {
        done(std::move(response));
      });
    };
    env.loop.post([this, &env, answer = std::move(answer)]() mutable {
      const std::string folder = settings_.directory + "/backups";
      const std::string path = fmt::format("{}/{}.db", folder, format_seconds(env.clock.now()));
      if (backup_) {
        return answer(failure(Code::TooManyRequests, "a backup is under way"), path);
      }
      if (const Status made = env.disk.create_directory(folder); !made.ok()) {
        return answer(failure(made.error()), path);
      }
      backup_ = std::make_unique<store::Backup>(
          env.loop, env.disk, store::Backup::Options{.snapshot = store_->snapshot(), .path = path},
          [this, &env, path,
           answer = std::move(answer)](Result<store::BackupReport> report) mutable {
            answer(report, path);
            env.loop.post([this] { backup_.reset(); });
          });
    });
  });
}

Status HubProgram::install_bootstrap() {
  HubSeat& seat = *seats_.front();
  ASSIGN_OR_RETURN(const std::vector<json::Value> all,
                   shipped_definitions([](std::string_view) { return true; }));
  RETURN_IF_ERROR(install(
      seat.env().loop, {{.server = &seat.hub(),
                         .requests = apiserver::bootstrap_requests(all, keys_->authority_pem())}}));
  ASSIGN_OR_RETURN(const std::vector<json::Value> few, shipped_definitions(is_of_clusters));
  std::vector<Installation> clusters;
  for (const std::string& cluster : settings_.clusters) {
    clusters.push_back(
        {.server = &seat.cluster(cluster), .requests = apiserver::cluster_bootstrap_requests(few)});
  }
  return install(seat.env().loop, std::move(clusters));
}

Status HubProgram::open_door() {
  env::Env& env = seats_.front()->env();
  return run_status_on(env.loop, [this, &env]() -> Status {
    ASSIGN_OR_RETURN(door_, HubDoor::open(env, *keys_,
                                          {.listen = settings_.listen,
                                           .kubeconfig_path = kubeconfig_path(),
                                           .seats = [this] { return server_seats(); }}));
    return {};
  });
}

std::vector<env::Seat> HubProgram::server_seats() {
  std::vector<env::Seat> seats;
  for (const auto& seat : seats_) seats.push_back(seat->seat());
  return seats;
}

client::ClientConfig HubProgram::client_of(const env::TlsIdentity& identity, http::Url url) const {
  client::ClientConfig config{.server = std::move(url)};
  config.tls.certificate_authority.data = keys_->authority_pem();
  config.tls.client_certificate.data = identity.certificates_pem;
  config.tls.client_key.data = identity.key_pem;
  return config;
}

Result<client::ClientConfig> HubProgram::inner_client(const std::string& user) {
  ASSIGN_OR_RETURN(const env::TlsIdentity identity,
                   keys_->inner_identity(user, store_env().clock.now()));
  ASSIGN_OR_RETURN(http::Url url, http::parse_url(door_->inner_url()));
  return client_of(identity, std::move(url));
}

Result<client::ClientConfig> HubProgram::inner_cluster_client(const std::string& cluster,
                                                              const std::string& user) {
  ASSIGN_OR_RETURN(const env::TlsIdentity identity,
                   keys_->inner_cluster_identity(cluster, user, store_env().clock.now()));
  ASSIGN_OR_RETURN(http::Url url, http::parse_url(cluster_url(door_->inner_url(), cluster)));
  return client_of(identity, std::move(url));
}

// Secrets with tokens that never end are not filled: TokenRequests are.
upkeep::UpkeepSettings HubProgram::upkeep_settings() {
  return {.ca_pem = keys_->authority_pem(),
          .sign_token = nullptr,
          .sign_certificate =
              [keys = keys_.get()](const json::Value& csr, Time now) {
                return signed_certificate(keys->authority(), csr, now);
              },
          .look_period = kLookPeriod,
          .feed = feed_.get()};
}

Status HubProgram::start_controllers() {
  env::Env& env = controllers_env();
  ASSIGN_OR_RETURN(client::ClientConfig inner, inner_client("system:berth-upkeep"));
  runtime::run_on(env.loop, [this, &env, &inner] {
    feed_ = std::make_unique<upkeep::StoreFeed>(env.loop, *store_);
    upkeep_ = std::make_unique<upkeep::Upkeep>(env, std::move(inner), upkeep_settings());
    upkeep_->start();
  });
  if (settings_.controllers.empty()) return {};
  ASSIGN_OR_RETURN(client::ClientConfig hub, inner_client("system:berth-controllers"));
  ControllerSettings settings{.hub = std::move(hub),
                              .rate = {.per_second = 0},  // The hub itself is fair to all.
                              .controllers = settings_.controllers,
                              .host = settings_.host,
                              .takes_over = true};
  runtime::run_on(env.loop, [this, &env, &settings] {
    controllers_ =
        std::make_unique<ControllerProgram>(env, std::move(settings), [&env](const Status& status) {
          // The hub serves on: a controller that ends is no reason to stop it.
          if (!status.ok()) {
            env.log.error("hub.controllers_ended", {{"error", status.error().message}});
          }
        });
    controllers_->start();
  });
  return {};
}

void HubProgram::reload() {
  seats_.front()->env().loop.post([this] {
    if (door_) door_->look();
  });
  controllers_env().loop.post([this] {
    if (audit_) audit_->reopen();
  });
}

void HubProgram::stop() {
  runtime::run_on(controllers_env().loop, [this] {
    controllers_.reset();
    upkeep_.reset();
    feed_.reset();
    backup_.reset();
  });
  if (door_) runtime::run_on(seats_.front()->env().loop, [this] { door_.reset(); });
  std::vector<std::future<void>> drained;
  for (const auto& seat : seats_) {
    auto done = std::make_shared<std::promise<void>>();
    drained.push_back(done->get_future());
    seat->env().loop.post([&seat = *seat, done] { seat.drain([done] { done->set_value(); }); });
  }
  for (std::future<void>& each : drained) each.wait();
  for (auto& seat : seats_) {
    env::Loop& loop = seat->env().loop;
    runtime::run_on(loop, [&seat] { seat.reset(); });
  }
  seats_.clear();
  runtime::run_on(controllers_env().loop, [this] { audit_.reset(); });
  if (store_) runtime::run_on(store_env().loop, [this] { store_.reset(); });
}

}  // namespace berth::app
