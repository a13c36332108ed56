#include "placement/explaining/debug_request.h"

#include <utility>

#include <fmt/format.h>

#include "api/kinds/managed_cluster.h"
#include "base/strings.h"
#include "json/parse.h"
#include "json/print.h"
#include "placement/compiling/cel_expressions.h"
#include "placement/deciding/schedule.h"
#include "placement/explaining/debug_document.h"
#include "placement/waking/dependencies.h"

namespace berth::placement {
namespace {

// The reference encodes with Go's default, and lets Go guess a content type from the bytes.
DebugResponse evaluate(const json::Value& object, const CompiledPlacement& placement,
                       const FleetView& fleet, const DebugSource& source) {
  const Schedule result = schedule(placement, fleet, source.now, source.situation.options());
  return {
      .content_type = "text/plain; charset=utf-8",
      .body = json::print(debug_document(object, result, fleet), {.html = json::HtmlEscape::Yes})};
}

// The fleet with whole clusters in it.
FleetView whole_fleet(const DebugSource& source) {
  FleetView fleet = source.situation.fleet();
  for (const auto& object : source.clusters()) {
    fleet.put_cluster(
        api::read_managed_cluster(*object),
        std::make_shared<const json::Value>(managed_cluster_for_expressions(*object)));
  }
  return fleet;
}

Result<api::ObjectKey> key_of(std::string_view path) {
  const std::string_view tail =
      path.starts_with(kDebugPath) ? path.substr(kDebugPath.size()) : std::string_view();
  const auto parts = split(tail, '/');
  if (parts.size() > 2) {
    return failure(Code::BadRequest, fmt::format("unexpected key format: {}", quote(tail)));
  }
  if (parts.size() < 2 || parts[0].empty() || parts[1].empty()) {
    return failure(Code::BadRequest, "invalid debug path: namespace and name required");
  }
  return api::ObjectKey{std::string(parts[0]), std::string(parts[1])};
}

DebugResponse evaluate_stored(std::string_view path, const DebugSource& source) {
  const auto key = key_of(path);
  if (!key.ok()) return debug_error(400, key.error().message);
  const auto object = source.find(*key);
  const CompiledPlacement* placement = source.situation.find(*key);
  if (!object || !placement) {
    return debug_error(404, fmt::format("placement '{}' not found", key->name));
  }
  return evaluate(*object, *placement, source.situation.fleet(), source);
}

DebugResponse evaluate_sent(std::string_view body, const DebugSource& source) {
  if (body.size() > kDebugBodyMax) {
    return debug_error(400, fmt::format("request body too large: limit is {}", kDebugBodyMax));
  }
  const auto object = json::parse(body);
  if (!object.ok() || !object->is_object()) {
    return debug_error(400,
                       fmt::format("failed to unmarshal placement JSON: {}",
                                   object.ok() ? "expected an object" : object.error().message));
  }
  const CompiledPlacement placement = source.situation.compile(*object);
  const bool reads_objects = find_reads(placement, source.situation.options()).whole_objects;
  if (reads_objects && !source.situation.keeps_cluster_objects()) {
    return evaluate(*object, placement, whole_fleet(source), source);
  }
  return evaluate(*object, placement, source.situation.fleet(), source);
}

}  // namespace

DebugResponse debug_error(int status, std::string_view message) {
  return {.status = status,
          .content_type = "application/json",
          .body = json::print(json::Value::object({{"error", message}}))};
}

DebugResponse answer_debug(const DebugRequest& request, const DebugSource& source) {
  if (request.method == "GET") return evaluate_stored(request.path, source);
  if (request.method == "POST") return evaluate_sent(request.body, source);
  return debug_error(405, fmt::format("method {} not allowed", request.method));
}

}  // namespace berth::placement
