#include "apiserver/strategies/leases.h"

#include "apiserver/schema/field_errors.h"

namespace berth::apiserver {
namespace {

std::vector<Cause> check(const json::Value& object, const json::Value* /*old*/,
                         const Occasion& /*occasion*/) {
  std::vector<Cause> causes;
  const json::Value* length = object.find_path({"spec", "leaseDurationSeconds"});
  if (length && length->as_int().value_or(1) <= 0) {
    causes.push_back(invalid("spec.leaseDurationSeconds", *length, "must be greater than 0"));
  }
  const json::Value* transitions = object.find_path({"spec", "leaseTransitions"});
  if (transitions && transitions->as_int().value_or(0) < 0) {
    causes.push_back(
        invalid("spec.leaseTransitions", *transitions, "must be greater than or equal to 0"));
  }
  return causes;
}

}  // namespace

Strategy lease_strategy() {
  return {.creates_on_update = true, .takes_any_version = false, .check = check};
}

}  // namespace berth::apiserver
