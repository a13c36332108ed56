// Hosting on a hub, once the hub knows all the kinds that it is about. On a hub without them there
// is nothing to do but to wait.

#pragma once

#include <memory>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/recorder_service.h"
#include "control/served_service.h"
#include "env/env.h"
#include "hosting/hosting_controller.h"

namespace berth::hosting {

class HubHostingController {
 public:
  // All that is borrowed outlives the controller.
  HubHostingController(const env::Env& env, client::Api& api, client::Informers& informers,
                       control::RecorderService& recorder, const control::MayWrite& may_write,
                       const HostingOptions& options = {});

  // It works, or has found that it has nothing to work on.
  bool is_settled() const;

 private:
  std::unique_ptr<HostingController> controller_;
  control::ServedService served_;
};

}  // namespace berth::hosting
