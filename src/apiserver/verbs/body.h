// The body of a request as an object.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/group_version.h"
#include "apiserver/refusal.h"
#include "apiserver/verbs/call.h"
#include "json/value.h"

namespace berth::apiserver {

struct ReadBody {
  json::Value value;
  std::vector<std::string> duplicate_fields = {};
};

// JSON, YAML or protobuf, as the content type says; protobuf only of built-in kinds. An envelope of
// protobuf says its kind, which has to be the expected one.
Attempt<ReadBody> read_object_body(const Call& call, const api::Gvk& expected);

// The options in the body of a deletion; null when there are none.
Attempt<std::optional<json::Value>> read_options_body(const Call& call);

}  // namespace berth::apiserver
