// Requests to an API server and what its answers mean. Pure: bytes are sent elsewhere.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "client/options.h"
#include "client/resource.h"
#include "http/message.h"
#include "json/value.h"

namespace berth::client {

inline constexpr std::string_view kJson = "application/json";

struct RestRequest {
  http::Method method = http::Method::Get;
  std::string target = {};  // Path and query, below the base path of the server's URL.
  std::string accept = std::string(kJson);
  std::string content_type = {};  // Of the body; empty when there is none.
  std::string body = {};
};

Result<RestRequest> get_request(const ResourcePath& path);
Result<RestRequest> list_request(const ResourcePath& collection, const ListOptions& options);
Result<RestRequest> watch_request(const ResourcePath& collection, const WatchOptions& options);

// What the request says it can read: protobuf, but also JSON, for servers that have nothing else.
inline constexpr std::string_view kProtobufOrJsonStream =
    "application/vnd.kubernetes.protobuf;stream=watch,application/json";

// `path` names the collection, or a subresource that is posted to (`binding`, `eviction`, `token`).
Result<RestRequest> create_request(const ResourcePath& path, const json::Value& object,
                                   const WriteOptions& options);
Result<RestRequest> update_request(const ResourcePath& path, const json::Value& object,
                                   const WriteOptions& options);
Result<RestRequest> patch_request(const ResourcePath& path, const json::Value& patch,
                                  const PatchOptions& options);
Result<RestRequest> delete_request(const ResourcePath& path, const DeleteOptions& options);
Result<RestRequest> delete_collection_request(const ResourcePath& collection,
                                              const Selection& selection,
                                              const DeleteOptions& options);

// GET of a path outside the resources: "/version", "/apis".
RestRequest plain_request(std::string target);

// Adds an item to the query of a request.
void add_to_query(RestRequest& request, std::string_view name, std::string_view value);

struct RestAnswer {
  int status = 0;
  std::string content_type = {};
  std::optional<Duration> retry_after = std::nullopt;
  std::string body = {};
};

// The document of a successful answer; null for one without a body. Everything else is an Error:
// that of the Status in the body, or one made from the HTTP code. Redirects are refused: an API
// server sends none, and credentials must not follow them.
Result<json::Value> read_answer(const RestAnswer& answer, http::Method method);

// The error of an answer whose code is none of 2xx.
Error error_of_answer(const RestAnswer& answer, http::Method method);

}  // namespace berth::client
