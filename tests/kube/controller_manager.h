// The real kube-controller-manager for a real API server, where $BERTH_KUBE_CONTROLLER_MANAGER
// names it.

#pragma once

#include <string>

#include "base/result.h"
#include "kube/child.h"
#include "kube/server.h"

namespace berth::kube {

// Nodes of tests have no kubelets: they would not stay ready.
inline constexpr const char* kAllButNodes = "*,-node-lifecycle-controller";

bool has_controller_manager(const Server& server);

// With the administrator's rights and the keys of the server. `controllers` as its flag has it.
Result<Child> start_controller_manager(const Server& server, const std::string& controllers);

}  // namespace berth::kube
