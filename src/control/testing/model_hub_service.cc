// Tested by placement/placement_controller_test.cc.
#include "control/testing/model_hub_service.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "http/url.h"
#include "json/merge_patch.h"
#include "json/parse.h"
#include "json/text_of.h"

namespace berth::control::testing {
namespace {

using client::testing::ModelAnswer;
using client::testing::ModelRequest;
using client::testing::ModelServer;
using client::testing::ModelServerOptions;
using client::testing::ModelStore;
using json::Value;

ModelAnswer refusal(Code code, std::string message) {
  return {.status = http_status(code),
          .document = Value::object({{"kind", "Status"},
                                     {"apiVersion", "v1"},
                                     {"status", "Failure"},
                                     {"reason", reason(code)},
                                     {"message", std::move(message)},
                                     {"code", http_status(code)}})};
}

std::string metadata(const Value& object, std::string_view name) {
  return std::string(text_at(object, {"metadata", name}));
}

std::string key_of(const Value& object) {
  const std::string ns = metadata(object, "namespace");
  return ns.empty() ? metadata(object, "name") : ns + "/" + metadata(object, "name");
}

// Whether an update or delete was decided on the object as it is.
bool holds(const Value& object, const std::string& uid, const std::string& version) {
  return (uid.empty() || uid == metadata(object, "uid")) &&
         (version.empty() || version == metadata(object, "resourceVersion"));
}

void set_status_from(Value& object, const Value& other) {
  if (const Value* status = other.find("status")) {
    object["status"] = *status;
  } else {
    object.erase("status");
  }
}

void count_generation(Value& object, const Value* before) {
  const Value* old_spec = before ? before->find("spec") : nullptr;
  const Value* spec = object.find("spec");
  const bool same = before && (spec && old_spec ? *spec == *old_spec : spec == old_spec);
  const Value* generation = before ? before->find_path({"metadata", "generation"}) : nullptr;
  const std::int64_t was = generation ? generation->as_int().value_or(1) : 0;
  object["metadata"]["generation"] = same ? was : was + 1;
}

}  // namespace

// "/apis/g/v1/namespaces/ns/things/name/status"
ModelHub::Target ModelHub::target_of(std::string_view path) {
  const std::vector<std::string> parts = http::split_path(path).value();
  const std::size_t head = parts.front() == "api" ? 2 : 3;
  Target target;
  for (std::size_t i = 0; i < head; ++i) target.collection += "/" + parts[i];
  std::size_t at = head;
  if (parts.size() > at + 2 && parts[at] == "namespaces") {
    target.ns = parts[at + 1];
    at += 2;
  }
  target.collection += "/" + parts[at++];
  if (at < parts.size()) {
    target.key = target.ns.empty() ? parts[at] : target.ns + "/" + parts[at];
    ++at;
  }
  // An approval is written at a place of its own, but it is a part of the status.
  target.is_status = at < parts.size() && (parts[at] == "status" || parts[at] == "approval");
  return target;
}

std::unique_ptr<ModelServer> ModelHub::serve(const env::Env& env, ServeOptions options) {
  return std::make_unique<ModelServer>(
      env, unused_,
      ModelServerOptions{.answer = [this, first = std::move(options.first)](
                                       const ModelRequest& request) -> std::optional<ModelAnswer> {
                           if (auto answered = first ? first(request) : std::nullopt)
                             return answered;
                           if (!request.path.starts_with("/api")) return std::nullopt;
                           const Target target = target_of(request.path);
                           if (request.method == http::Method::Get && target.key.empty())
                             return std::nullopt;
                           return answer(request);
                         },
                         .bug = options.bug,
                         .page = std::move(options.page),
                         .collection = [this](const std::string& path) -> ModelStore* {
                           return path.starts_with("/api") ? &stores_[target_of(path).collection]
                                                           : nullptr;
                         },
                         .trouble = std::move(options.trouble)});
}

ModelStore& ModelHub::store(const client::Gvr& resource) {
  return stores_[client::path_of({.resource = resource}).value()];
}

void ModelHub::put(const client::Gvr& resource, Value object) {
  const Value* before = find(resource, key_of(object));
  if (before) object["metadata"]["uid"] = metadata(*before, "uid");
  count_generation(object, before);
  const std::string key = key_of(object);
  store(resource).put(key, std::move(object));
}

void ModelHub::erase(const client::Gvr& resource, const std::string& key) {
  store(resource).erase(key);
}

const Value* ModelHub::find(const client::Gvr& resource, const std::string& key) {
  const ModelStore::State& state = store(resource).state();
  const auto found = state.find(key);
  return found == state.end() ? nullptr : &found->second;
}

ModelAnswer ModelHub::answer(const ModelRequest& request) {
  const Target target = target_of(request.path);
  const ModelStore& store = stores_[target.collection];
  if (request.method == http::Method::Get) {
    const auto found = store.state().find(target.key);
    if (found == store.state().end()) return refusal(Code::NotFound, target.key + " not found");
    return {.document = found->second};
  }
  const std::int64_t revision = store.revision();
  ModelAnswer made = write(target, request);
  on_write({.what = std::string(http::method_name(request.method)) + " " +
                    target.collection.substr(target.collection.rfind('/') + 1) +
                    (target.key.empty() ? "" : "/" + target.key) +
                    (target.is_status ? "/status" : ""),
            .status = made.status,
            .changed = store.revision() != revision});
  return made;
}

ModelAnswer ModelHub::write(const Target& target, const ModelRequest& request) {
  Value body;
  if (!request.body.empty()) body = json::parse(request.body).value();
  if (request.method == http::Method::Post) return create(target, std::move(body));
  if (request.method == http::Method::Delete) return remove(target, body);
  return change(target, body, request);
}

ModelAnswer ModelHub::create(const Target& target, Value object) {
  ModelStore& store = stores_[target.collection];
  if (!target.ns.empty()) object["metadata"]["namespace"] = target.ns;
  if (const Value* prefix = object["metadata"].find("generateName")) {
    object["metadata"]["name"] =
        std::string(prefix->string_or_empty()) + std::to_string(store.revision());
  }
  const std::string key = key_of(object);
  if (store.state().contains(key)) return refusal(Code::AlreadyExists, key + " already exists");
  object.erase("status");
  count_generation(object, nullptr);
  store.put(key, std::move(object));
  return {.status = 201, .document = store.state().at(key)};
}

ModelAnswer ModelHub::change(const Target& target, const Value& body, const ModelRequest& request) {
  ModelStore& store = stores_[target.collection];
  const auto found = store.state().find(target.key);
  if (found == store.state().end()) return refusal(Code::NotFound, target.key + " not found");
  const Value before = found->second;
  if (!holds(before, metadata(body, "uid"), metadata(body, "resourceVersion"))) {
    return refusal(Code::Conflict, "the object has been modified");
  }
  Value after = request.method == http::Method::Put ? body : json::apply_merge_patch(before, body);
  if (target.is_status) {
    Value only = before;
    set_status_from(only, after);
    after = std::move(only);
  } else {
    set_status_from(after, before);
  }
  count_generation(after, &before);
  after["metadata"]["resourceVersion"] = metadata(before, "resourceVersion");
  if (after != before) {  // A no-op makes no version.
    note_writer(after, request);
    if (request.query.contains("dryRun=All")) return {.document = std::move(after)};
    store.put(target.key, std::move(after));
  }
  return {.document = store.state().at(target.key)};
}

void ModelHub::note_writer(Value& object, const ModelRequest& request) const {
  if (!calendar) return;
  const auto query = http::parse_query(request.query).value();
  const auto manager = std::ranges::find(query, "fieldManager", &http::QueryItem::first);
  object["metadata"]["managedFields"] =
      Value::array({Value::object({{"manager", manager == query.end() ? "" : manager->second},
                                   {"operation", "Update"},
                                   {"time", format_seconds(calendar())}})});
}

ModelAnswer ModelHub::remove(const Target& target, const Value& options) {
  ModelStore& store = stores_[target.collection];
  const auto found = store.state().find(target.key);
  if (found == store.state().end()) return refusal(Code::NotFound, target.key + " not found");
  const auto wanted = [&options](std::string_view name) {
    return std::string(text_at(options, {"preconditions", name}));
  };
  const Value object = found->second;
  if (!holds(object, wanted("uid"), wanted("resourceVersion"))) {
    return refusal(Code::Conflict, "the object has been modified");
  }
  store.erase(target.key);
  return {.document = object};
}

}  // namespace berth::control::testing
