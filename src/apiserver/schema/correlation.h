// Finds the value that a part of an object had before an update.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "apiserver/schema/schema.h"
#include "json/value.h"

namespace berth::apiserver {

// Members are told apart by their names.
const json::Value* old_member(const json::Value* old_object, std::string_view name);

// Elements are told apart by their keys, in lists that are maps, and else not at all: then nothing
// is found. The schema and the list must outlive it.
class OldElements {
 public:
  OldElements(const Schema& schema, const json::Value* old_list);

  const json::Value* find(const json::Value& element) const;

 private:
  const Schema& schema_;
  std::map<std::string, const json::Value*, std::less<>> by_key_;
};

// The keys of an element of a list that is a map, as an object; those that it lacks are left out.
json::Value keys_of(const Schema& list, const json::Value& element);

// The same text for values that are equal as Go's JSON sees them.
std::string identity_of(const json::Value& value);

}  // namespace berth::apiserver
