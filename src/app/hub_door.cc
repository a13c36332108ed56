#include "app/hub_door.h"

#include <utility>

#include "env/files.h"
#include "http/server_service.h"
#include "http/url.h"

namespace berth::app {
namespace {

std::string url_of(const env::Address& address) {
  env::Address reached = address;
  const bool is_any = address.host.empty() || address.host == "0.0.0.0" || address.host == "::";
  if (is_any) reached.host = "127.0.0.1";
  return "https://" + env::to_string(reached);
}

}  // namespace

Result<std::unique_ptr<HubDoor>> HubDoor::open(env::Env& env, const HubKeys& keys,
                                               HubDoorOptions options) {
  std::unique_ptr<HubDoor> door(new HubDoor(env, keys, std::move(options)));
  RETURN_IF_ERROR(door->listen());
  if (keys.has_own_certificate()) RETURN_IF_ERROR(door->listen_for_inner());
  RETURN_IF_ERROR(door->write_kubeconfig(env.clock.now()));
  door->renewal_ = std::make_unique<upkeep::Renewal>(
      upkeep::Renewal::World{.clock = env.clock, .loop = env.loop, .log = env.log},
      door->renewables());
  return door;
}

env::TlsServer HubDoor::tls_with(env::TlsIdentity identity) const {
  return {.identity = std::move(identity),
          .client_certificate = env::ClientCertificate::Request,
          .client_authorities_pem = keys_.authority_pem(),
          .protocols = http::server_protocols()};
}

Status HubDoor::listen() {
  env::TlsIdentity identity;
  if (keys_.has_own_certificate()) {
    ASSIGN_OR_RETURN(own_, keys_.own_identity(env_.disk));
    identity = own_;
  } else {
    ASSIGN_OR_RETURN(identity, keys_.serving_identity(env_.clock.now()));
  }
  ASSIGN_OR_RETURN(listener_, env_.network.listen({.address = options_.listen,
                                                   .tls = tls_with(std::move(identity))},
                                                  options_.seats()));
  options_.listen.port = listener_->address().port;
  url_ = url_of(options_.listen);
  inner_url_ = url_;
  return {};
}

// The hub's own clients know its authority only, and must not depend on what an operator's
// certificate says and until when.
Status HubDoor::listen_for_inner() {
  ASSIGN_OR_RETURN(env::TlsIdentity identity, keys_.serving_identity(env_.clock.now()));
  ASSIGN_OR_RETURN(inner_, env_.network.listen({.address = {.host = "127.0.0.1", .port = 0},
                                                .tls = tls_with(std::move(identity))},
                                               options_.seats()));
  inner_url_ = url_of(inner_->address());
  return {};
}

Result<HubTrust> HubDoor::trust() const {
  if (!keys_.has_own_certificate()) return HubTrust{.authorities_pem = keys_.authority_pem()};
  ASSIGN_OR_RETURN(const http::Url url, http::parse_url(url_));
  return trust_in(own_, url.host);
}

Status HubDoor::write_kubeconfig(Time now) const {
  ASSIGN_OR_RETURN(const env::TlsIdentity admin, keys_.admin_identity(now));
  ASSIGN_OR_RETURN(const HubTrust trusted, trust());
  return env::replace_file(env_.disk, options_.kubeconfig_path,
                           kubeconfig_text(url_, trusted, admin), 0600);
}

std::vector<upkeep::Renewable> HubDoor::renewables() {
  using upkeep::Renewed;
  std::vector<upkeep::Renewable> items;
  items.push_back({.name = "the administrator's kubeconfig",
                   .life = kCertificateLife,
                   .renew = [this](Time now) -> Result<Renewed> {
                     RETURN_IF_ERROR(write_kubeconfig(now));
                     return Renewed::Yes;
                   }});
  items.push_back({.name = "the serving certificate",
                   .life = kCertificateLife,
                   .renew = [this](Time now) -> Result<Renewed> {
                     ASSIGN_OR_RETURN(env::TlsIdentity identity, keys_.serving_identity(now));
                     env::Listener& listener = inner_ ? *inner_ : *listener_;
                     RETURN_IF_ERROR(listener.replace_tls(tls_with(std::move(identity))));
                     return Renewed::Yes;
                   }});
  if (keys_.has_own_certificate()) {
    items.push_back({.name = "the operator's serving certificate",
                     .life = Duration::zero(),
                     .renew = [this](Time) { return take_own_files(); }});
  }
  return items;
}

// Two files that are replaced one after the other do not fit for a moment: the next look helps.
Result<upkeep::Renewed> HubDoor::take_own_files() {
  ASSIGN_OR_RETURN(env::TlsIdentity identity, keys_.own_identity(env_.disk));
  if (identity == own_) return upkeep::Renewed::No;
  RETURN_IF_ERROR(listener_->replace_tls(tls_with(identity)));
  own_ = std::move(identity);
  RETURN_IF_ERROR(write_kubeconfig(env_.clock.now()));
  return upkeep::Renewed::Yes;
}

}  // namespace berth::app
