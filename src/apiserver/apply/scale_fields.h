// The owners of an object's replicas as its scale subresource shows them, and back.

#pragma once

#include <string>

#include "apiserver/apply/field_path.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// Where an object has its number of replicas.
struct ReplicasPlace {
  std::string api_version;  // Of the object: "apps/v1".
  FieldPath path;           // For example spec, replicas.
};

// managedFields of the Scale: whoever owns the replicas of the object owns .spec.replicas there;
// null if nobody does. Error BadRequest when the object's cannot be read.
Result<json::Value> managed_fields_of_scale(const json::Value* of_object,
                                            const ReplicasPlace& place);

// managedFields of the object after a write to its Scale: owners of the replicas that the Scale no
// longer has lose them, new ones get them. The reference notes no time for those; neither do we.
Result<json::Value> managed_fields_after_scale(const json::Value* of_object,
                                               const json::Value* of_scale,
                                               const ReplicasPlace& place);

}  // namespace berth::apiserver
