// HubDoor: where a hub is reached: its listeners, the certificates that they show, and the
// administrator's kubeconfig, which has to fit them.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/hub_keys.h"
#include "base/result.h"
#include "env/env.h"
#include "env/network.h"
#include "upkeep/renewal_service.h"

namespace berth::app {

struct HubDoorOptions {
  env::Address listen;
  std::string kubeconfig_path;
  // Where accepted streams go; asked once for each listener.
  std::function<std::vector<env::Seat>()> seats;
};

// Lives on one loop; made, used and destroyed there.
class HubDoor {
 public:
  // Listens when it returns, and the kubeconfig is written. The keys outlive it.
  static Result<std::unique_ptr<HubDoor>> open(env::Env& env, const HubKeys& keys,
                                               HubDoorOptions options);

  const env::Address& address() const { return options_.listen; }  // With the port it has.
  const std::string& url() const { return url_; }

  // Where those inside the process go; there, the hub shows a certificate of its own authority.
  const std::string& inner_url() const { return inner_url_; }

  // The operator's files may have changed.
  void look() { renewal_->look(); }

 private:
  HubDoor(env::Env& env, const HubKeys& keys, HubDoorOptions options)
      : env_(env), keys_(keys), options_(std::move(options)) {}

  Status listen();
  Status listen_for_inner();
  env::TlsServer tls_with(env::TlsIdentity identity) const;
  Result<HubTrust> trust() const;
  Status write_kubeconfig(Time now) const;
  std::vector<upkeep::Renewable> renewables();
  Result<upkeep::Renewed> take_own_files();

  env::Env& env_;
  const HubKeys& keys_;
  HubDoorOptions options_;
  env::TlsIdentity own_ = {};  // As last read from the operator's files.
  std::string url_;
  std::string inner_url_;
  std::unique_ptr<env::Listener> listener_;
  std::unique_ptr<env::Listener> inner_;  // Only beside the operator's own certificate.
  std::unique_ptr<upkeep::Renewal> renewal_;
};

}  // namespace berth::app
