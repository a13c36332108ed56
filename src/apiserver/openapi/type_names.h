// The names that types have in OpenAPI documents.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "api/group_version.h"
#include "apiserver/resource.h"
#include "json/value.h"

namespace berth::apiserver {

// "zz.io", "v1", "Foo" is io.zz.v1.Foo.
std::string custom_type_name(const api::Gvk& kind);

class TypeNames {
 public:
  // Of the table's types.
  explicit TypeNames(const json::Value& types);

  // Of the objects of a resource, of their lists, and of what a subresource takes.
  std::string object(const Resource& resource) const;
  std::string list(const Resource& resource) const;
  std::string body(const Resource& resource, const Subresource& subresource) const;

 private:
  std::string name_of(const api::Gvk& kind) const;

  std::map<api::Gvk, std::string> builtin_;
};

}  // namespace berth::apiserver
