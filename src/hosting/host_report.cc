#include "hosting/host_report.h"

#include "api/conditions.h"
#include "api/metadata.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

using json::Value;

// A backup that is restored elsewhere must not bring them along.
constexpr std::string_view kNotBackedUp = "velero.io/exclude-from-backup";

Value claim(std::string_view name, bool holds) {
  return Value::object(
      {{"apiVersion", "cluster.open-cluster-management.io/v1alpha1"},
       {"kind", "ClusterClaim"},
       {"metadata",
        Value::object({{"name", name}, {"labels", Value::object({{kNotBackedUp, "true"}})}})},
       {"spec", Value::object({{"value", holds ? "true" : "false"}})}});
}

}  // namespace

ObservedItem read_hosted_cluster(const Value& object) {
  const api::Metadata metadata(object);
  return {
      .key = std::string(metadata.namespace_name()) + "/" + std::string(metadata.name()),
      .is_available = !metadata.is_being_deleted() && api::is_condition_true(object, "Available")};
}

std::vector<Value> host_claims(std::int64_t count, const Thresholds& thresholds) {
  return {claim(kHostingClaim, true), claim(kFullClaim, count >= thresholds.hosted_max),
          claim(kThresholdClaim, count >= thresholds.threshold), claim(kZeroClaim, count == 0)};
}

}  // namespace berth::hosting
