#include "kube/comparison/apply_crd.h"

#include <string_view>

#include "base/check.h"
#include "json/parse.h"

namespace berth::kube {
namespace {

constexpr std::string_view kSchema = R"json({
  "type": "object",
  "properties": {
    "spec": {"type": "object", "properties": {
      "number": {"type": "integer"},
      "real": {"type": "number"},
      "text": {"type": "string"},
      "truth": {"type": "boolean"},
      "either": {"x-kubernetes-int-or-string": true},
      "atomic": {"type": "array", "items": {"type": "string"}},
      "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
      "numbers": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
      "ports": {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["port", "protocol"],
        "items": {"type": "object", "required": ["port"], "properties": {
          "port": {"type": "integer"},
          "protocol": {"type": "string", "default": "TCP"},
          "name": {"type": "string"},
          "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}
        }}
      },
      "groups": {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        "items": {"type": "object", "required": ["name"], "properties": {
          "name": {"type": "string"},
          "size": {"type": "integer"},
          "members": {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["id"],
            "items": {"type": "object", "required": ["id"], "properties": {
              "id": {"type": "integer"}, "role": {"type": "string"}}}
          }
        }}
      },
      "nested": {"type": "object", "properties": {
        "a": {"type": "string"},
        "b": {"type": "string"},
        "deep": {"type": "object", "properties": {
          "c": {"type": "string"}, "d": {"type": "integer"}}}
      }},
      "whole": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
        "a": {"type": "string"}, "b": {"type": "string"}}},
      "texts": {"type": "object", "additionalProperties": {"type": "string"}},
      "objects": {"type": "object", "additionalProperties": {"type": "object", "properties": {
        "a": {"type": "string"},
        "list": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}}}},
      "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
      "pod": {"type": "object", "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true}
    }},
    "status": {"type": "object", "properties": {
      "phase": {"type": "string"},
      "count": {"type": "integer"},
      "conditions": {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": {"type": "object", "required": ["type"], "properties": {
          "type": {"type": "string"}, "status": {"type": "string"}}}
      }
    }}
  }
})json";

constexpr std::string_view kDefinition = R"json({
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {"name": "things.compare.berth.dev"},
  "spec": {
    "group": "compare.berth.dev",
    "scope": "Namespaced",
    "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"}
  }
})json";

json::Value parsed(std::string_view text) {
  auto value = json::parse(text);
  CHECK(value.ok());
  return *std::move(value);
}

}  // namespace

json::Value thing_schema() { return parsed(kSchema); }

json::Value thing_definition() {
  json::Value definition = parsed(kDefinition);
  json::Value& versions = definition["spec"]["versions"] = json::Value::array();
  for (const std::string_view name : {"v1", "v2"}) {
    versions.push_back(json::Value::object(
        {{"name", name},
         {"served", true},
         {"storage", name == "v1"},
         {"schema", json::Value::object({{"openAPIV3Schema", thing_schema()}})},
         {"subresources", json::Value::object({{"status", json::Value::object()}})}}));
  }
  return definition;
}

}  // namespace berth::kube
