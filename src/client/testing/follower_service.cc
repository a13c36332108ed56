// Tested by client/informer_service_test.cc.

#include "client/testing/follower_service.h"

#include <string>

namespace berth::client::testing {
namespace {

const ResourcePath kConfigMaps{.resource = {.version = "v1", .resource = "configmaps"},
                               .ns = "default"};

long long version_of(const ObjectPtr& object) {
  return std::stoll(std::string(object->resource_version()));
}

}  // namespace

Follower::Follower(const env::Env& env, const ClientConfig& server, StartMode mode)
    : api_(env, server, {.rate = {.per_second = -1}}),
      informer_(env, api_, {.collection = kConfigMaps, .reflector = {.start = mode}}) {
  handler_ = informer_.add_handler([this](const Delta& delta) { follow(delta); });
  informer_.start();
}

void Follower::follow(const Delta& delta) {
  const std::string name(delta.object().name());
  const auto known = copy_.find(name);
  const bool expected = (delta.type == Delta::Type::Added) == (known == copy_.end());
  if (!expected) problem_ = name + ": added twice, or changed before it was added";
  if (delta.type == Delta::Type::Updated) {
    if (known != copy_.end() && known->second != delta.before) problem_ = name + ": a gap";
    if (version_of(delta.before) >= version_of(delta.after))
      problem_ = name + ": went back in time";
  }
  if (delta.type == Delta::Type::Deleted) {
    copy_.erase(name);
  } else {
    copy_[name] = delta.after;
  }
}

}  // namespace berth::client::testing
