#include "apiserver/objects/stored_form.h"

#include <utility>

#include <fmt/format.h>

#include "apiserver/objects/event_kinds.h"
#include "apiserver/objects/object_text.h"

namespace berth::apiserver {
namespace {

constexpr std::size_t kObjectBytesMax = 1'572'864;  // What etcd takes by default.

bool is_other_event(const Resource& resource) {
  return resource.table == "events" && resource.gvr.group == "events.k8s.io";
}

}  // namespace

json::Value from_stored(const Resource& resource, json::Value object) {
  if (is_other_event(resource)) return from_core_event(object);
  object["apiVersion"] = resource.api_version();
  return object;
}

Attempt<store::Draft> stored_draft(const Resource& resource, const json::Value& object) {
  store::Draft draft;
  if (is_other_event(resource)) {
    draft = draft_of(to_core_event(object));
  } else if (resource.storage_version == resource.api_version()) {
    draft = draft_of(object);
  } else {
    json::Value stored = object;
    stored["apiVersion"] = resource.storage_version;
    draft = draft_of(stored);
  }
  if (draft.text.size() > kObjectBytesMax) {
    return refuse(Code::RequestEntityTooLarge,
                  fmt::format("the object is too large: it has {} bytes, limit is {}",
                              draft.text.size(), kObjectBytesMax));
  }
  return draft;
}

}  // namespace berth::apiserver
