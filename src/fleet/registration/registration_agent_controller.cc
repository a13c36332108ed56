#include "fleet/registration/registration_agent_controller.h"

#include <utility>

#include <fmt/format.h>

#include "api/metadata.h"
#include "base/base64.h"
#include "base/random.h"
#include "client/errors.h"
#include "env/random.h"
#include "fleet/registration/resources.h"

namespace berth::fleet {
namespace {

using json::Value;

// How often to look whether the bootstrap kubeconfig has changed or the certificate has expired.
constexpr Duration kLookPeriod = std::chrono::seconds(30);
constexpr Duration kRetryPeriod = std::chrono::seconds(10);
constexpr Duration kClusterPeriod = std::chrono::minutes(1);
constexpr std::string_view kAnnotationPrefix = "agent.open-cluster-management.io";

AgentName invent(env::Entropy& entropy) {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  Random random(env::new_seed(entropy));
  std::string agent;
  for (int i = 0; i < 5; ++i) agent += kLetters[random.below(kLetters.size())];
  return {.cluster = env::new_uuid(entropy), .agent = agent};
}

client::ApiOptions api_options() { return {.user_agent = "berth-agent"}; }

}  // namespace

Value new_managed_cluster(const AgentName& name, const RegistrationSettings& settings) {
  Value cluster = Value::object({{"apiVersion", "cluster.open-cluster-management.io/v1"},
                                 {"kind", "ManagedCluster"},
                                 {"metadata", Value::object({{"name", name.cluster}})},
                                 {"spec", Value::object()}});
  for (const auto& [key, value] : settings.annotations) {
    if (key.starts_with(kAnnotationPrefix)) cluster["metadata"]["annotations"][key] = value;
  }
  for (const std::string& url : settings.server_urls) {
    Value config = Value::object({{"url", url}});
    if (!settings.server_authority.empty()) {
      config["caBundle"] = encode_base64(settings.server_authority);
    }
    cluster["spec"]["managedClusterClientConfigs"].push_back(std::move(config));
  }
  return cluster;
}

RegistrationAgent::RegistrationAgent(const env::Env& env, client::Api& cluster, SecretStore& store,
                                     LoadBootstrap load_bootstrap, RegistrationSettings settings,
                                     Listener listener)
    : env_(env),
      cluster_(cluster),
      store_(store),
      load_bootstrap_(std::move(load_bootstrap)),
      settings_(std::move(settings)),
      listener_(std::move(listener)),
      invented_(invent(env.entropy)) {}

RegistrationAgent::~RegistrationAgent() = default;

std::string RegistrationAgent::state() const {
  if (!trouble_.empty()) return trouble_;
  if (is_joined()) return "joined";
  if (session_) return "waits until the hub accepts the cluster";
  if (certificate_ && !certificate_->waits_for().empty()) return certificate_->waits_for();
  return "asks for a certificate";
}

bool RegistrationAgent::has_asked() const {
  return session_ || (certificate_ && certificate_->is_waiting());
}

// Everything is looked at anew; what ran before has ended.
void RegistrationAgent::begin() {
  end_phase();
  load_bootstrap_(scope_.guard([this](Result<client::Kubeconfig> bootstrap) {
    store_.load(
        scope_.guard([this, bootstrap = std::move(bootstrap)](const Result<HubSecret>& secret) {
          if (!secret.ok()) return retry("cannot read what is stored: " + secret.error().message);
          decide(bootstrap, *secret);
        }));
  }));
}

void RegistrationAgent::decide(const Result<client::Kubeconfig>& bootstrap,
                               const HubSecret& secret) {
  name_ = choose_names(settings_.name, secret, invented_);
  for (const Status& named : {check_cluster_name(name_.cluster), check_agent_name(name_.agent)}) {
    if (!named.ok()) return retry(named.error().message);
  }
  bootstrap_seen_ = bootstrap.ok() ? client::document_of(*bootstrap) : Value();
  const auto wanted =
      bootstrap.ok() ? endpoint_of(*bootstrap) : Result<HubEndpoint>(failure(bootstrap.error()));
  const auto stored = endpoint_of(secret);
  const auto identity = read_identity(secret, name_, env_.clock.now());
  // Without a bootstrap kubeconfig a good identity still is one.
  Status usable = stored.ok() ? Status() : Status(failure(stored.error()));
  if (usable.ok() && wanted.ok()) usable = check_same_hub(*wanted, *stored);
  if (usable.ok() && !identity.ok()) usable = failure(identity.error());
  if (usable.ok()) return begin_session(*stored, *identity);

  env_.log.info("registration.bootstraps",
                {{"cluster", name_.cluster}, {"why", usable.error().message}});
  if (!wanted.ok()) return retry("no bootstrap kubeconfig: " + wanted.error().message);
  begin_bootstrap(*bootstrap, *wanted);
}

void RegistrationAgent::begin_bootstrap(const client::Kubeconfig& kubeconfig,
                                        const HubEndpoint& endpoint) {
  auto config = client::resolve_config(kubeconfig, {});
  if (!config.ok()) return retry("bootstrap kubeconfig: " + config.error().message);
  trouble_.clear();
  hub_ = std::make_unique<client::Api>(env_, *std::move(config), api_options());
  look_out(endpoint);
  ensure_cluster();
}

void RegistrationAgent::begin_session(const HubEndpoint& endpoint, const HubIdentity& identity) {
  auto config = config_of(endpoint, identity);
  if (!config.ok()) return retry("hub kubeconfig: " + config.error().message);
  env_.log.info("registration.known", {{"cluster", name_.cluster}, {"agent", name_.agent}});
  trouble_.clear();
  known_by_ = identity.certificate;
  hub_ = std::make_unique<client::Api>(env_, *config, api_options());
  look_out(endpoint);
  follow_certificate();
  session_ = std::make_unique<SessionController>(
      env_, *hub_, cluster_,
      SessionSettings{.name = name_, .claims = settings_.claims, .period = settings_.health_period},
      [this]() -> std::optional<api::Condition> {
        if (certificate_ && certificate_->condition()) return certificate_->condition();
        if (was_renewed_) return rotated_condition(*known_by_);
        return std::nullopt;
      });
  is_ready_ = true;
  listener_.ready(*hub_, name_);
}

void RegistrationAgent::look_out(const HubEndpoint& endpoint) {
  endpoint_ = endpoint;
  look_ = env::after(env_.loop, env_.clock, kLookPeriod, [this] { look_again(); });
}

void RegistrationAgent::follow_certificate() {
  if (certificate_) return;
  trouble_.clear();
  certificate_ = std::make_unique<CertificateController>(
      env_, *hub_, store_,
      CertificateWish{.name = name_,
                      .endpoint = *endpoint_,
                      .life = settings_.certificate_life,
                      .in_use = known_by_ ? known_by_->der : ""},
      [this] {
        was_renewed_ = session_ != nullptr;
        env_.loop.post(scope_.guard([this] { begin(); }));
      });
}

// The hub's administrator may have made it, or delete it and want it back: it is looked for again.
// Nothing is asked in the name of one that is on its way out, or not there: who has a certificate
// makes no cluster any more.
void RegistrationAgent::ensure_cluster() {
  hub_->create({.resource = managed_clusters()}, new_managed_cluster(name_, settings_),
               {.field_manager = "berth-agent"}, scope_.guard([this](const Result<Value>& created) {
                 if (created.ok()) return go_on();
                 const Error& error = created.error();
                 if (client::is_already_exists(error)) return look_at_cluster("");
                 env_.log.warn("registration.cluster_not_made",
                               {{"cluster", name_.cluster}, {"error", error.message}});
                 // An administrator may have made it, or will.
                 if (client::is_forbidden(error)) return look_at_cluster(error.message);
                 wait_for_cluster(error.message);
               }));
}

// `missing`: what to say if it is not there.
void RegistrationAgent::look_at_cluster(const std::string& missing) {
  hub_->get({.resource = managed_clusters(), .name = name_.cluster},
            scope_.guard([this, missing](const Result<Value>& cluster) {
              if (!cluster.ok()) {
                return wait_for_cluster(missing.empty() ? cluster.error().message : missing);
              }
              if (!api::Metadata(*cluster).is_being_deleted()) return go_on();
              wait_for_cluster("the hub has not let go of the cluster yet");
            }));
}

void RegistrationAgent::wait_for_cluster(const std::string& why) {
  if (!certificate_) trouble_ = why;
  ensure_ = env::after(env_.loop, env_.clock, kRetryPeriod, [this] { ensure_cluster(); });
}

void RegistrationAgent::go_on() {
  ensure_ = env::after(env_.loop, env_.clock, kClusterPeriod, [this] { ensure_cluster(); });
  follow_certificate();
}

void RegistrationAgent::look_again() {
  const bool is_over = known_by_ && known_by_->not_after <= env_.clock.now();
  if (is_over) return begin();
  look_ = env::after(env_.loop, env_.clock, kLookPeriod, [this] { look_again(); });
  load_bootstrap_(scope_.guard(
      [this](const Result<client::Kubeconfig>& bootstrap) { on_bootstrap_seen(bootstrap); }));
}

// Another token matters only to those who still use it; another hub, to all.
void RegistrationAgent::on_bootstrap_seen(const Result<client::Kubeconfig>& bootstrap) {
  if (!bootstrap.ok()) return;
  const Value document = client::document_of(*bootstrap);
  if (document == bootstrap_seen_) return;
  bootstrap_seen_ = document;
  const auto endpoint = endpoint_of(*bootstrap);
  const bool is_same_hub = endpoint.ok() && endpoint_ && check_same_hub(*endpoint, *endpoint_).ok();
  if (session_ && is_same_hub) return;
  env_.log.info("registration.bootstrap_changed", {{"cluster", name_.cluster}});
  begin();
}

void RegistrationAgent::end_phase() {
  look_.cancel();
  retry_.cancel();
  ensure_.cancel();
  session_.reset();
  certificate_.reset();
  hub_.reset();
  known_by_.reset();
  endpoint_.reset();
  scope_.renew();
  if (std::exchange(is_ready_, false)) listener_.lost();
}

void RegistrationAgent::retry(std::string why) {
  if (why != trouble_) env_.log.warn("registration.waits", {{"why", why}});
  trouble_ = std::move(why);
  retry_ = env::after(env_.loop, env_.clock, kRetryPeriod, [this] { begin(); });
}

}  // namespace berth::fleet
