// Where the kinds that registration reads and writes are served.

#pragma once

#include "api/group_version.h"

namespace berth::fleet {

inline api::Gvr managed_clusters() {
  return {"cluster.open-cluster-management.io", "v1", "managedclusters"};
}
inline api::Gvr cluster_claims() {
  return {"cluster.open-cluster-management.io", "v1alpha1", "clusterclaims"};
}
inline api::Gvr placement_scores() {
  return {"cluster.open-cluster-management.io", "v1alpha1", "addonplacementscores"};
}
inline api::Gvr managed_cluster_addons() {
  return {"addon.open-cluster-management.io", "v1alpha1", "managedclusteraddons"};
}
inline api::Gvr manifest_works() {
  return {"work.open-cluster-management.io", "v1", "manifestworks"};
}
inline api::Gvr applied_manifest_works() {
  return {"work.open-cluster-management.io", "v1", "appliedmanifestworks"};
}
inline api::Gvr namespaces() { return {"", "v1", "namespaces"}; }
inline api::Gvr nodes() { return {"", "v1", "nodes"}; }
inline api::Gvr secrets() { return {"", "v1", "secrets"}; }
inline api::Gvr service_accounts() { return {"", "v1", "serviceaccounts"}; }
inline api::Gvr leases() { return {"coordination.k8s.io", "v1", "leases"}; }
inline api::Gvr cluster_roles() { return {"rbac.authorization.k8s.io", "v1", "clusterroles"}; }
inline api::Gvr cluster_role_bindings() {
  return {"rbac.authorization.k8s.io", "v1", "clusterrolebindings"};
}
inline api::Gvr role_bindings() { return {"rbac.authorization.k8s.io", "v1", "rolebindings"}; }
inline api::Gvr certificate_requests() {
  return {"certificates.k8s.io", "v1", "certificatesigningrequests"};
}
inline api::Gvr access_reviews() { return {"authorization.k8s.io", "v1", "subjectaccessreviews"}; }

}  // namespace berth::fleet
