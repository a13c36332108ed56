#include "fleet/work/kind_content.h"

#include <string_view>
#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/base64.h"
#include "fleet/work/members.h"

namespace berth::fleet {
namespace {

using api::field;
using api::text_field;
using json::Value;

void take_over(Value& object, const Value& manifest, std::string_view part) {
  const Value* wanted = manifest.find(part);
  if (!wanted || wanted->is_null()) {
    object.erase(part);
  } else {
    object[part] = *wanted;
  }
}

// OpenShift fills these two in where a label or an annotation asks for it.
void keep_injected(Value& object, const Value& live, const Value& manifest) {
  const api::Metadata metadata(manifest);
  const auto keep = [&](std::string_view key) {
    const Value* had = field(live, "data").find(key);
    if (had && !field(manifest, "data").find(key)) object_in(object, "data")[key] = *had;
  };
  if (metadata.labels().find("config.openshift.io/inject-trusted-cabundle") == "true") {
    keep("ca-bundle.crt");
  }
  if (metadata.annotations().find("service.beta.openshift.io/inject-cabundle") == "true") {
    keep("service-ca.crt");
  }
}

Value config_map(const Value& live, const Value& manifest) {
  Value object = live;
  take_over(object, manifest, "data");
  take_over(object, manifest, "binaryData");
  keep_injected(object, live, manifest);
  return object;
}

Value secret(const Value& live, const Value& manifest) {
  Value data = field(manifest, "data").is_object() ? field(manifest, "data") : Value::object();
  for (const json::Member& member : field(manifest, "stringData").members()) {
    data[member.name()] = encode_base64(member.value.string_or_empty());
  }
  std::string type = text_field(manifest, "type");
  if (type.empty()) type = "Opaque";
  Value object = live;
  if (type == "kubernetes.io/service-account-token") {
    // The server adds the token itself.
    for (const json::Member& member : data.members())
      object_in(object, "data")[member.name()] = member.value;
  } else if (data.size() > 0) {
    object["data"] = std::move(data);
  } else {
    object.erase("data");
  }
  object["type"] = type;
  return object;
}

// The rules of an aggregating role are filled in by the control plane.
Value cluster_role(const Value& live, const Value& manifest) {
  Value object = live;
  take_over(object, manifest, "aggregationRule");
  if (!field(manifest, "aggregationRule").is_object()) take_over(object, manifest, "rules");
  return object;
}

// Others fill in the certificates of webhooks.
Value webhooks(const Value& live, const Value& manifest) {
  Value object = live;
  take_over(object, manifest, "webhooks");
  Value* hooks = object.find("webhooks");
  for (Value& hook : hooks ? hooks->elements() : std::span<Value>()) {
    Value* config = hook.is_object() ? hook.find("clientConfig") : nullptr;
    if (!config || !config->is_object() || config->find("caBundle")) continue;
    for (const Value& had : api::elements_field(live, "webhooks")) {
      const Value* bundle = field(had, "clientConfig").find("caBundle");
      if (bundle && text_field(had, "name") == text_field(hook, "name")) {
        (*config)["caBundle"] = *bundle;
      }
    }
  }
  return object;
}

Value whole(const Value& live, const Value& manifest) {
  Value object = manifest;
  object["metadata"] = field(live, "metadata");
  const Value* status = live.find("status");
  if (status && !manifest.find("status")) object["status"] = *status;
  return object;
}

}  // namespace

Value with_content_of(const Value& live, const Value& manifest) {
  const std::string version = text_field(manifest, "apiVersion");
  const std::string kind = text_field(manifest, "kind");
  if (version == "v1") {
    if (kind == "Namespace" || kind == "Pod" || kind == "ServiceAccount") return live;
    if (kind == "ConfigMap") return config_map(live, manifest);
    if (kind == "Secret") return secret(live, manifest);
  }
  if (version == "rbac.authorization.k8s.io/v1" && kind == "ClusterRole") {
    return cluster_role(live, manifest);
  }
  if (version == "admissionregistration.k8s.io/v1" &&
      (kind == "ValidatingWebhookConfiguration" || kind == "MutatingWebhookConfiguration")) {
    return webhooks(live, manifest);
  }
  return whole(live, manifest);
}

}  // namespace berth::fleet
