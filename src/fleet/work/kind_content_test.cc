#include "fleet/work/kind_content.h"

#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::fleet {
namespace {

using json::Value;

Value read(std::string_view yaml) { return json::read_yaml(std::string(yaml)).value().at(0); }

TEST(KindContent, WhatIsWrittenOverAnObjectDependsOnItsKind) {
  struct Case {
    std::string_view what;
    std::string_view live;
    std::string_view manifest;
    std::string_view expected;
  };
  const Case cases[] = {
      {"most kinds: everything but metadata and status",
       "{apiVersion: a/v1, kind: A, metadata: {name: l}, spec: {x: 1, y: 2}, status: {s: 1}}",
       "{apiVersion: a/v1, kind: A, metadata: {name: m}, spec: {x: 2}}",
       "{apiVersion: a/v1, kind: A, metadata: {name: l}, spec: {x: 2}, status: {s: 1}}"},
      {"namespaces, pods and accounts: nothing",
       "{apiVersion: v1, kind: Pod, metadata: {name: l}, spec: {x: 1}}",
       "{apiVersion: v1, kind: Pod, metadata: {name: m}, spec: {x: 2}}",
       "{apiVersion: v1, kind: Pod, metadata: {name: l}, spec: {x: 1}}"},
      {"config maps: their data",
       "{apiVersion: v1, kind: ConfigMap, data: {a: '1', b: '2'}, binaryData: {c: x}, immutable: "
       "false}",
       "{apiVersion: v1, kind: ConfigMap, data: {a: '2'}}",
       "{apiVersion: v1, kind: ConfigMap, data: {a: '2'}, immutable: false}"},
      {"config maps that OpenShift fills in",
       "{apiVersion: v1, kind: ConfigMap, data: {ca-bundle.crt: PEM, x: y}}",
       "{apiVersion: v1, kind: ConfigMap, metadata: {labels: "
       "{config.openshift.io/inject-trusted-cabundle: 'true'}}}",
       "{apiVersion: v1, kind: ConfigMap, data: {ca-bundle.crt: PEM}}"},
      {"secrets: data and texts", "{apiVersion: v1, kind: Secret, data: {old: eA==}, type: Opaque}",
       "{apiVersion: v1, kind: Secret, data: {a: YQ==}, stringData: {b: b}}",
       "{apiVersion: v1, kind: Secret, data: {a: YQ==, b: Yg==}, type: Opaque}"},
      {"secrets of accounts keep their token",
       "{apiVersion: v1, kind: Secret, data: {token: dA==}, type: "
       "kubernetes.io/service-account-token}",
       "{apiVersion: v1, kind: Secret, data: {a: YQ==}, type: kubernetes.io/service-account-token}",
       "{apiVersion: v1, kind: Secret, data: {token: dA==, a: YQ==}, type: "
       "kubernetes.io/service-account-token}"},
      {"roles: their rules",
       "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, rules: [{verbs: [get]}]}",
       "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, rules: [{verbs: [list]}]}",
       "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, rules: [{verbs: [list]}]}"},
      {"aggregating roles: not their rules",
       "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, rules: [{verbs: [get]}]}",
       "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, aggregationRule: {x: y}}",
       "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, rules: [{verbs: [get]}], "
       "aggregationRule: {x: y}}"},
      {"webhooks keep their certificates",
       "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, "
       "webhooks: [{name: a, clientConfig: {caBundle: PEM}}]}",
       "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, "
       "webhooks: [{name: b, clientConfig: {url: u}}, {name: a, clientConfig: {url: v}}]}",
       "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, "
       "webhooks: [{name: b, clientConfig: {url: u}}, {name: a, clientConfig: {url: v, caBundle: "
       "PEM}}]}"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(with_content_of(read(c.live), read(c.manifest)), read(c.expected)) << c.what;
  }
}

}  // namespace
}  // namespace berth::fleet
