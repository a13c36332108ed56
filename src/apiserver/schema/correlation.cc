#include "apiserver/schema/correlation.h"

#include <algorithm>
#include <vector>

#include "apiserver/schema/field_errors.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using json::Value;

void append_identity(std::string& text, const Value& value) {
  if (value.is_object()) {
    std::vector<const json::Member*> members;
    for (const json::Member& member : value.members()) members.push_back(&member);
    std::ranges::sort(members, {}, &json::Member::name);
    text += '{';
    for (const json::Member* member : members) {
      json::append_quoted(text, member->name());
      text += ':';
      append_identity(text, member->value);
      text += ',';
    }
    text += '}';
  } else if (value.is_array()) {
    text += '[';
    for (const Value& element : value.elements()) {
      append_identity(text, element);
      text += ',';
    }
    text += ']';
  } else if (value.is_number()) {
    // Whole numbers and others are different types there: 1 and 1.0 are not the same.
    if (const auto number = value.as_int()) {
      text += std::to_string(*number);
    } else {
      text += 'f' + shown(*value.as_double());
    }
  } else {
    json::append(text, value);
  }
}

}  // namespace

const Value* old_member(const Value* old_object, std::string_view name) {
  return old_object ? old_object->find(name) : nullptr;
}

OldElements::OldElements(const Schema& schema, const Value* old_list) : schema_(schema) {
  if (!old_list || schema.list_kind != ListKind::Map) return;
  for (const Value& element : old_list->elements()) {
    if (element.is_object()) by_key_.emplace(identity_of(keys_of(schema, element)), &element);
  }
}

const Value* OldElements::find(const Value& element) const {
  if (by_key_.empty() || !element.is_object()) return nullptr;
  const auto found = by_key_.find(identity_of(keys_of(schema_, element)));
  return found == by_key_.end() ? nullptr : found->second;
}

Value keys_of(const Schema& list, const Value& element) {
  Value keys = Value::object();
  for (const std::string& key : list.list_keys) {
    if (const Value* value = element.find(key)) keys.append_member(key, *value);
  }
  return keys;
}

std::string identity_of(const Value& value) {
  std::string text;
  append_identity(text, value);
  return text;
}

}  // namespace berth::apiserver
