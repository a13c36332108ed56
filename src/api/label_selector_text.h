// The grammar of `kubectl -l` and of the query parameter labelSelector.

#pragma once

#include <string_view>
#include <vector>

#include "api/label_requirement.h"
#include "base/result.h"

namespace berth::api {

// In the order of the text. Grammar and error texts are Kubernetes':
//
//   selector    = [ requirement { "," requirement } ]
//   requirement = [ "!" ] key | key ( "=" | "==" | "!=" | ">" | "<" ) [ value ]
//               | key ( "in" | "notin" ) "(" [ [ value ] { "," [ value ] } ] ")"
Result<std::vector<LabelRequirement>> parse_label_requirements(std::string_view text);

}  // namespace berth::api
