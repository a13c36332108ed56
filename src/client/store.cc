#include "client/store.h"

#include <utility>

#include "base/check.h"

namespace berth::client {

Store::Store(std::vector<Index> indexes) {
  for (Index& index : indexes) {
    indexes_.emplace(std::move(index.name), IndexTable{.values_of = std::move(index.values_of)});
  }
}

ObjectPtr Store::find(const ObjectKey& key) const {
  const auto found = objects_.find(key);
  return found == objects_.end() ? nullptr : *found;
}

std::vector<ObjectPtr> Store::in_namespace(std::string_view ns) const {
  std::vector<ObjectPtr> result;
  auto object = objects_.lower_bound(ObjectKey{.ns = std::string(ns)});
  for (; object != objects_.end() && (*object)->ns() == ns; ++object) result.push_back(*object);
  return result;
}

const ObjectSet& Store::with(std::string_view index, std::string_view value) const {
  static const ObjectSet kNone;
  const auto table = indexes_.find(index);
  CHECK(table != indexes_.end());
  const auto found = table->second.objects.find(value);
  return found == table->second.objects.end() ? kNone : found->second;
}

ObjectPtr Store::put(ObjectPtr object) {
  ObjectPtr before;
  if (const auto found = objects_.find(object); found != objects_.end()) {
    before = *found;
    remove_from_indexes(before);
    objects_.erase(found);
  }
  add_to_indexes(object);
  objects_.insert(std::move(object));
  return before;
}

ObjectPtr Store::erase(const ObjectKey& key) {
  const auto found = objects_.find(key);
  if (found == objects_.end()) return nullptr;
  ObjectPtr before = *found;
  remove_from_indexes(before);
  objects_.erase(found);
  return before;
}

void Store::add_to_indexes(const ObjectPtr& object) {
  for (auto& [name, table] : indexes_) {
    for (const std::string& value : table.values_of(*object)) {
      table.objects[value].insert(object);
    }
  }
}

void Store::remove_from_indexes(const ObjectPtr& object) {
  for (auto& [name, table] : indexes_) {
    for (const std::string& value : table.values_of(*object)) {
      const auto found = table.objects.find(value);
      if (found == table.objects.end()) continue;
      found->second.erase(object);
      if (found->second.empty()) table.objects.erase(found);
    }
  }
}

}  // namespace berth::client
