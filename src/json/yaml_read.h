// YAML to Values, as kubectl understands YAML: libyaml reads the events, the meaning of scalars and
// keys follows go-yaml v2 and its conversion to JSON.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::json {

struct YamlOptions {
  std::size_t depth_max = kDepthMax;             // Must not exceed kDepthMax.
  std::size_t size_max = std::size_t{64} << 20;  // Of the whole text, in bytes.

  // How many values of one document may be copies made for anchors and aliases. Ten lines of
  // nested aliases can stand for a billion values.
  std::size_t copied_values_max = 400'000;
};

// All documents of the text, without the empty ones (and those that are just null).
//
// Plain scalars mean what resolve_plain() says, except that timestamps stay strings and .inf and
// .nan are refused: JSON has neither. Floats are stored as Go's JSON encoder prints them, so 1.0
// becomes 1. Keys become strings ("yes: 1" has the key "true"); null, lists and objects as keys
// are refused, and so are two equal keys, also when one of them comes from a merge ("<<"). Tags
// of the YAML core are obeyed, !!binary is refused, others make strings of their scalars.
//
// A text that is one JSON document is read by the JSON parser; all others cannot hold "\ud83d"
// pairs, which YAML does not know.
//
// A message names the place ("document 2, line 7, column 3: ..."), lines from the start of the
// text. The code is BadRequest, or RequestEntityTooLarge beyond size_max.
Result<std::vector<Value>> read_yaml(std::string_view text, const YamlOptions& options = {});

// The only document of the text; fails if there is none or more than one.
Result<Value> read_one_yaml(std::string_view text, const YamlOptions& options = {});

}  // namespace berth::json
