// Where the kinds that upkeep knows by name are served.

#pragma once

#include "api/group_version.h"

namespace berth::upkeep {

inline api::Gvr namespaces() { return {"", "v1", "namespaces"}; }
inline api::Gvr pods() { return {"", "v1", "pods"}; }
inline api::Gvr service_accounts() { return {"", "v1", "serviceaccounts"}; }
inline api::Gvr config_maps() { return {"", "v1", "configmaps"}; }
inline api::Gvr secrets() { return {"", "v1", "secrets"}; }
inline api::Gvr events() { return {"", "v1", "events"}; }
inline api::Gvr cluster_roles() { return {"rbac.authorization.k8s.io", "v1", "clusterroles"}; }
inline api::Gvr certificate_signing_requests() {
  return {"certificates.k8s.io", "v1", "certificatesigningrequests"};
}
inline api::Gvr definitions() {
  return {"apiextensions.k8s.io", "v1", "customresourcedefinitions"};
}

}  // namespace berth::upkeep
