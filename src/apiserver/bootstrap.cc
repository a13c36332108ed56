#include "apiserver/bootstrap.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "api/metadata.h"
#include "apiserver/auth/default_roles.h"
#include "base/strings.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kManager = "berth-hub";

json::Value object_of(std::string_view version, std::string_view kind, std::string_view ns,
                      std::string_view name) {
  json::Value metadata = json::Value::object({{"name", name}});
  if (!ns.empty()) metadata["namespace"] = ns;
  return json::Value::object({{"apiVersion", version}, {"kind", kind}, {"metadata", metadata}});
}

ApiRequest apply_request(std::string_view resource, const json::Value& object) {
  const api::Metadata metadata(object);
  const std::string_view version = object.find("apiVersion")->string_or_empty();
  const std::size_t slash = version.find('/');
  ApiRequest request;
  request.info = {
      .is_resource = true,
      .verb = "patch",
      .group = slash == std::string_view::npos ? "" : std::string(version.substr(0, slash)),
      .version = std::string(slash == std::string_view::npos ? version : version.substr(slash + 1)),
      .ns = std::string(metadata.namespace_name()),
      .resource = std::string(resource),
      .name = std::string(metadata.name())};
  request.query = {{"fieldManager", std::string(kManager)}, {"force", "true"}};
  request.headers.add("content-type", "application/apply-patch+yaml");
  request.body = json::print(object);
  request.user = hub_user();
  return request;
}

json::Value hub_service() {
  json::Value service = object_of("v1", "Service", "default", "kubernetes");
  service["metadata"]["labels"] =
      json::Value::object({{"component", "apiserver"}, {"provider", "kubernetes"}});
  const json::Value port = json::Value::object(
      {{"name", "https"}, {"protocol", "TCP"}, {"port", 443}, {"targetPort", 443}});
  service["spec"] = json::Value::object({{"type", "ClusterIP"},
                                         {"clusterIP", "10.0.0.1"},
                                         {"clusterIPs", json::Value::array({"10.0.0.1"})},
                                         {"ports", json::Value::array({port})}});
  return service;
}

// By this, other servers tell who their clients are: those whom the hub knows.
json::Value client_authority(const std::string& authority_pem) {
  json::Value map =
      object_of("v1", "ConfigMap", "kube-system", "extension-apiserver-authentication");
  map["data"] = json::Value::object({{"client-ca-file", authority_pem}});
  return map;
}

struct SystemPriority {
  std::string_view name;
  std::int64_t value = 0;
  std::string_view description;
};

// Above all that users may make: admission of pods knows them by name.
constexpr SystemPriority kSystemPriorities[] = {
    {"system-cluster-critical", 2'000'000'000,
     "For pods that a cluster needs; where need be they may move to another node."},
    {"system-node-critical", 2'000'001'000,
     "For pods that a node needs; they may not move to another node."},
};

json::Value priority_class(const SystemPriority& priority) {
  json::Value object = object_of("scheduling.k8s.io/v1", "PriorityClass", "", priority.name);
  object["value"] = priority.value;
  object["description"] = priority.description;
  return object;
}

// Of the default roles; their bindings have the same names.
constexpr std::string_view kForEverybody[] = {"cluster-admin", "system:discovery",
                                              "system:public-info-viewer", "system:basic-user"};

void append(std::vector<ApiRequest>& all, std::vector<ApiRequest> more) {
  std::ranges::move(more, std::back_inserter(all));
}

std::vector<ApiRequest> namespace_requests() {
  std::vector<ApiRequest> requests;
  for (const std::string_view name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    json::Value space = object_of("v1", "Namespace", "", name);
    // Something to own: whoever applies nothing is not remembered.
    space["metadata"]["labels"] = json::Value::object({{"kubernetes.io/metadata.name", name}});
    requests.push_back(apply_request("namespaces", space));
  }
  return requests;
}

// Roles or bindings of all kinds.
std::vector<ApiRequest> role_requests(const std::vector<json::Value>& objects,
                                      const std::function<bool(std::string_view)>& is_wanted) {
  std::vector<ApiRequest> requests;
  for (const json::Value& object : objects) {
    if (!is_wanted(api::Metadata(object).name())) continue;
    const std::string kind = lower_ascii(object.find("kind")->string_or_empty());
    requests.push_back(apply_request(kind + "s", object));
  }
  return requests;
}

std::vector<ApiRequest> definition_requests(const std::vector<json::Value>& definitions) {
  std::vector<ApiRequest> requests;
  for (const json::Value& definition : definitions) {
    requests.push_back(apply_request("customresourcedefinitions", definition));
  }
  return requests;
}

}  // namespace

User hub_user() {
  return {.name = "system:apiserver",
          .groups = {std::string(kMasters), std::string(kAuthenticated)}};
}

std::vector<ApiRequest> bootstrap_requests(const std::vector<json::Value>& definitions,
                                           const std::string& authority_pem) {
  std::vector<ApiRequest> requests = namespace_requests();
  append(requests, role_requests(default_roles(), [](std::string_view) { return true; }));
  append(requests, role_requests(default_bindings(), [](std::string_view) { return true; }));
  append(requests, definition_requests(definitions));
  for (const SystemPriority& priority : kSystemPriorities) {
    requests.push_back(apply_request("priorityclasses", priority_class(priority)));
  }
  requests.push_back(apply_request("services", hub_service()));
  requests.push_back(apply_request("configmaps", client_authority(authority_pem)));
  return requests;
}

std::vector<ApiRequest> cluster_bootstrap_requests(const std::vector<json::Value>& definitions) {
  const auto is_for_everybody = [](std::string_view name) {
    return std::ranges::find(kForEverybody, name) != std::end(kForEverybody);
  };
  std::vector<ApiRequest> requests = namespace_requests();
  append(requests, role_requests(default_roles(), is_for_everybody));
  append(requests, role_requests(default_bindings(), is_for_everybody));
  append(requests, definition_requests(definitions));
  return requests;
}

}  // namespace berth::apiserver
