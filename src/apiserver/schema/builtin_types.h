// The types that built-in kinds are made of, as Schema nodes.
//
// Their schemas tell names, forms, keys and patch strategies, and nothing else: Kubernetes defaults
// and validates built-in kinds in code. So there are no defaults and no constraints here,
// `required` is what the schema says and not what a server insists on, and null means absent
// everywhere.
//
// Types with a JSON form of their own can be told by their type_name:
//
//   Quantity, JSON and the OrBool, OrArray, OrStringArray of schemas   Form::Any
//   IntOrString                                                        Form::IntOrString
//   Time, MicroTime                                                    Form::String, "date-time"
//   RawExtension, FieldsV1                                             Form::Object, keeps_unknown
//
// What is Any keeps what it holds; so do objects whose type has no fields.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "api/group_version.h"
#include "apiserver/schema/schema.h"
#include "json/value.h"

namespace berth::apiserver {

class BuiltinTypes {
 public:
  // Of the table's types: OpenAPI schemas by name, with references as bare names. They are ours, so
  // what is wrong with them is a broken invariant.
  explicit BuiltinTypes(const json::Value& types);

  // By its name, "io.k8s.api.core.v1.PodSpec"; null when there is none.
  const Schema* find(std::string_view type_name) const;

  // The whole object of a kind, those of subresources (Scale, Binding) included; null when unknown.
  const Schema* find_kind(const api::Gvk& kind) const;

  const std::shared_ptr<const SchemaSet>& schemas() const { return schemas_; }

 private:
  class Builder;

  std::shared_ptr<const SchemaSet> schemas_;
  std::map<std::string, const Schema*, std::less<>> types_;
  std::map<api::Gvk, const Schema*> kinds_;
};

}  // namespace berth::apiserver
