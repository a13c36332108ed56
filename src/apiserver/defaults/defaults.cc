#include "apiserver/defaults/defaults.h"

#include <span>
#include <utility>

#include "apiserver/defaults/kind_rules.h"
#include "base/base64.h"

namespace berth::apiserver {

using json::Value;

Value with_defaults(std::string_view group, std::string_view kind, Value object) {
  for (const std::span<const KindRules> family :
       {core_rules(), workload_rules(), network_rules(), storage_rules()}) {
    for (const KindRules& rules : family) {
      if (rules.group == group && rules.kind == kind) {
        return apply_rules(*rules.rules, std::move(object));
      }
    }
  }
  return object;
}

Value with_string_data(Value secret) {
  const Value* plain = secret.find("stringData");
  if (!plain) return secret;
  const Value texts = *plain;
  secret.erase("stringData");
  Value* data = object_under(secret, "data");
  for (const json::Member& text : texts.members()) {
    if (data) (*data)[text.name()] = encode_base64(text.value.string_or_empty());
  }
  return secret;
}

}  // namespace berth::apiserver
