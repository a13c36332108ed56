#include "kube/yaml_objects.h"

#include <algorithm>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "json/print.h"
#include "json/yaml_read.h"

namespace berth::kube {
namespace {

using json::Value;

Value ordered(const Value& value) {
  if (value.is_array()) {
    Value list = Value::array();
    for (const Value& element : value.elements()) list.push_back(ordered(element));
    return list;
  }
  if (!value.is_object()) return value;
  std::map<std::string, Value> members;
  for (const json::Member& member : value.members()) {
    members.emplace(member.name(), ordered(member.value));
  }
  Value object = Value::object();
  for (auto& [name, member] : members) object[name] = std::move(member);
  return object;
}

}  // namespace

std::vector<std::string> objects_of(const std::string& yaml) {
  const auto objects = json::read_yaml(yaml);
  EXPECT_TRUE(objects.ok()) << objects.error().message;
  std::vector<std::string> texts;
  for (const Value& object : objects.ok() ? *objects : std::vector<Value>()) {
    texts.push_back(json::print(ordered(object)));
  }
  std::ranges::sort(texts);
  return texts;
}

}  // namespace berth::kube
