#include "apiserver/objects/dotted_path.h"

#include <utility>

#include "base/strings.h"

namespace berth::apiserver {

const json::Value* find_dotted(const json::Value& object, std::string_view path) {
  const json::Value* at = &object;
  for (const std::string_view name : split(path, '.')) {
    at = at->find(name);
    if (!at) return nullptr;
  }
  return at;
}

void set_dotted(json::Value& object, std::string_view path, json::Value value) {
  json::Value* at = &object;
  for (const std::string_view name : split(path, '.')) at = &(*at)[name];
  *at = std::move(value);
}

}  // namespace berth::apiserver
