// A few objects to which tokens can be bound, for tests.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "apiserver/auth/token_objects.h"

namespace berth::apiserver::testing {

class ObjectTable final : public TokenObjects {
 public:
  json::Value& add(TokenObject kind, std::string ns, std::string name, std::string uid) {
    return objects_[{kind, ns, name}] = json::Value::object(
               {{"metadata",
                 json::Value::object({{"name", name}, {"namespace", ns}, {"uid", uid}})}});
  }
  void remove(TokenObject kind, std::string ns, std::string name) {
    objects_.erase({kind, std::move(ns), std::move(name)});
  }

  std::optional<json::Value> find(TokenObject kind, std::string_view ns,
                                  std::string_view name) const override {
    const auto at = objects_.find({kind, std::string(ns), std::string(name)});
    return at == objects_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  std::map<std::tuple<TokenObject, std::string, std::string>, json::Value> objects_;
};

}  // namespace berth::apiserver::testing
