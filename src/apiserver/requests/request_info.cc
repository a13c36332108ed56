#include "apiserver/requests/request_info.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "api/field_selector.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using Segments = std::vector<std::string>;

std::string_view verb_of(http::Method method) {
  switch (method) {
    case http::Method::Get:
    case http::Method::Head:
      return "get";
    case http::Method::Post:
      return "create";
    case http::Method::Put:
      return "update";
    case http::Method::Patch:
      return "patch";
    case http::Method::Delete:
      return "delete";
    case http::Method::Options:
    case http::Method::Other:
      break;
  }
  return "";
}

// Namespaces have subresources of their own; everything else below them is another resource.
bool is_namespace_subresource(std::string_view segment) {
  return segment == "status" || segment == "finalize";
}

// Where the segments of a resource begin, or 0 when the path is none.
std::size_t read_group_version(const Segments& segments, RequestInfo& info) {
  if (segments.size() >= 3 && segments[0] == "api") {
    info.version = segments[1];
    return 2;
  }
  if (segments.size() >= 4 && segments[0] == "apis") {
    info.group = segments[1];
    info.version = segments[2];
    return 3;
  }
  return 0;
}

void read_names(std::span<const std::string> segments, RequestInfo& info) {
  if (segments[0] == "namespaces" && segments.size() > 1) {
    info.ns = segments[1];
    if (segments.size() > 2 && !is_namespace_subresource(segments[2])) {
      segments = segments.subspan(2);
    }
  }
  info.resource = segments[0];
  if (segments.size() > 1) info.name = segments[1];
  if (segments.size() > 2) info.subresource = segments[2];
  if (segments.size() > 3) info.rest.assign(segments.begin() + 3, segments.end());
}

bool is_true(std::string_view text) {
  static constexpr std::array kTrue = {"1", "t", "T", "true", "TRUE", "True"};
  return std::ranges::find(kTrue, text) != kTrue.end();
}

bool asks_to_watch(const std::vector<http::QueryItem>& query) {
  const auto item = std::ranges::find(query, "watch", &http::QueryItem::first);
  return item != query.end() && is_true(item->second);
}

std::string selected_name(const std::vector<http::QueryItem>& query) {
  const auto item = std::ranges::find(query, "fieldSelector", &http::QueryItem::first);
  if (item == query.end()) return {};
  const auto selector = api::FieldSelector::parse(item->second);
  if (!selector.ok()) return {};
  return std::string(selector->exact_value("metadata.name").value_or(""));
}

void read_collection_verb(const std::vector<http::QueryItem>& query, RequestInfo& info) {
  if (info.verb == "get") info.verb = asks_to_watch(query) ? "watch" : "list";
  if (info.verb == "delete") info.verb = "deletecollection";
  const bool is_about_some =
      info.verb == "list" || info.verb == "watch" || info.verb == "deletecollection";
  if (is_about_some) info.name = selected_name(query);
}

}  // namespace

Result<RequestInfo> read_request_info(http::Method method, std::string_view target) {
  const auto [path, query_text] = http::split_target(target);
  ASSIGN_OR_RETURN(const Segments segments, http::split_path(path));
  ASSIGN_OR_RETURN(const auto query, http::parse_query(query_text));

  RequestInfo info;
  for (const std::string& segment : segments) info.path += "/" + segment;
  if (info.path.empty()) info.path = "/";

  const std::size_t begin = read_group_version(segments, info);
  if (begin == 0) {
    info.verb = lower_ascii(http::method_name(method));
    return info;
  }
  info.is_resource = true;
  info.verb = verb_of(method);
  read_names(std::span(segments).subspan(begin), info);
  if (info.name.empty()) {
    read_collection_verb(query, info);
  } else if (info.verb == "get" && asks_to_watch(query)) {
    info.verb = "watch";
  }
  return info;
}

}  // namespace berth::apiserver
