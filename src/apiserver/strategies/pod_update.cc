#include "apiserver/strategies/pod_update.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "apiserver/strategies/pod_create.h"
#include "apiserver/strategies/pod_errors.h"
#include "apiserver/strategies/pod_gates.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;
using Causes = std::vector<Cause>;

constexpr std::string_view kChangeable =
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
    "`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

Causes check_images(const Value& before, const Value& after, std::string_view list) {
  const auto containers = api::elements_field(after, list);
  const std::string path = fmt::format("spec.{}", list);
  if (containers.size() != api::elements_field(before, list).size()) {
    return {forbidden_field(path, "pod updates may not add or remove containers")};
  }
  Causes causes;
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const std::string image = api::text_field(containers[i], "image");
    const std::string field = fmt::format("{}[{}].image", path, i);
    if (image.empty()) causes.push_back(required_field(field));
    if (trim(image).size() != image.size()) {
      causes.push_back(invalid_field(field, image, "must not have leading or trailing whitespace"));
    }
  }
  return causes;
}

Causes check_deadline(const Value& before, const Value& after) {
  const auto old_deadline = api::integer_field(before, "activeDeadlineSeconds");
  const auto deadline = api::integer_field(after, "activeDeadlineSeconds");
  const std::string path = "spec.activeDeadlineSeconds";
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  if (!deadline) {
    if (!old_deadline) return {};
    return {invalid_field(path, nullptr, "must not update from a positive integer to nil value")};
  }
  if (*deadline < 0 || *deadline > kMax) {
    return {
        invalid_field(path, *deadline, fmt::format("must be between 0 and {}, inclusive", kMax))};
  }
  if (old_deadline && *old_deadline < *deadline) {
    return {invalid_field(path, *deadline, "must be less than or equal to previous value")};
  }
  return {};
}

Causes check_tolerations(const Value& before, const Value& after) {
  const auto timeless = [](Value toleration) {
    toleration.erase("tolerationSeconds");
    return toleration;
  };
  for (const Value& old : api::elements_field(before, "tolerations")) {
    const bool is_kept =
        std::ranges::any_of(api::elements_field(after, "tolerations"),
                            [&](const Value& now) { return timeless(old) == timeless(now); });
    if (!is_kept) {
      return {forbidden_field("spec.tolerations",
                              "existing toleration can not be modified except its "
                              "tolerationSeconds")};
    }
  }
  return {};
}

// The new spec as it would be had everything that may change stayed the same.
Value with_old_freedoms(Value after, const Value& before) {
  for (const char* list : {"containers", "initContainers"}) {
    Value* containers = after.find(list);
    const auto old = api::elements_field(before, list);
    if (!containers || containers->size() != old.size()) continue;
    for (std::size_t i = 0; i < old.size(); ++i) {
      Value& container = containers->elements()[i];
      if (container.is_object()) container["image"] = api::text_field(old[i], "image");
    }
  }
  for (const char* name : {"activeDeadlineSeconds", "tolerations", "schedulingGates"}) {
    after[name] = api::field(before, name);
  }
  const auto old_grace = api::integer_field(before, "terminationGracePeriodSeconds");
  const auto grace = api::integer_field(after, "terminationGracePeriodSeconds");
  if (old_grace && *old_grace < 0 && grace == 1) {
    after["terminationGracePeriodSeconds"] = *old_grace;
  }
  return after;
}

// What is absent, null or empty says the same.
bool is_same(const Value& a, const Value& b) {
  const bool a_is_empty = a.is_null() || (a.size() == 0 && (a.is_array() || a.is_object()));
  const bool b_is_empty = b.is_null() || (b.size() == 0 && (b.is_array() || b.is_object()));
  return (a_is_empty && b_is_empty) || a == b;
}

std::vector<std::string> changed_members(const Value& before, const Value& after) {
  std::set<std::string> names;
  for (const Value* spec : {&before, &after}) {
    for (const json::Member& member : spec->members()) names.emplace(member.name());
  }
  std::erase_if(names, [&](const std::string& name) {
    return is_same(api::field(before, name), api::field(after, name));
  });
  return {names.begin(), names.end()};
}

Causes check_spec(const Value& before, const Value& after) {
  Causes causes;
  for (const char* list : {"containers", "initContainers"}) {
    for (Cause& cause : check_images(before, after, list)) causes.push_back(std::move(cause));
    const bool is_other =
        api::elements_field(before, list).size() != api::elements_field(after, list).size();
    if (is_other) return causes;
  }
  for (Causes& more : std::vector{check_deadline(before, after), check_tolerations(before, after),
                                  check_gates(before, after)}) {
    for (Cause& cause : more) causes.push_back(std::move(cause));
  }
  const Value plain = with_old_placement(with_old_freedoms(after, before), before);
  const std::vector<std::string> changed = changed_members(before, plain);
  if (!changed.empty()) {
    causes.push_back(forbidden_field(
        "spec", fmt::format("pod updates may not change fields other than {}\nchanged: {}",
                            kChangeable, join(changed, ", "))));
  }
  return causes;
}

// Admission decided these once.
Value with_old_priority(Value spec, const Value& before) {
  for (const char* name : {"priority", "preemptionPolicy"}) {
    const Value* old = before.find(name);
    if (old && api::field(spec, name).is_null()) spec[name] = Value(*old);
  }
  return spec;
}

}  // namespace

Result<Value> prepare_pod_update(const Value& before, Value after) {
  const Value& old_spec = api::field(before, "spec");
  if (!api::field(after, "spec").is_object()) {
    return failure(invalid_pod(after, {required_field("spec")}));
  }
  after["spec"] = with_default_tolerations(with_old_priority(std::move(after["spec"]), old_spec));
  Causes causes = check_spec(old_spec, after["spec"]);
  if (!causes.empty()) return failure(invalid_pod(after, std::move(causes)));
  after["status"] = api::field(before, "status");
  return after;
}

}  // namespace berth::apiserver
