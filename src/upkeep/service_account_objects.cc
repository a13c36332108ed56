#include "upkeep/service_account_objects.h"

#include "api/kinds/fields.h"
#include "api/metadata.h"

namespace berth::upkeep {
namespace {

using json::Value;

constexpr std::string_view kDescriptionKey = "kubernetes.io/description";
constexpr std::string_view kDescription =
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal "
    "endpoints such as the internal service IP or kubernetes.default.svc. No other usage is "
    "guaranteed across distributions of Kubernetes clusters.";

}  // namespace

bool is_active(const Value& object) {
  return !api::Metadata(object).is_being_deleted() &&
         api::text_field(api::field(object, "status"), "phase") != "Terminating";
}

Value default_account(std::string_view ns) {
  Value account = Value::object({{"apiVersion", "v1"}, {"kind", "ServiceAccount"}});
  account["metadata"] = Value::object({{"name", kDefaultAccount}, {"namespace", ns}});
  return account;
}

Value root_certificates(std::string_view ns, const Value* is, std::string_view ca_pem) {
  Value map;
  if (is) {
    map = *is;
  } else {
    map = Value::object({{"apiVersion", "v1"}, {"kind", "ConfigMap"}});
    map["metadata"] = Value::object({{"name", kRootCertificates}, {"namespace", ns}});
  }
  const Value data = Value::object({{"ca.crt", ca_pem}});
  if (api::field(map, "data") != data) map["data"] = data;
  map["metadata"]["annotations"][kDescriptionKey] = kDescription;
  return map;
}

}  // namespace berth::upkeep
