// {{NAME}} in the manifests of a template.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace berth::fleet {

using TemplateValues = std::map<std::string, std::string, std::less<>>;

// The text with each {{NAME}} replaced; unknown names become nothing, an open tag stays as it is.
std::string substitute_text(std::string_view text, const TemplateValues& values);

// The manifest with its tags replaced. As in OCM the values are put into the manifest's JSON, so
// that
// "\n" in a value is a line break; a value that breaks the JSON is put into the strings as it is.
Result<json::Value> substitute(const json::Value& manifest, const TemplateValues& values);

}  // namespace berth::fleet
