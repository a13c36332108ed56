// Strategic merge patch: Kubernetes' merge patch that knows, field by field, whether a list is
// replaced or merged and which key tells its elements apart.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace berth::json {

class PatchSchema;

// Default merges objects and replaces lists; Merge also merges lists; Replace also replaces
// objects. (Kubernetes' third strategy, retainKeys, shows in the patch itself.)
enum class PatchStrategy { Default, Merge, Replace };

// What is known about one field.
struct PatchField {
  PatchStrategy strategy = PatchStrategy::Default;
  std::string merge_key = {};         // Of a list of objects that is merged.
  const PatchSchema* type = nullptr;  // Of the object or of the list's elements; see below.
};

// A type whose fields are known: the only thing the patch needs from the table of kinds.
class PatchSchema {
 public:
  virtual ~PatchSchema() = default;

  // nullopt for a field that the type does not have; merging into one is an error.
  virtual std::optional<PatchField> field(std::string_view name) const = 0;
  virtual std::string_view name() const = 0;  // For messages.
};

// The patched document, or why the patch does not apply. Where a field has no `type`, nothing is
// known below it: objects are merged and lists replaced, which suits maps and free-form JSON.
//
// The directives are those of Kubernetes: "$patch" (replace and delete; of a list's element too),
// "$retainKeys", "$setElementOrder/LIST" and "$deleteFromPrimitiveList/LIST". Neither directives
// nor nulls of the patch reach the result.
//
// Codes: BadRequest for what is no patch, Invalid for one that does not apply.
Result<Value> apply_strategic_patch(Value document, Value patch, const PatchSchema& schema);

}  // namespace berth::json
