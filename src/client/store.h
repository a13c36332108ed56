// The objects of one cache, by key and by whatever index its users named.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "client/object.h"

namespace berth::client {

// Sorted by namespace and name.
using ObjectSet = std::set<ObjectPtr, ByKey>;

// The values under which an object is found in an index; for example the node of a pod.
using IndexFunction = std::function<std::vector<std::string>(const Object&)>;

struct Index {
  std::string name;
  IndexFunction values_of;
};

class Store {
 public:
  explicit Store(std::vector<Index> indexes = {});

  ObjectPtr find(const ObjectKey& key) const;  // Null when there is none.
  const ObjectSet& objects() const { return objects_; }
  std::vector<ObjectPtr> in_namespace(std::string_view ns) const;

  // The objects with that value. The index must be one of the constructor's.
  const ObjectSet& with(std::string_view index, std::string_view value) const;
  std::size_t size() const { return objects_.size(); }

  // Both return what was there before, or null.
  ObjectPtr put(ObjectPtr object);
  ObjectPtr erase(const ObjectKey& key);

 private:
  struct IndexTable {
    IndexFunction values_of;
    std::map<std::string, ObjectSet, std::less<>> objects = {};
  };

  void add_to_indexes(const ObjectPtr& object);
  void remove_from_indexes(const ObjectPtr& object);

  ObjectSet objects_;
  std::map<std::string, IndexTable, std::less<>> indexes_;
};

}  // namespace berth::client
