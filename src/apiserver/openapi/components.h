// The types of an OpenAPI document: those that its paths name, and all that these are made of.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "json/value.h"

namespace berth::apiserver {

class Components {
 public:
  // Of the table's types, with references as bare names. They outlive this.
  explicit Components(const json::Value& types) : types_(types) {}

  // A type of the document's own, as it is to be published; references in full.
  void add(std::string name, json::Value schema);

  // Everything that a part of the document refers to ("#/components/schemas/NAME"), and what that
  // refers to in turn.
  void collect(const json::Value& part);

  // By name.
  json::Value schemas() const;

 private:
  const json::Value& types_;
  std::map<std::string, json::Value, std::less<>> schemas_;
};

}  // namespace berth::apiserver
