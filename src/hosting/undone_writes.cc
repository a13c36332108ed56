#include "hosting/undone_writes.h"

#include "base/hash.h"
#include "json/print.h"

namespace berth::hosting {

Duration UndoneWrites::rest(const std::string& key, const json::Value& content, Instant now) const {
  const auto last = last_.find(key);
  if (last == last_.end() || now - last->second.at >= kRest) return Duration::zero();
  if (last->second.content != hash64(json::print(content))) return Duration::zero();
  return last->second.at + kRest - now;
}

void UndoneWrites::note(const std::string& key, const json::Value& content, Instant now) {
  last_.insert_or_assign(key, Written{.content = hash64(json::print(content)), .at = now});
}

void UndoneWrites::forget(const std::string& key) { last_.erase(key); }

}  // namespace berth::hosting
