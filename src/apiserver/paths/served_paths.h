// Everything that the hub serves besides objects: health, version, metrics, discovery, OpenAPI.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "apiserver/openapi/document.h"
#include "apiserver/registry.h"
#include "apiserver/verbs/outcome.h"
#include "base/time.h"
#include "http/health.h"

namespace berth::apiserver {

// What the answers depend on.
struct PathView {
  std::shared_ptr<const Registry> registry;
  std::vector<http::HealthCheck> live = {};   // Beside "ping", which every endpoint has.
  std::vector<http::HealthCheck> ready = {};  // For readyz, after those.
  std::function<std::string()> metrics = {};
  SchemaOf schema_of = {};
  std::uint64_t definitions = 0;  // Changes with every CustomResourceDefinition.
  Time now = {};
};

// Makes each document once for a registry. Not to be shared between threads.
class ServedPaths {
 public:
  explicit ServedPaths(std::string address) : address_(std::move(address)) {}

  Response answer(const ApiRequest& request, const PathView& view);

 private:
  struct Document {
    std::string text;
    std::string etag = {};
  };

  void renew(const std::shared_ptr<const Registry>& registry);
  Response discovery(const ApiRequest& request, bool is_core);
  Response openapi(const ApiRequest& request, std::string_view path, const PathView& view);
  std::string index(const PathView& view) const;
  const Document& document(const std::string& name, const std::function<Document()>& make);

  std::string address_;
  std::shared_ptr<const Registry> registry_;
  std::map<std::string, Document> documents_;  // Of that registry.
};

// /version
json::Value version_info();

}  // namespace berth::apiserver
