#include "client/informer.h"

#include <utility>

#include "client/resource_version.h"

namespace berth::client {

Informer::Informer(const ReflectorOptions& options, std::vector<Index> indexes, Random random)
    : reflector_(options, random), store_(std::move(indexes)) {}

InformerReaction Informer::on_page(ListPage page, Instant now) {
  return apply(reflector_.on_page(std::move(page), now));
}

InformerReaction Informer::on_list_failed(const Error& error, Instant now) {
  return apply(reflector_.on_list_failed(error, now));
}

InformerReaction Informer::on_event(StreamEvent event, Instant now) {
  return apply(reflector_.on_event(std::move(event), now));
}

InformerReaction Informer::on_watch_closed(const Status& why, Instant now) {
  return apply(reflector_.on_watch_closed(why, now));
}

bool Informer::has_reached(std::string_view resource_version) const {
  const std::string& reached = reflector_.last_version();
  if (!synced_) return false;
  const auto order = compare_versions(reached, resource_version);
  return order ? *order >= 0 : reached == resource_version;
}

std::vector<Delta> Informer::replay() const {
  std::vector<Delta> deltas;
  if (!synced_) return deltas;
  deltas.reserve(store_.size());
  for (const ObjectPtr& object : store_.objects()) {
    deltas.push_back({.type = Delta::Type::Added, .after = object, .in_initial_list = true});
  }
  return deltas;
}

InformerReaction Informer::apply(Reaction reaction) {
  InformerReaction result{.next = std::move(reaction.next),
                          .incidents = std::move(reaction.incidents)};
  for (const CacheChange& change : reaction.changes) {
    if (const auto* state = std::get_if<Replace>(&change)) {
      replace(*state, result.deltas);
    } else if (const auto* upsert = std::get_if<Upsert>(&change)) {
      put(upsert->object, result.deltas);
    } else {
      const ObjectPtr& last = std::get<Remove>(change).object;
      const ObjectPtr known = store_.erase(last->key());
      if (known) result.deltas.push_back({.type = Delta::Type::Deleted, .before = last});
    }
  }
  return result;
}

void Informer::put(const ObjectPtr& object, std::vector<Delta>& deltas) {
  ObjectPtr before = store_.find(object->key());
  const bool same_object = before && before->uid() == object->uid();
  if (same_object && before->resource_version() == object->resource_version()) {
    return;  // Handlers keep the very object that the store has.
  }
  store_.put(object);
  if (same_object) {
    deltas.push_back({.type = Delta::Type::Updated, .before = std::move(before), .after = object});
    return;
  }
  // The same name with another uid is another object; whoever counts objects has to see both.
  if (before) {
    deltas.push_back(
        {.type = Delta::Type::Deleted, .before = std::move(before), .final_state_unknown = true});
  }
  deltas.push_back({.type = Delta::Type::Added, .after = object, .in_initial_list = !synced_});
}

void Informer::replace(const Replace& change, std::vector<Delta>& deltas) {
  const ObjectSet kept(change.items.begin(), change.items.end());
  std::vector<ObjectPtr> gone;
  for (const ObjectPtr& object : store_.objects()) {
    if (!kept.contains(object)) gone.push_back(object);
  }
  for (ObjectPtr& object : gone) {
    store_.erase(object->key());
    deltas.push_back(
        {.type = Delta::Type::Deleted, .before = std::move(object), .final_state_unknown = true});
  }
  for (const ObjectPtr& object : change.items) put(object, deltas);
  synced_ = true;
}

}  // namespace berth::client
