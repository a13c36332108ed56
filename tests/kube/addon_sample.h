// An add-on that uses everything a template can say, on a hub with three clusters.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kube/addon_hub.h"

namespace berth::kube {

inline constexpr std::string_view kSampleAddOn = R"(
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: score-agent}
rules: [{apiGroups: [cluster.open-cluster-management.io], resources: [addonplacementscores], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: binds-score-agent}
rules:
  - {apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], resourceNames: [score-agent], verbs: [bind]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: binds-score-agent}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: binds-score-agent}
subjects: [{kind: ServiceAccount, name: berth-controllers, namespace: berth-system}]
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata: {name: score}
spec:
  addonName: score
  registration:
    - type: KubeClient
      kubeClient:
        hubPermissions: [{type: CurrentCluster, currentCluster: {clusterRoleName: score-agent}}]
  agentSpec:
    manifestConfigs:
      - resourceIdentifier: {group: apps, resource: deployments, name: agent, namespace: agents}
        feedbackRules: [{type: JSONPaths, jsonPaths: [{name: seen, path: .status.observedGeneration}]}]
    workload:
      manifests:
        - apiVersion: v1
          kind: Namespace
          metadata: {name: agents, annotations: {addon.open-cluster-management.io/deletion-orphan: ""}}
        - apiVersion: v1
          kind: ServiceAccount
          metadata: {name: agent, namespace: agents}
        - apiVersion: rbac.authorization.k8s.io/v1
          kind: ClusterRoleBinding
          metadata: {name: agent}
          roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
          subjects: [{kind: ServiceAccount, name: agent, namespace: agents}]
        - apiVersion: apps/v1
          kind: Deployment
          metadata: {name: agent, namespace: agents, annotations: {a: "{{CLUSTER_NAME}}"}}
          spec:
            replicas: 1
            selector: {matchLabels: {app: agent}}
            template:
              metadata: {labels: {app: agent}}
              spec:
                serviceAccountName: agent
                containers:
                  - name: agent
                    image: quay.io/example/agent:1
                    args: ["--hub-kubeconfig={{HUB_KUBECONFIG}}", "--level={{LEVEL}}", "--x={{NOBODY}}"]
                    env: [{name: A, value: b}]
        - apiVersion: apps/v1
          kind: DaemonSet
          metadata: {name: node, namespace: agents}
          spec:
            selector: {matchLabels: {app: node}}
            template:
              metadata: {labels: {app: node}}
              spec:
                containers: [{name: node, image: "quay.io/example/node:1"}]
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: {name: everything, namespace: default}
spec:
  agentInstallNamespace: elsewhere
  customizedVariables: [{name: LEVEL, value: "4"}]
  nodePlacement:
    nodeSelector: {disk: ssd}
    tolerations: [{key: dedicated, operator: Exists}]
  registries: [{source: quay.io/example, mirror: mirror.example.com/x}]
  proxyConfig: {httpProxy: "http://proxy:3128", noProxy: ".svc", caBundle: Q0E=}
  resourceRequirements:
    - {containerID: "*:*:*", resources: {limits: {memory: 64Mi}}}
    - {containerID: "deployments:agent:agent", resources: {requests: {cpu: 100m}}}
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: {name: score}
spec:
  supportedConfigs:
    - {group: addon.open-cluster-management.io, resource: addontemplates, defaultConfig: {name: score}}
    - {group: addon.open-cluster-management.io, resource: addondeploymentconfigs}
  installStrategy:
    type: Placements
    placements:
      - name: all
        namespace: default
        rolloutStrategy: {type: Progressive, progressive: {maxConcurrency: 2}}
)";

// The same add-on, on all clusters at once, with a configuration.
inline constexpr std::string_view kSampleWithConfig = R"(
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: {name: score}
spec:
  supportedConfigs:
    - {group: addon.open-cluster-management.io, resource: addontemplates, defaultConfig: {name: score}}
    - {group: addon.open-cluster-management.io, resource: addondeploymentconfigs}
  installStrategy:
    type: Placements
    placements:
      - name: all
        namespace: default
        rolloutStrategy: {type: All}
        configs:
          - {group: addon.open-cluster-management.io, resource: addondeploymentconfigs,
             name: everything, namespace: default}
)";

inline const std::vector<std::string> kSampleClusters = {"cluster1", "cluster10", "cluster2"};

inline std::unique_ptr<AddOnHub> start_with(AddOnManager manager) {
  auto hub = AddOnHub::start();
  for (const std::string& cluster : kSampleClusters) hub->add_cluster(cluster);
  hub->put(kSampleAddOn);
  hub->decide("all", {kSampleClusters});
  hub->run(manager);
  return hub;
}

}  // namespace berth::kube
