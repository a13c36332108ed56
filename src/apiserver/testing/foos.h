// Foos: custom resources with everything that a definition can say, for tests.

#pragma once

#include <string_view>

namespace berth::apiserver::testing {

inline constexpr std::string_view kDefinitions =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
inline constexpr std::string_view kFoos = "/apis/ex.io/v1/namespaces/team/foos";

// n is between 1 and 99, which a schema and a rule say; s has a default; status and scale are
// subresources. v1alpha1 is served and deprecated.
inline constexpr std::string_view kFooDefinition = R"({
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "foos.ex.io"},
  "spec": {
    "group": "ex.io", "scope": "Namespaced",
    "names": {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"},
    "versions": [
      {"name": "v1", "served": true, "storage": true,
       "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas",
                        "statusReplicasPath": ".status.replicas",
                        "labelSelectorPath": ".status.selector"}},
       "additionalPrinterColumns": [{"name": "N", "type": "integer", "jsonPath": ".spec.n"}],
       "selectableFields": [{"jsonPath": ".spec.color"}],
       "schema": {"openAPIV3Schema": {"type": "object", "properties": {
         "spec": {"type": "object",
           "x-kubernetes-validations": [{"rule": "!has(self.n) || self.n < 100",
                                         "message": "n too big"}],
           "properties": {
             "n": {"type": "integer", "minimum": 1},
             "s": {"type": "string", "default": "dflt"},
             "color": {"type": "string"},
             "replicas": {"type": "integer"},
             "tags": {"type": "array", "items": {"type": "string"}}}},
         "status": {"type": "object", "properties": {
           "replicas": {"type": "integer"}, "selector": {"type": "string"},
           "ready": {"type": "boolean"}}}}}}},
      {"name": "v1alpha1", "served": true, "storage": false, "deprecated": true,
       "schema": {"openAPIV3Schema": {"type": "object",
         "x-kubernetes-preserve-unknown-fields": true}}}
    ]}})";

}  // namespace berth::apiserver::testing
