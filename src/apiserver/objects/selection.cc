#include "apiserver/objects/selection.h"

#include "api/labels.h"
#include "apiserver/objects/selectable_fields.h"

namespace berth::apiserver {

bool Selection::matches(const json::Value& object) const {
  if (!labels.matches(api::Labels(object.find_path({"metadata", "labels"})))) return false;
  return fields.matches(
      [&object](std::string_view field) { return selectable_value(object, field); });
}

}  // namespace berth::apiserver
