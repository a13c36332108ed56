#include "apiserver/apply/last_applied.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/apply/compare.h"
#include "apiserver/apply/field_set_of.h"
#include "apiserver/apply/validate.h"
#include "json/parse.h"
#include "json/print.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr std::string_view kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::size_t kAnnotationsMax = 256 * 1024;  // Bytes of all names and values.

std::string_view last_applied(const Value& object) {
  return text_at(object, {"metadata", "annotations", kAnnotation});
}

// Members by name, as the reference encodes maps.
Value sorted(const Value& value) {
  if (value.is_array()) {
    std::vector<Value> elements;
    for (const Value& element : value.elements()) elements.push_back(sorted(element));
    return Value::take_array(elements);
  }
  if (!value.is_object()) return value;
  std::vector<json::Member> members;
  for (const json::Member& member : value.members()) {
    members.push_back({member.key, sorted(member.value)});
  }
  std::ranges::sort(members, {}, &json::Member::name);
  return Value::take_object(members);
}

std::size_t size_of(const Value& annotations) {
  std::size_t size = 0;
  for (const json::Member& member : annotations.members()) {
    size += member.name().size() + member.value.string_or_empty().size();
  }
  return size;
}

}  // namespace

bool has_last_applied(const Value& object) { return !last_applied(object).empty(); }

FieldSet fields_of_last_applied(const Value& live, std::string_view api_version,
                                const TypeRef& type) {
  const auto applied = json::parse(last_applied(live));
  if (!applied.ok()) return {};
  const Value* version = applied->find("apiVersion");
  if (!version || version->string_or_empty() != api_version) return {};
  if (!validate_forms(*applied, type, Duplicates::Refused).ok()) return {};
  if (!validate_forms(live, type, Duplicates::Refused).ok()) return {};
  const auto changes = compare(*applied, live, type);
  if (!changes.ok()) return {};
  FieldSet fields = subtract(field_set_of(*applied, type), changes->modified);
  return subtract(subtract(std::move(fields), changes->added), changes->removed);
}

Value with_last_applied(Value object, const Value& applied) {
  Value configuration = applied;
  if (Value* metadata = configuration.find("metadata")) {
    if (Value* annotations = metadata->find("annotations")) annotations->erase(kAnnotation);
  }
  std::string text = json::print(sorted(configuration), {.html = json::HtmlEscape::Yes});
  text += '\n';
  Value& annotations = object["metadata"]["annotations"];
  annotations[kAnnotation] = text;
  if (size_of(annotations) > kAnnotationsMax) annotations.erase(kAnnotation);
  return object;
}

}  // namespace berth::apiserver
