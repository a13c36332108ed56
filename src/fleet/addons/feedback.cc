#include "fleet/addons/feedback.h"

#include <algorithm>
#include <initializer_list>

#include "api/kinds/fields.h"

namespace berth::fleet {
namespace {

bool is_about(const json::Value& meta, const json::Value& target) {
  return std::ranges::all_of(
      std::initializer_list<std::string_view>{"group", "resource", "namespace", "name"},
      [&](std::string_view name) {
        return api::text_field(meta, name) == api::text_field(target, name);
      });
}

}  // namespace

const json::Value* find_manifest_status(const json::Value& work, const json::Value& target) {
  const json::Value& status = api::field(api::field(work, "status"), "resourceStatus");
  for (const json::Value& manifest : api::elements_field(status, "manifests")) {
    if (is_about(api::field(manifest, "resourceMeta"), target)) return &manifest;
  }
  return nullptr;
}

const json::Value* find_feedback(const json::Value& work, const json::Value& target,
                                 std::string_view value) {
  const json::Value* manifest = find_manifest_status(work, target);
  if (!manifest) return nullptr;
  const json::Value& feedback = api::field(*manifest, "statusFeedback");
  for (const json::Value& item : api::elements_field(feedback, "values")) {
    if (api::text_field(item, "name") == value) return item.find("fieldValue");
  }
  return nullptr;
}

}  // namespace berth::fleet
