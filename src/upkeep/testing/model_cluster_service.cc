// Tested by upkeep/testing/model_cluster_service_test.cc.
#include "upkeep/testing/model_cluster_service.h"

#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/check.h"
#include "base/strings.h"
#include "json/merge_patch.h"
#include "json/parse.h"
#include "json/print.h"
#include "upkeep/resources.h"

namespace berth::upkeep::testing {
namespace {

using client::testing::ModelServer;
using client::testing::ModelServerOptions;
using client::testing::ModelStore;
using json::Value;

constexpr std::string_view kAggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

client::testing::ModelAnswer refusal(Code code, std::string message) {
  return {.status = http_status(code),
          .document = Value::object({{"kind", "Status"},
                                     {"apiVersion", "v1"},
                                     {"status", "Failure"},
                                     {"reason", reason(code)},
                                     {"message", std::move(message)},
                                     {"code", http_status(code)}})};
}

client::testing::ModelAnswer not_found(const std::string& name) {
  return refusal(Code::NotFound, "things \"" + name + "\" not found");
}

std::string text(const Value& object, std::string_view field) {
  return api::text_field(api::field(object, "metadata"), field);
}

std::string key_of(const Value& object) {
  const std::string ns = text(object, "namespace");
  return ns.empty() ? text(object, "name") : ns + "/" + text(object, "name");
}

bool holds(const Value& object, const std::string& uid, const std::string& version) {
  return (uid.empty() || uid == text(object, "uid")) &&
         (version.empty() || version == text(object, "resourceVersion"));
}

void copy_member(Value& object, const Value& from, std::string_view name) {
  if (const Value* member = from.find(name)) {
    object[name] = *member;
  } else {
    object.erase(name);
  }
}

// As a server sets them from the policy of a deletion.
void set_cascade(Value& object, std::string_view policy) {
  if (policy.empty()) return;
  Value finalizers = Value::array();
  for (const std::string_view name : api::Metadata(object).finalizers()) {
    if (name != "orphan" && name != "foregroundDeletion") finalizers.push_back(name);
  }
  if (policy == "Orphan") finalizers.push_back("orphan");
  if (policy == "Foreground") finalizers.push_back("foregroundDeletion");
  object["metadata"]["finalizers"] = std::move(finalizers);
}

bool is_held(const Value& object, bool is_namespace) {
  if (!api::Metadata(object).finalizers().empty()) return true;
  return is_namespace && !api::elements_field(api::field(object, "spec"), "finalizers").empty();
}

}  // namespace

ModelCluster::ModelCluster() {
  define(namespaces(), "Namespace", false);
  define(pods(), "Pod", true);
  define(service_accounts(), "ServiceAccount", true);
  define(config_maps(), "ConfigMap", true);
  define(secrets(), "Secret", true);
  define(events(), "Event", true);
  define(cluster_roles(), "ClusterRole", false);
  define(certificate_signing_requests(), "CertificateSigningRequest", false);
  define(definitions(), "CustomResourceDefinition", false);
}

void ModelCluster::define(const client::Gvr& resource, std::string kind, bool namespaced) {
  served_[resource] = {
      .gvr = resource,
      .kind = std::move(kind),
      .namespaced = namespaced,
      .verbs = {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}};
}

void ModelCluster::undefine(const client::Gvr& resource) { served_.erase(resource); }

std::unique_ptr<ModelServer> ModelCluster::serve(const env::Env& env,
                                                 std::function<int()> trouble) {
  return std::make_unique<ModelServer>(
      env, unused_,
      ModelServerOptions{.answer = [this](const Request& request) { return answer(request); },
                         .page = [this](const std::string& path) { return page(path); },
                         .collection = [this](const std::string& path) -> ModelStore* {
                           const Target target = target_of(path);
                           return target.info ? &store(target.collection) : nullptr;
                         },
                         .trouble = std::move(trouble)});
}

ModelStore& ModelCluster::store(const std::string& collection) {
  const std::string prefix = collection.substr(collection.rfind('/') + 1) + "-";
  return stores_.try_emplace(collection, prefix).first->second;
}

// "/apis/g/v1/namespaces/ns/things/name/status"
ModelCluster::Target ModelCluster::target_of(std::string_view path) const {
  std::vector<std::string> parts;
  for (const std::string_view part : split(path.substr(1), '/')) parts.emplace_back(part);
  const std::size_t head = parts.front() == "api" ? 2 : 3;
  Target target;
  if (parts.size() <= head) return target;
  std::size_t at = head;
  const bool inside = parts.size() > at + 2 && parts[at] == "namespaces" &&
                      parts[at + 2] != "finalize" && parts[at + 2] != "status";
  if (inside) {
    target.ns = parts[at + 1];
    at += 2;
  }
  const client::Gvr gvr{head == 2 ? "" : parts[1], parts[head - 1], parts[at]};
  target.collection = client::path_of({.resource = gvr}).value();
  const auto found = served_.find(gvr);
  if (found != served_.end()) target.info = &found->second;
  if (++at < parts.size()) target.name = parts[at];
  if (++at < parts.size()) target.subresource = parts[at];
  return target;
}

std::optional<ModelServerOptions::Page> ModelCluster::page(const std::string& path) const {
  if (path != "/api" && path != "/apis") return std::nullopt;
  std::map<std::pair<std::string, std::string>, Value> versions;
  for (const auto& [gvr, info] : served_) {
    if (gvr.group.empty() != (path == "/api")) continue;
    Value verbs = Value::array();
    for (const std::string& verb : info.verbs) verbs.push_back(verb);
    Value& version = versions[{gvr.group, gvr.version}];
    version["version"] = gvr.version;
    version["resources"].push_back(
        Value::object({{"resource", gvr.resource},
                       {"responseKind", Value::object({{"kind", info.kind}})},
                       {"scope", info.namespaced ? "Namespaced" : "Cluster"},
                       {"verbs", std::move(verbs)}}));
  }
  Value list = Value::object({{"kind", "APIGroupDiscoveryList"}, {"items", Value::array()}});
  for (auto& [id, version] : versions) {
    Value group = Value::object({{"metadata", Value::object({{"name", id.first}})}});
    group["versions"].push_back(std::move(version));
    list["items"].push_back(std::move(group));
  }
  return ModelServerOptions::Page{.content_type = std::string(kAggregated),
                                  .body = json::print(list)};
}

std::optional<ModelCluster::Answer> ModelCluster::answer(const Request& request) {
  const Target target = target_of(request.path);
  if (!target.info) return std::nullopt;
  if (request.method == http::Method::Get) {
    if (target.name.empty()) {
      if (target.ns.empty() || request.query.contains("watch=")) return std::nullopt;
      return list(target);
    }
    const Value* object = find(target.info->gvr, target.key());
    if (!object) return not_found(target.name);
    return Answer{.document = *object};
  }
  on_write(std::string(http::method_name(request.method)) + " " + target.info->gvr.resource + "/" +
           target.key());
  ++writes_;
  return write(target, request);
}

ModelCluster::Answer ModelCluster::list(const Target& target) const {
  Value document = Value::object({{"kind", "List"}, {"apiVersion", "v1"}});
  const auto objects = stores_.find(target.collection);
  const std::int64_t revision = objects == stores_.end() ? 0 : objects->second.revision();
  document["metadata"]["resourceVersion"] = std::to_string(revision);
  document["items"] = Value::array();
  for (const std::string& key : keys(target.info->gvr)) {
    const Value& object = *find(target.info->gvr, key);
    if (text(object, "namespace") == target.ns) document["items"].push_back(object);
  }
  return {.document = std::move(document)};
}

ModelCluster::Answer ModelCluster::write(const Target& target, const Request& request) {
  Value body;
  if (!request.body.empty()) body = json::parse(request.body).value();
  if (request.method == http::Method::Post) return create(target, std::move(body));
  if (request.method != http::Method::Delete) return change(target, body, request.method);
  return target.name.empty() ? remove_all(target, body) : remove(target, body);
}

ModelCluster::Answer ModelCluster::create(const Target& target, Value object) {
  if (!target.ns.empty()) {
    object["metadata"]["namespace"] = target.ns;
    const Value* home = find(namespaces(), target.ns);
    if (!home) return refusal(Code::NotFound, "namespaces \"" + target.ns + "\" not found");
    if (api::Metadata(*home).is_being_deleted()) {
      Answer answer = refusal(Code::Forbidden, "the namespace is being terminated");
      answer.document["details"]["causes"].push_back(
          Value::object({{"reason", "NamespaceTerminating"}}));
      return answer;
    }
  }
  const std::string key = key_of(object);
  ModelStore& objects = store(target.collection);
  if (objects.state().contains(key)) return refusal(Code::AlreadyExists, key + " already exists");
  objects.put(key, std::move(object));
  return {.status = 201, .document = objects.state().at(key)};
}

ModelCluster::Answer ModelCluster::change(const Target& target, const Value& body,
                                          http::Method method) {
  const Value* is = find(target.info->gvr, target.key());
  if (!is) return not_found(target.name);
  const Value before = *is;
  if (!holds(before, text(body, "uid"), text(body, "resourceVersion"))) {
    return refusal(Code::Conflict, "the object has been modified");
  }
  const Value asked = method == http::Method::Put ? body : json::apply_merge_patch(before, body);
  Value after = asked;
  if (target.subresource == "status") {
    after = before;
    copy_member(after, asked, "status");
  } else if (target.subresource == "finalize") {
    after = before;
    copy_member(after["spec"], api::field(asked, "spec"), "finalizers");
  } else {
    copy_member(after, before, "status");
  }
  if (after == before) return {.document = before};
  settle(target, after);
  const Value* now = find(target.info->gvr, target.key());
  return {.document = now ? *now : after};
}

ModelCluster::Answer ModelCluster::remove(const Target& target, const Value& options) {
  const Value* is = find(target.info->gvr, target.key());
  if (!is) return not_found(target.name);
  const Value& preconditions = api::field(options, "preconditions");
  const bool meant = holds(*is, api::text_field(preconditions, "uid"),
                           api::text_field(preconditions, "resourceVersion"));
  if (!meant && !ignores_preconditions_) {
    return refusal(Code::Conflict, "the object has been modified");
  }
  on_removal(target.info->gvr, *is);
  return mark_removed(target, options);
}

ModelCluster::Answer ModelCluster::mark_removed(const Target& target, const Value& options) {
  const Value before = *find(target.info->gvr, target.key());
  Value object = before;
  set_cascade(object, api::text_field(options, "propagationPolicy"));
  if (!api::Metadata(object).is_being_deleted()) {
    object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
    if (target.info->gvr == namespaces()) object["status"]["phase"] = "Terminating";
  }
  if (object != before) settle(target, object);
  return {.document = object};
}

ModelCluster::Answer ModelCluster::remove_all(const Target& target, const Value& options) {
  for (const std::string& key : keys(target.info->gvr)) {
    if (text(*find(target.info->gvr, key), "namespace") != target.ns) continue;
    Target one = target;
    one.name = text(*find(target.info->gvr, key), "name");
    remove(one, options);
  }
  return {.document = Value::object({{"kind", "Status"}, {"apiVersion", "v1"}})};
}

void ModelCluster::settle(const Target& target, Value object) {
  ModelStore& objects = store(target.collection);
  const std::string key = key_of(object);
  const bool goes = api::Metadata(object).is_being_deleted() &&
                    !is_held(object, target.info->gvr == namespaces());
  if (!goes) {
    objects.put(key, std::move(object));
    return;
  }
  objects.erase(key);
  gone_.push_back(target.info->gvr.resource + "/" + key);
}

void ModelCluster::put(const client::Gvr& resource, Value object) {
  const std::string key = key_of(object);
  if (const Value* before = find(resource, key)) {
    object["metadata"]["uid"] = text(*before, "uid");
  } else if (resource == namespaces()) {
    object["spec"]["finalizers"].push_back("kubernetes");
    object["status"]["phase"] = "Active";
  }
  store(client::path_of({.resource = resource}).value()).put(key, std::move(object));
}

void ModelCluster::apply(const client::Gvr& resource, std::string_view text) {
  put(resource, json::parse(text).value());
}

void ModelCluster::remove(const client::Gvr& resource, const std::string& key,
                          const client::DeleteOptions& options) {
  Target target = target_of(client::path_of({.resource = resource}).value());
  const std::size_t slash = key.find('/');
  if (slash != std::string::npos) target.ns = key.substr(0, slash);
  target.name = key.substr(slash == std::string::npos ? 0 : slash + 1);
  CHECK(mark_removed(target, client::body_of(options)).status == 200);
}

void ModelCluster::erase(const client::Gvr& resource, const std::string& key) {
  store(client::path_of({.resource = resource}).value()).erase(key);
}

const Value* ModelCluster::find(const client::Gvr& resource, const std::string& key) const {
  const auto found = stores_.find(client::path_of({.resource = resource}).value());
  if (found == stores_.end()) return nullptr;
  const auto object = found->second.state().find(key);
  return object == found->second.state().end() ? nullptr : &object->second;
}

std::string ModelCluster::uid(const client::Gvr& resource, const std::string& key) const {
  const Value* object = find(resource, key);
  return object ? text(*object, "uid") : "";
}

std::vector<std::string> ModelCluster::keys(const client::Gvr& resource) const {
  std::vector<std::string> keys;
  const auto found = stores_.find(client::path_of({.resource = resource}).value());
  if (found == stores_.end()) return keys;
  for (const auto& [key, object] : found->second.state()) keys.push_back(key);
  return keys;
}

Value ModelCluster::reference_to(const client::Gvr& resource, const std::string& key) const {
  return Value::object({{"apiVersion", api::GroupVersion{resource.group, resource.version}.text()},
                        {"kind", served_.at(resource).kind},
                        {"name", key.substr(key.find('/') + 1)},
                        {"uid", uid(resource, key)}});
}

}  // namespace berth::upkeep::testing
