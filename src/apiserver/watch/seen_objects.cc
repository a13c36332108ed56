#include "apiserver/watch/seen_objects.h"

namespace berth::apiserver {

const json::Value* SeenObjects::at(const store::Entry& entry) {
  auto seen = objects_.find(entry.revision);
  if (seen == objects_.end()) {
    if (bytes_ + entry.text.size() > bytes_max_) forget();
    bytes_ += entry.text.size();
    seen = objects_.emplace(entry.revision, parser_.parse(entry.text)).first;
  }
  return seen->second.ok() ? &*seen->second : nullptr;
}

void SeenObjects::forget() {
  if (objects_.empty()) return;
  objects_ = {};
  parser_ = json::Parser();
  bytes_ = 0;
}

}  // namespace berth::apiserver
