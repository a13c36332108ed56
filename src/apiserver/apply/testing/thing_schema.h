// The schema that the tests of apply share: one field of every kind of list and map.

#pragma once

#include "apiserver/apply/testing/schema_reader.h"
#include "apiserver/apply/type_ref.h"

namespace berth::apiserver::testing {

struct ThingType {
  ReadSchema schema = parse_schema(R"json({
    "type": "object",
    "properties": {
      "spec": {"type": "object", "properties": {
        "n": {"type": "integer"},
        "s": {"type": "string"},
        "truth": {"type": "boolean"},
        "any": {},
        "atomic": {"type": "array", "items": {"type": "string"}},
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "ports": {
          "type": "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          "items": {"type": "object", "properties": {
            "port": {"type": "integer"},
            "protocol": {"type": "string", "default": "TCP"},
            "name": {"type": "string"}
          }}
        },
        "named": {
          "type": "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          "items": {"type": "object", "properties": {
            "name": {"type": "string"}, "v": {"type": "integer"}}}
        },
        "nested": {"type": "object", "properties": {
          "a": {"type": "string"}, "b": {"type": "string"}}},
        "whole": {"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
          "a": {"type": "string"}, "b": {"type": "string"}}},
        "texts": {"type": "object", "additionalProperties": {"type": "string"}},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        "pod": {"type": "object", "x-kubernetes-embedded-resource": true}
      }},
      "status": {"type": "object", "properties": {
        "phase": {"type": "string"}, "count": {"type": "integer"}}}
    }
  })json");
  TypeRef type = TypeRef::of_object(*schema.root);
};

}  // namespace berth::apiserver::testing
