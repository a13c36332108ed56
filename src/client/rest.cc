#include "client/rest.h"

#include <utility>

#include <fmt/format.h>

#include "client/errors.h"
#include "client/protobuf/decoder.h"
#include "http/percent.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::client {
namespace {

struct Contents {
  std::string_view content_type = {};
  std::string body = {};
};

Result<RestRequest> build(http::Method method, const ResourcePath& path, const Query& query,
                          Contents contents = {}) {
  ASSIGN_OR_RETURN(std::string target, path_of(path));
  if (!query.empty()) target += "?" + http::build_query(query);
  return RestRequest{.method = method,
                     .target = std::move(target),
                     .content_type = std::string(contents.content_type),
                     .body = std::move(contents.body)};
}

Status require_name(const ResourcePath& path, std::string_view verb) {
  if (!path.name.empty()) return {};
  return failure(Code::BadRequest,
                 fmt::format("to {} one of {} takes a name", verb, path.resource.text()));
}

Status require_collection(const ResourcePath& path, std::string_view verb) {
  if (path.name.empty() && path.subresource.empty()) return {};
  return failure(Code::BadRequest, fmt::format("{} works on the collection {}, not on one object",
                                               verb, path.resource.text()));
}

Contents json_contents(const json::Value& document) {
  return {.content_type = kJson, .body = json::print(document)};
}

}  // namespace

Result<RestRequest> get_request(const ResourcePath& path) {
  RETURN_IF_ERROR(require_name(path, "get"));
  return build(http::Method::Get, path, {});
}

Result<RestRequest> list_request(const ResourcePath& collection, const ListOptions& options) {
  RETURN_IF_ERROR(require_collection(collection, "list"));
  return build(http::Method::Get, collection, query_of(options));
}

Result<RestRequest> watch_request(const ResourcePath& collection, const WatchOptions& options) {
  RETURN_IF_ERROR(require_collection(collection, "watch"));
  return build(http::Method::Get, collection, query_of(options));
}

Result<RestRequest> create_request(const ResourcePath& path, const json::Value& object,
                                   const WriteOptions& options) {
  if (path.subresource.empty()) RETURN_IF_ERROR(require_collection(path, "create"));
  return build(http::Method::Post, path, query_of(options), json_contents(object));
}

Result<RestRequest> update_request(const ResourcePath& path, const json::Value& object,
                                   const WriteOptions& options) {
  RETURN_IF_ERROR(require_name(path, "update"));
  return build(http::Method::Put, path, query_of(options), json_contents(object));
}

Result<RestRequest> patch_request(const ResourcePath& path, const json::Value& patch,
                                  const PatchOptions& options) {
  RETURN_IF_ERROR(require_name(path, "patch"));
  if (options.type == PatchType::Apply && options.write.field_manager.empty()) {
    return failure(Code::BadRequest, "an apply patch takes a field manager");
  }
  return build(http::Method::Patch, path, query_of(options),
               {.content_type = content_type_of(options.type), .body = json::print(patch)});
}

Result<RestRequest> delete_request(const ResourcePath& path, const DeleteOptions& options) {
  RETURN_IF_ERROR(require_name(path, "delete"));
  return build(http::Method::Delete, path, {}, json_contents(body_of(options)));
}

Result<RestRequest> delete_collection_request(const ResourcePath& collection,
                                              const Selection& selection,
                                              const DeleteOptions& options) {
  RETURN_IF_ERROR(require_collection(collection, "deletecollection"));
  return build(http::Method::Delete, collection, query_of(ListOptions{.selection = selection}),
               json_contents(body_of(options)));
}

RestRequest plain_request(std::string target) { return {.target = std::move(target)}; }

void add_to_query(RestRequest& request, std::string_view name, std::string_view value) {
  request.target += request.target.contains('?') ? '&' : '?';
  request.target += http::build_query({{std::string(name), std::string(value)}});
}

Error error_of_answer(const RestAnswer& answer, http::Method method) {
  if (http::is_redirect(answer.status)) {
    return Error{.code = Code::InternalError,
                 .message = fmt::format("the server answered with a redirect ({}), which an API "
                                        "server does not do",
                                        answer.status)};
  }
  Error error = error_of_code(answer.status, method, answer.body);
  const bool is_protobuf = answer.content_type.starts_with(protobuf::kContentType);
  const auto document =
      is_protobuf ? protobuf::decode_status(answer.body) : json::parse(answer.body);
  if (document.ok() && is_status(*document)) {
    error = error_of_status(*document);
  }
  // The header is what the protocol knows; the field in the body is for those who see no header.
  if (answer.retry_after) error.retry_after = answer.retry_after;
  return error;
}

Result<json::Value> read_answer(const RestAnswer& answer, http::Method method) {
  if (answer.status < 200 || answer.status >= 300) return failure(error_of_answer(answer, method));
  if (answer.body.empty()) return json::Value();
  auto document = json::parse(answer.body);
  if (!document.ok()) {
    return failure(Code::InternalError,
                   fmt::format("the server's answer is not JSON: {}", document.error().message));
  }
  const json::Value* verdict = is_status(*document) ? document->find("status") : nullptr;
  if (verdict && verdict->string_or_empty() == "Failure") {
    return failure(error_of_status(*document));
  }
  return document;
}

}  // namespace berth::client
