#include "apiserver/paths/served_paths.h"

#include <utility>

#include <fmt/format.h>

#include "apiserver/discovery/aggregated.h"
#include "apiserver/discovery/digest.h"
#include "apiserver/discovery/legacy.h"
#include "apiserver/openapi/swagger.h"
#include "apiserver/requests/negotiation.h"
#include "base/strings.h"
#include "http/date.h"

namespace berth::apiserver {
namespace {

// The longest that HTTP knows.
constexpr Duration kForEver = std::chrono::days(365);

Response text_response(int status, std::string text) {
  Response response{.status = status};
  response.headers.add("content-type", "text/plain; charset=utf-8");
  response.headers.add("x-content-type-options", "nosniff");
  response.headers.add("cache-control", "no-cache, private");
  response.body = http::Body(std::move(text));
  return response;
}

Response page_not_found() { return text_response(404, "404 page not found\n"); }

// The rest of the path after "/NAME", if it is below that name.
std::optional<std::string_view> below(std::string_view path, std::string_view name) {
  if (!path.starts_with(name)) return std::nullopt;
  path.remove_prefix(name.size());
  if (!path.empty() && !path.starts_with('/')) return std::nullopt;
  return path.empty() ? path : path.substr(1);
}

std::string query_text(const Query& query) {
  return http::build_query({query.begin(), query.end()});
}

Response health(std::string_view endpoint, std::string_view check, const ApiRequest& request,
                const PathView& view) {
  std::vector<http::HealthCheck> checks = {{"ping", [] { return Status(); }}};
  checks.insert(checks.end(), view.live.begin(), view.live.end());
  if (endpoint == "readyz") checks.insert(checks.end(), view.ready.begin(), view.ready.end());
  if (check.empty()) {
    const http::HealthAnswer answer =
        http::check_health(endpoint, checks, query_text(request.query));
    return text_response(answer.status, answer.text);
  }
  for (const http::HealthCheck& one : checks) {
    if (one.name != check) continue;
    const http::HealthAnswer answer = http::check_health_of(one);
    return text_response(answer.status, answer.text);
  }
  return page_not_found();
}

struct DocumentFacts {
  std::string_view type;
  std::string_view etag = {};  // Empty: it has none.
  std::string_view cache_control = "public";
};

// A client that has the text already hears only that it still holds.
Response document_response(const ApiRequest& request, std::string text,
                           const DocumentFacts& facts) {
  const bool is_known = !facts.etag.empty() && request.headers.find("if-none-match") == facts.etag;
  Response response{.status = is_known ? 304 : 200};
  response.headers.add("content-type", facts.type);
  response.headers.add("cache-control", facts.cache_control);
  response.headers.add("vary", "Accept");
  if (!facts.etag.empty()) response.headers.add("etag", facts.etag);
  if (!is_known) response.body = http::Body(std::move(text));
  return response;
}

// Relative to the path, which may have begun with that of a logical cluster.
Response moved_to(std::string_view url) {
  Response response = text_response(301, std::string());
  response.headers.add("location", url);
  return response;
}

bool has_custom(const Registry& registry, std::string_view group, std::string_view version) {
  for (const auto& resource : registry.resources(group, version)) {
    if (resource->custom) return true;
  }
  return false;
}

Response swagger(const ApiRequest& request) {
  const json::Value about = version_info();
  const std::string_view version = about.find("gitVersion")->string_or_empty();
  const std::string_view accept = request.headers.find("accept").value_or("");
  const bool is_protobuf =
      accept.contains(kSwaggerProtobufAsked) || accept.contains(kSwaggerProtobuf);
  return document_response(request, is_protobuf ? swagger_protobuf(version) : swagger_json(version),
                           {.type = is_protobuf ? kSwaggerProtobuf : "application/json"});
}

// Built-in kinds change with the program only; the others with their definitions.
std::string openapi_hash(const Registry& registry, const api::GroupVersion& version,
                         std::uint64_t definitions) {
  const bool is_custom = has_custom(registry, version.group, version.version);
  return document_hash(fmt::format("{} {} {}", version.text(),
                                   version_info().find("gitVersion")->string_or_empty(),
                                   is_custom ? definitions : 0));
}

// "api/v1" or "apis/apps/v1".
std::optional<api::GroupVersion> read_openapi_path(std::string_view path) {
  const auto parts = split(path, '/');
  if (parts.size() == 2 && parts[0] == "api") {
    return api::GroupVersion{.version = std::string(parts[1])};
  }
  if (parts.size() == 3 && parts[0] == "apis") {
    return api::GroupVersion{.group = std::string(parts[1]), .version = std::string(parts[2])};
  }
  return std::nullopt;
}

}  // namespace

json::Value version_info() {
  return json::Value::object({{"major", "1"},
                              {"minor", "35"},
                              {"emulationMajor", "1"},
                              {"emulationMinor", "35"},
                              {"minCompatibilityMajor", "1"},
                              {"minCompatibilityMinor", "34"},
                              {"gitVersion", "v1.35.4+berth"},
                              {"gitCommit", ""},
                              {"gitTreeState", "clean"},
                              {"buildDate", "1970-01-01T00:00:00Z"},
                              {"goVersion", ""},
                              {"compiler", "clang"},
                              {"platform", "linux/amd64"}});
}

Response ServedPaths::answer(const ApiRequest& request, const PathView& view) {
  const std::string_view path = request.info.path;
  const bool is_read = request.info.verb == "get" || request.info.verb == "head";
  if (!is_read)
    return refusal_response(Error{.code = Code::MethodNotAllowed,
                                  .message = "the server does not allow this method "
                                             "on the requested resource"});
  for (const std::string_view endpoint : {"healthz", "livez", "readyz"}) {
    if (const auto check = below(path, "/" + std::string(endpoint))) {
      return health(endpoint, *check, request, view);
    }
  }
  if (path == "/version") return json_response(200, version_info());
  if (path == "/metrics") return text_response(200, view.metrics());
  if (path == "/openapi/v2") return swagger(request);
  renew(view.registry);
  if (const auto rest = below(path, "/openapi/v3")) return openapi(request, *rest, view);
  if (path == "/api" || path == "/apis") return discovery(request, path == "/api");
  if (const auto version = below(path, "/api")) {
    auto list = api_resource_list(*registry_, "", *version);
    return list ? json_response(200, *std::move(list)) : page_not_found();
  }
  if (const auto rest = below(path, "/apis")) {
    const auto parts = split(*rest, '/');
    auto text = parts.size() == 1   ? api_group(*registry_, parts[0])
                : parts.size() == 2 ? api_resource_list(*registry_, parts[0], parts[1])
                                    : std::nullopt;
    return text ? json_response(200, *std::move(text)) : page_not_found();
  }
  return page_not_found();
}

void ServedPaths::renew(const std::shared_ptr<const Registry>& registry) {
  if (registry_ == registry) return;
  registry_ = registry;
  documents_.clear();
}

const ServedPaths::Document& ServedPaths::document(const std::string& name,
                                                   const std::function<Document()>& make) {
  const auto found = documents_.find(name);
  if (found != documents_.end()) return found->second;
  return documents_.emplace(name, make()).first->second;
}

Response ServedPaths::discovery(const ApiRequest& request, bool is_core) {
  const auto form = negotiate(request.headers.find("accept"), {.discovery = true});
  if (!form.has_value()) return refusal_response(form.error());
  if (*form != AnswerForm::Discovery) {
    return json_response(200,
                         is_core ? api_versions(*registry_, address_) : api_group_list(*registry_));
  }
  const Document& made = document(is_core ? "/api" : "/apis", [this, is_core] {
    DiscoveryDocument aggregated =
        is_core ? aggregated_core(*registry_) : aggregated_groups(*registry_);
    return Document{.text = std::move(aggregated.text), .etag = std::move(aggregated.etag)};
  });
  return document_response(request, made.text, {.type = kAggregatedContentType, .etag = made.etag});
}

std::string ServedPaths::index(const PathView& view) const {
  std::vector<OpenApiEntry> entries;
  for (const ServedGroup& group : registry_->groups()) {
    for (const std::string& version : group.versions) {
      api::GroupVersion served{.group = group.name, .version = version};
      std::string hash = openapi_hash(*registry_, served, view.definitions);
      entries.push_back({.version = std::move(served), .hash = std::move(hash)});
    }
  }
  return openapi_index(entries);
}

Response ServedPaths::openapi(const ApiRequest& request, std::string_view path,
                              const PathView& view) {
  const auto form = negotiate(request.headers.find("accept"), {});
  if (!form.has_value()) return refusal_response(form.error());
  const auto version = path.empty() ? std::nullopt : read_openapi_path(path);
  if (!path.empty() && !version) return page_not_found();
  const Document& made =
      document("/openapi/v3/" + std::string(path), [this, &view, &version]() -> Document {
        if (!version) {
          std::string text = index(view);
          std::string etag = quote(document_hash(text));
          return {.text = std::move(text), .etag = std::move(etag)};
        }
        auto text = OpenApi().document(*registry_, *version, view.schema_of);
        if (!text) return {};
        return {.text = *std::move(text),
                .etag = quote(openapi_hash(*registry_, *version, view.definitions))};
      });
  if (made.text.empty()) return page_not_found();
  const std::string_view hash = find_option(request.query, "hash").value_or("");
  if (!version || hash.empty()) {
    return document_response(request, made.text, {.type = "application/json", .etag = made.etag});
  }
  const std::string current = openapi_hash(*registry_, *version, view.definitions);
  if (hash != current) return moved_to("?hash=" + current);
  // The hash is a part of the address: what is there never changes.
  Response response = document_response(
      request, made.text,
      {.type = "application/json", .etag = made.etag, .cache_control = "public, immutable"});
  response.headers.add("expires", http::format_date(view.now + kForEver));
  return response;
}

}  // namespace berth::apiserver
