// OpenAPI v3: one document for each group version, and the index of them.

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "apiserver/openapi/type_names.h"
#include "apiserver/registry.h"
#include "json/value.h"

namespace berth::apiserver {

// The raw openAPIV3Schema of a custom resource's version; null when it has none.
using SchemaOf = std::function<const json::Value*(const Resource& resource)>;

// Reads the built-in types when it is made, which costs milliseconds, and holds about a megabyte:
// make one, write what is needed, let it go.
class OpenApi {
 public:
  OpenApi();

  // JSON; nullopt when the version is not served. Writing a large one takes milliseconds.
  std::optional<std::string> document(const Registry& registry, const api::GroupVersion& version,
                                      const SchemaOf& schema_of) const;

 private:
  json::Value types_;
  TypeNames names_;
};

// Where a document is, below /openapi/v3/: "api/v1", "apis/apps/v1".
std::string openapi_path(const api::GroupVersion& version);

struct OpenApiEntry {
  api::GroupVersion version;
  std::string hash;  // document_hash() of the document, or anything else that changes with it.
};

// /openapi/v3
std::string openapi_index(std::span<const OpenApiEntry> entries);

}  // namespace berth::apiserver
