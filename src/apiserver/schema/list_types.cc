#include "apiserver/schema/list_types.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "apiserver/schema/correlation.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/schema/validate.h"
#include "apiserver/schema/value_path.h"

namespace berth::apiserver {
namespace {

using json::Value;

class Walk {
 public:
  void visit(const Schema& schema, const Value& value, const ValuePath& path);
  std::vector<Cause> take_causes() { return std::move(causes_); }

 private:
  void visit_members(const Schema& schema, const Value& object, const ValuePath& path);
  void check_set(const Value& list, const ValuePath& path);
  void check_map(const Schema& schema, const Value& list, const ValuePath& path);
  bool is_full() const { return causes_.size() >= kCausesMax; }

  std::vector<Cause> causes_;
};

// Tells of each element whether it is the second of its kind.
class Seen {
 public:
  bool is_second(const Value& value) { return ++times_[identity_of(value)] == 2; }

 private:
  std::map<std::string, int> times_;
};

void Walk::check_set(const Value& list, const ValuePath& path) {
  if (list.size() < 2) return;
  Seen seen;
  std::size_t index = 0;
  for (const Value& element : list.elements()) {
    const ValuePath at = path.index(index++);
    if (seen.is_second(element) && !is_full()) causes_.push_back(duplicate(at.text(), element));
  }
}

void Walk::check_map(const Schema& schema, const Value& list, const ValuePath& path) {
  std::size_t index = 0;
  for (const Value& element : list.elements()) {
    const ValuePath at = path.index(index++);
    if (element.is_object() || element.is_null()) continue;
    causes_.push_back(
        invalid(at.text(), element, "must be an object for an array of list-type map"));
    return;
  }
  if (list.size() < 2) return;
  Seen seen;
  index = 0;
  for (const Value& element : list.elements()) {
    const ValuePath at = path.index(index++);
    const Value keys = keys_of(schema, element);
    if (seen.is_second(keys) && !is_full()) causes_.push_back(duplicate(at.text(), keys));
  }
}

void Walk::visit_members(const Schema& schema, const Value& object, const ValuePath& path) {
  std::vector<const json::Member*> by_name;
  for (const json::Member& member : object.members()) {
    if (member.value.is_array() || member.value.is_object()) by_name.push_back(&member);
  }
  std::ranges::sort(by_name, {}, &json::Member::name);
  for (const json::Member* member : by_name) {
    const Field* known = schema.find(member->name());
    const Schema* part = known ? known->schema : schema.additional;
    if (!part) continue;
    visit(*part, member->value, known ? path.child(member->name()) : path.key(member->name()));
  }
}

void Walk::visit(const Schema& schema, const Value& value, const ValuePath& path) {
  if (is_full()) return;
  if (value.is_object()) return visit_members(schema, value, path);
  if (!value.is_array()) return;
  if (schema.list_kind == ListKind::Set) check_set(value, path);
  if (schema.list_kind == ListKind::Map) check_map(schema, value, path);
  if (!schema.items) return;
  std::size_t index = 0;
  for (const Value& element : value.elements()) visit(*schema.items, element, path.index(index++));
}

}  // namespace

std::vector<Cause> validate_lists(const Schema& schema, const Value& value) {
  Walk walk;
  walk.visit(schema, value, ValuePath());
  return walk.take_causes();
}

}  // namespace berth::apiserver
