// The add-on manager of a hub: installs add-ons, configures them, carries them to their clusters,
// and lets their agents register.

#pragma once

#include "base/result.h"
#include "fleet/addons/addon_approval_controller.h"
#include "fleet/addons/addon_configuration_controller.h"
#include "fleet/addons/addon_deploy_controller.h"
#include "fleet/addons/addon_install_controller.h"

namespace berth::fleet {

class AddOnsController {
 public:
  // All that is borrowed outlives the controller.
  AddOnsController(const env::Env& env, client::Api& api, client::Informers& informers,
                   const control::MayWrite& may_write, const AddOnOptions& options)
      : install_(env, api, informers, may_write, options),
        configuration_(env, api, informers, may_write),
        deploy_(env, api, informers, may_write),
        approval_(env, api, informers, may_write) {}

  bool has_synced() const {
    return install_.has_synced() && configuration_.has_synced() && deploy_.has_synced() &&
           approval_.has_synced();
  }
  bool is_idle() const {
    return install_.is_idle() && configuration_.is_idle() && deploy_.is_idle() &&
           approval_.is_idle();
  }

 private:
  AddOnInstallController install_;
  AddOnConfigurationController configuration_;
  AddOnDeployController deploy_;
  AddOnApprovalController approval_;
};

}  // namespace berth::fleet
