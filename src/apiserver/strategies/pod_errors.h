// How pods are refused: the words of Kubernetes for what is wrong with which field.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// One wrong field, as a cause of the answer.
Cause forbidden_field(std::string field, std::string_view why);
Cause required_field(std::string field);
Cause invalid_field(std::string field, const json::Value& value, std::string_view why);

// `Pod "web" is invalid: spec: Forbidden: ...`, with all causes. There must be at least one.
Error invalid_pod(const json::Value& pod, std::vector<Cause> causes);

// `Operation cannot be fulfilled on pods "web": ...`; `resource` may be "pods/binding".
Error pod_conflict(std::string_view resource, const json::Value& pod, std::string_view why);

std::string pod_name(const json::Value& pod);

}  // namespace berth::apiserver
