#include "client/patch_builder.h"

#include <string>
#include <string_view>
#include <utility>

#include "json/merge_patch.h"

namespace berth::client {
namespace {

Result<std::string_view> metadata_field(const json::Value& object, std::string_view name) {
  const json::Value* field = object.find_path({"metadata", name});
  const std::string_view text = field ? field->string_or_empty() : std::string_view();
  if (text.empty()) {
    return failure(Code::BadRequest, "the object has no metadata." + std::string(name));
  }
  return text;
}

}  // namespace

Result<std::optional<json::Value>> merge_patch_for(const json::Value& before,
                                                   const json::Value& after,
                                                   Precondition precondition) {
  json::Value patch = json::create_merge_patch(before, after);
  if (!before.is_object() || !patch.is_object()) {
    return failure(Code::BadRequest, "a patch needs two objects");
  }
  // Compared by effect: a patch cannot set a member to null, so that alone is no difference.
  if (json::apply_merge_patch(before, patch) == before) return std::nullopt;
  ASSIGN_OR_RETURN(const std::string_view uid, metadata_field(before, "uid"));
  json::Value& metadata = patch["metadata"];
  metadata["uid"] = uid;
  if (precondition == Precondition::UidAndVersion) {
    ASSIGN_OR_RETURN(const std::string_view version, metadata_field(before, "resourceVersion"));
    metadata["resourceVersion"] = version;
  }
  return patch;
}

}  // namespace berth::client
