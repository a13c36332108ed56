#include "apiserver/schema/prune.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apiserver/schema/members.h"

namespace berth::apiserver {
namespace {

using json::Value;

// Null stands for a part that has no schema: nothing in it is known.
const Schema* part_of(const Schema* schema, std::string_view name) {
  if (!schema) return nullptr;
  const Field* known = schema->find(name);
  return known ? known->schema : schema->additional;
}

bool is_pointless_null(const Value& value, const Schema* schema) {
  return value.is_null() && !schema->is_nullable && !schema->default_value;
}

// All at once: one after the other would move the rest each time.
void drop(Value& object, const std::vector<bool>& is_dropped) {
  std::vector<json::Member> kept;
  std::size_t index = 0;
  for (json::Member& member : members_of(object)) {
    if (!is_dropped[index++]) kept.push_back(std::move(member));
  }
  object = Value::take_object(kept);
}

class Pruner {
 public:
  enum class Unknown { Drop, Keep };

  void visit(Value& value, const Schema* schema, Unknown unknown);
  std::vector<std::string> take_paths();

 private:
  void visit_object(Value& object, const Schema* schema, Unknown unknown);
  void record(std::string_view name);

  std::string path_;  // Of the value that is being visited.
  std::vector<std::string> paths_;
};

void Pruner::record(std::string_view name) {
  if (paths_.size() >= kUnknownFieldsMax) return;
  paths_.push_back(path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name));
}

void Pruner::visit_object(Value& object, const Schema* schema, Unknown unknown) {
  const std::size_t length = path_.size();
  std::vector<bool> is_dropped(object.size(), false);
  std::size_t index = 0;
  for (json::Member& member : members_of(object)) {
    const std::size_t at = index++;
    const Schema* part = part_of(schema, member.name());
    if (!part) {
      if (unknown == Unknown::Keep) continue;
      record(member.name());
      is_dropped[at] = true;
    } else if (is_pointless_null(member.value, part)) {
      is_dropped[at] = true;
    } else if (member.value.is_array() || member.value.is_object()) {
      if (!path_.empty()) path_ += '.';
      path_ += member.name();
      visit(member.value, part, Unknown::Drop);
      path_.resize(length);
    }
  }
  if (std::ranges::find(is_dropped, true) != is_dropped.end()) drop(object, is_dropped);
}

void Pruner::visit(Value& value, const Schema* schema, Unknown unknown) {
  if (schema && schema->keeps_unknown) unknown = Unknown::Keep;
  if (value.is_object()) {
    visit_object(value, schema, unknown);
  } else if (value.is_array()) {
    const Schema* items = schema ? schema->items : nullptr;
    if (!items && unknown == Unknown::Keep) return;
    const std::size_t length = path_.size();
    std::size_t index = 0;
    for (Value& element : value.elements()) {
      path_ += fmt::format("[{}]", index++);
      visit(element, items, unknown);
      path_.resize(length);
    }
  }
}

std::vector<std::string> Pruner::take_paths() {
  std::ranges::sort(paths_, [](const std::string& a, const std::string& b) {
    const bool a_first = a.starts_with("metadata.");
    const bool b_first = b.starts_with("metadata.");
    return a_first != b_first ? a_first : a < b;
  });
  return std::move(paths_);
}

}  // namespace

Pruned prune(const Schema& schema, Value value) {
  Pruner pruner;
  pruner.visit(value, &schema, Pruner::Unknown::Drop);
  return {.value = std::move(value), .unknown_fields = pruner.take_paths()};
}

std::string strict_decoding_error(const std::vector<std::string>& unknown_fields,
                                  const std::vector<std::string>& duplicate_fields) {
  std::string text = "strict decoding error: ";
  const std::size_t start = text.size();
  const auto add = [&](std::string_view what, const std::vector<std::string>& fields) {
    for (const std::string& field : fields) {
      if (text.size() > start) text += ", ";
      text += fmt::format("{} field \"{}\"", what, field);
    }
  };
  add("duplicate", duplicate_fields);
  add("unknown", unknown_fields);
  return text;
}

}  // namespace berth::apiserver
