#include "hosting/payload.h"

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/strings.h"

namespace berth::hosting {
namespace {

using api::field;
using api::text_field;
using json::Value;

constexpr std::string_view kHyperShift = "hypershift.openshift.io/";

std::unexpected<Error> problem(std::string text) {
  return failure(Code::Invalid, "spec.payload." + std::move(text));
}

// Says nothing where a kind is left out: there is only one that it can be.
bool is_other_kind(const Value& object, std::string_view kind) {
  const std::string version = text_field(object, "apiVersion");
  const std::string said = text_field(object, "kind");
  return (!version.empty() && !version.starts_with(kHyperShift)) || (!said.empty() && said != kind);
}

Value with_identity(Value object, std::string_view kind, const std::string& ns) {
  if (text_field(object, "apiVersion").empty()) {
    object["apiVersion"] = "hypershift.openshift.io/v1beta1";
  }
  object["kind"] = kind;
  object["metadata"]["namespace"] = ns;
  object.erase("status");
  return object;
}

Status read_node_pools(const Value& spec, Payload& payload) {
  for (const Value& pool : api::elements_field(spec, "nodePools")) {
    const std::string at = fmt::format("nodePools[{}]", payload.node_pools.size());
    if (!pool.is_object() || is_other_kind(pool, "NodePool")) {
      return problem(at + " is no NodePool of hypershift.openshift.io");
    }
    const std::string name = text_field(field(pool, "metadata"), "name");
    if (name.empty()) return problem(at + ".metadata.name is missing: give the pool a name");
    const std::string cluster = text_field(field(pool, "spec"), "clusterName");
    if (!cluster.empty() && cluster != payload.identity.name) {
      return problem(fmt::format("{}.spec.clusterName is {}: make it {}", at, quote(cluster),
                                 quote(payload.identity.name)));
    }
    Value whole = with_identity(pool, "NodePool", payload.identity.object_namespace);
    whole["spec"]["clusterName"] = payload.identity.name;
    payload.node_pools.push_back(std::move(whole));
  }
  return {};
}

}  // namespace

Result<Payload> read_payload(const Value& request) {
  const Value& spec = field(field(request, "spec"), "payload");
  const Value& cluster = field(spec, "hostedCluster");
  if (!cluster.is_object() || is_other_kind(cluster, "HostedCluster")) {
    return problem("hostedCluster is no HostedCluster of hypershift.openshift.io");
  }
  Payload payload;
  Identity& identity = payload.identity;
  const std::string own = text_field(field(cluster, "metadata"), "namespace");
  identity.object_namespace = text_field(spec, "namespace");
  if (identity.object_namespace.empty()) identity.object_namespace = own;
  if (identity.object_namespace.empty()) identity.object_namespace = kPayloadNamespace;
  if (!own.empty() && own != identity.object_namespace) {
    return problem(
        fmt::format("hostedCluster.metadata.namespace is {}, but payload.namespace is "
                    "{}: leave one of them out",
                    quote(own), quote(identity.object_namespace)));
  }
  identity.name = text_field(field(cluster, "metadata"), "name");
  if (identity.name.empty()) {
    return problem("hostedCluster.metadata.name is missing: give the hosted cluster a name");
  }
  identity.infra_id = text_field(field(cluster, "spec"), "infraID");
  if (identity.infra_id.empty()) {
    return problem(
        fmt::format("hostedCluster.spec.infraID is missing: set it, for example to "
                    "{}-1; it names what is made in the cloud and must never change",
                    identity.name));
  }
  payload.hosted_cluster = with_identity(cluster, "HostedCluster", identity.object_namespace);
  RETURN_IF_ERROR(read_node_pools(spec, payload));
  for (const Value& reference : api::elements_field(spec, "secretRefs")) {
    payload.secrets.push_back(text_field(reference, "name"));
    if (payload.secrets.back().empty()) return problem("secretRefs has an entry without a name");
  }
  return payload;
}

}  // namespace berth::hosting
