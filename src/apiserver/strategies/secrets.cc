#include "apiserver/strategies/secrets.h"

#include <map>

#include "api/metadata.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/validation/config_keys.h"
#include "base/base64.h"

namespace berth::apiserver {
namespace {

constexpr std::size_t kDataBytesMax = 1024 * 1024;
constexpr std::string_view kAccountNameAnnotation = "kubernetes.io/service-account.name";

bool is_true(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value && value->as_bool() == true;
}

const json::Value& part(const json::Value& object, std::string_view name) {
  static const json::Value kNone;
  const json::Value* value = object.find(name);
  return value ? *value : kNone;
}

void check_keys(const json::Value& object, std::string_view name, std::vector<Cause>& causes) {
  for (const json::Member& entry : part(object, name).members()) {
    for (const std::string& problem : config_key_problems(entry.name())) {
      causes.push_back(invalid(keyed(name, entry.name()), entry.name(), problem));
    }
  }
}

// What secrets of the known types are of no use without.
void check_type(const json::Value& object, std::vector<Cause>& causes) {
  static const std::map<std::string_view, std::vector<std::string_view>> kKeys = {
      {"kubernetes.io/dockercfg", {".dockercfg"}},
      {"kubernetes.io/dockerconfigjson", {".dockerconfigjson"}},
      {"kubernetes.io/ssh-auth", {"ssh-privatekey"}},
      {"kubernetes.io/tls", {"tls.crt", "tls.key"}}};
  const std::string_view type = part(object, "type").string_or_empty();
  const json::Value& data = part(object, "data");
  const auto has = [&data](std::string_view key) { return data.find(key) != nullptr; };
  const auto demand = [&causes](std::string_view key) {
    causes.push_back(required(keyed("data", key), ""));
  };
  if (type == "kubernetes.io/service-account-token" &&
      api::Metadata(object).annotations().find(kAccountNameAnnotation).value_or("").empty()) {
    causes.push_back(required(keyed("metadata.annotations", kAccountNameAnnotation), ""));
  }
  // One of the two is enough.
  if (type == "kubernetes.io/basic-auth" && !has("username") && !has("password")) {
    demand("username");
    demand("password");
  }
  const auto known = kKeys.find(type);
  if (known == kKeys.end()) return;
  for (const std::string_view key : known->second) {
    if (!has(key)) demand(key);
  }
}

std::size_t text_bytes(const json::Value& texts) {
  std::size_t bytes = 0;
  for (const json::Member& entry : texts.members()) bytes += entry.value.string_or_empty().size();
  return bytes;
}

// Of what the base64 stands for.
std::size_t data_bytes(const json::Value& texts) {
  std::size_t bytes = 0;
  for (const json::Member& entry : texts.members()) {
    std::string_view text = entry.value.string_or_empty();
    while (text.ends_with('=')) text.remove_suffix(1);
    bytes += text.size() * 3 / 4;
  }
  return bytes;
}

void check_size(std::string_view field, std::size_t bytes, std::vector<Cause>& causes) {
  if (bytes <= kDataBytesMax) return;
  causes.push_back(too_long(field, static_cast<std::int64_t>(kDataBytesMax)));
}

void check_immutable(const json::Value& object, const json::Value* old,
                     std::initializer_list<std::string_view> parts, std::vector<Cause>& causes) {
  if (!old || !is_true(*old, "immutable")) return;
  if (!is_true(object, "immutable")) {
    causes.push_back(forbidden("immutable", "field is immutable when `immutable` is set"));
  }
  for (const std::string_view name : parts) {
    if (part(object, name) == part(*old, name)) continue;
    causes.push_back(forbidden(std::string(name), "field is immutable when `immutable` is set"));
  }
}

// What was written as text becomes data; it is never shown again.
Attempt<void> merge_string_data(json::Value& object) {
  const json::Value* texts = object.find("stringData");
  if (!texts) return {};
  const json::Value taken = *texts;
  object.erase("stringData");
  for (const json::Member& text : taken.members()) {
    object["data"][text.name()] = encode_base64(text.value.string_or_empty());
  }
  return {};
}

Attempt<void> on_create(json::Value& object, const Occasion&) { return merge_string_data(object); }

Attempt<void> on_update(json::Value& object, const json::Value& old, const Occasion&) {
  const json::Value* type = old.find("type");
  if (type && part(object, "type").string_or_empty().empty()) object["type"] = *type;
  return merge_string_data(object);
}

std::vector<Cause> check_secret(const json::Value& object, const json::Value* old,
                                const Occasion&) {
  std::vector<Cause> causes;
  check_keys(object, "data", causes);
  check_size("data", data_bytes(part(object, "data")), causes);
  check_type(object, causes);
  for (const json::Member& entry : part(object, "data").members()) {
    if (decode_base64(entry.value.string_or_empty()).ok()) continue;
    causes.push_back(invalid(keyed("data", entry.name()), "<value omitted>", "must be base64"));
  }
  if (old && part(object, "type") != part(*old, "type")) {
    causes.push_back(invalid("type", part(object, "type"), "field is immutable"));
  }
  check_immutable(object, old, {"data"}, causes);
  return causes;
}

std::vector<Cause> check_config_map(const json::Value& object, const json::Value* old,
                                    const Occasion&) {
  std::vector<Cause> causes;
  check_keys(object, "data", causes);
  check_keys(object, "binaryData", causes);
  check_size("", text_bytes(part(object, "data")) + data_bytes(part(object, "binaryData")), causes);
  for (const json::Member& entry : part(object, "binaryData").members()) {
    if (part(object, "data").find(entry.name()) == nullptr) continue;
    causes.push_back(invalid(keyed("data", entry.name()), entry.name(),
                             "duplicate of key present in binaryData"));
  }
  check_immutable(object, old, {"data", "binaryData"}, causes);
  return causes;
}

}  // namespace

Strategy secret_strategy() {
  return {.on_create = on_create, .on_update = on_update, .check = check_secret};
}

Strategy config_map_strategy() { return {.check = check_config_map}; }

}  // namespace berth::apiserver
