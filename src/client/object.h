// One object as a cache holds it: immutable, shared, and never larger than it has to be.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/object_key.h"
#include "base/result.h"
#include "client/projection.h"
#include "json/value.h"

namespace berth::client {

using api::ObjectKey;

class Object {
 public:
  explicit Object(json::Value body);
  Object(const Object&) = delete;  // The views below point into the body.
  Object& operator=(const Object&) = delete;

  const json::Value& body() const { return body_; }
  std::string_view ns() const { return ns_; }
  std::string_view name() const { return name_; }
  std::string_view uid() const { return uid_; }
  std::string_view resource_version() const { return resource_version_; }
  ObjectKey key() const { return {std::string(ns_), std::string(name_)}; }

 private:
  json::Value body_;
  std::string_view ns_;
  std::string_view name_;
  std::string_view uid_;
  std::string_view resource_version_;
};

using ObjectPtr = std::shared_ptr<const Object>;

// Fails when the document is no object with a name and a resourceVersion.
Result<ObjectPtr> make_object(json::Value document);
Result<ObjectPtr> make_object(json::Value document, const Projection& projection);

// By namespace, then name: the order of lists. Also compares with an ObjectKey.
struct ByKey {
  using is_transparent = void;

  bool operator()(const ObjectPtr& a, const ObjectPtr& b) const;
  bool operator()(const ObjectPtr& a, const ObjectKey& b) const;
  bool operator()(const ObjectKey& a, const ObjectPtr& b) const;
};

}  // namespace berth::client
