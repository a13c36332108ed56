#include "json/strategic_patch.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "json/element_order.h"
#include "json/print.h"

namespace berth::json {
namespace {

constexpr std::string_view kPatch = "$patch";
constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kDeleteFrom = "$deleteFromPrimitiveList";
constexpr std::string_view kElementOrder = "$setElementOrder";

std::unexpected<Error> bad_patch(std::string message) {
  return failure(Code::Invalid, std::move(message));
}

std::unexpected<Error> no_merge_key(const Value& element, std::string_view merge_key) {
  return bad_patch(fmt::format("map: {} does not contain declared merge key: {}",
                               cut_utf8(print(element), 1000), merge_key));
}

bool is_list_directive(std::string_view name) {
  return name.starts_with(kDeleteFrom) || name.starts_with(kElementOrder);
}

// The LIST of "$setElementOrder/LIST".
Result<std::string> directed_list(std::string_view name, std::string_view directive) {
  if (name.size() > directive.size() && name[directive.size()] == '/') {
    return std::string(name.substr(directive.size() + 1));
  }
  return bad_patch(directive == kDeleteFrom ? "invalid patch format of primitive list"
                                            : "invalid patch format of setElementOrder list");
}

// What remains of a part of the patch that is taken as it stands: no directives, no null members,
// no objects that only carry "$patch".
std::optional<Value> plain(const Value& patch) {
  if (patch.is_array()) {
    std::vector<Value> kept;
    for (const Value& element : patch.elements()) {
      if (auto value = plain(element)) kept.push_back(std::move(*value));
    }
    return Value::take_array(kept);
  }
  if (!patch.is_object()) return patch;
  if (patch.find(kPatch)) return std::nullopt;
  std::vector<Member> kept;
  for (const Member& member : patch.members()) {
    const bool directive = member.name() == kRetainKeys || is_list_directive(member.name());
    if (directive || member.value.is_null()) continue;
    if (auto value = plain(member.value)) kept.push_back({member.key, std::move(*value)});
  }
  return Value::take_object(kept);
}

Value plain_without_marker(Value patch) {
  patch.erase(kPatch);
  return *plain(patch);
}

void put_plain(Value& object, std::string_view name, const Value& patch) {
  if (auto value = plain(patch)) {
    object[name] = std::move(*value);
  } else {
    object.erase(name);
  }
}

// What the schema says, or that there is nothing to say.
Result<PatchField> field_of(const PatchSchema* schema, std::string_view name) {
  if (!schema) return PatchField{};
  if (auto field = schema->field(name)) return std::move(*field);
  return bad_patch(fmt::format("unable to find api field in struct {} for the json field {}",
                               schema->name(), quote(name)));
}

// Merged lists hold elements of one kind, and no lists.
Result<Kind> element_kind(std::span<const Value> a, std::span<const Value> b) {
  const Kind kind = a.empty() ? b.front().kind() : a.front().kind();
  if (kind == Kind::Array) return bad_patch("lists of lists are not supported");
  const auto same = [&](const Value& element) { return element.kind() == kind; };
  if (std::ranges::all_of(a, same) && std::ranges::all_of(b, same)) return kind;
  return bad_patch("list element types are not identical");
}

Status check_merge_keys(std::span<const Value> elements, std::string_view merge_key) {
  for (const Value& element : elements) {
    if (!element.is_object()) {
      return bad_patch(
          fmt::format("expected an object, but received a {}", kind_name(element.kind())));
    }
    if (!element.find(merge_key)) return no_merge_key(element, merge_key);
  }
  return {};
}

std::vector<Value> merge_scalars(std::span<const Value> original, std::span<const Value> patch) {
  std::unordered_set<std::string> seen;
  std::vector<Value> merged;
  for (const auto list : {original, patch}) {
    for (const Value& element : list) {
      if (seen.insert(print(element)).second) merged.push_back(element);
    }
  }
  return merged;
}

Value delete_scalars(std::span<const Value> original, std::span<const Value> unwanted) {
  std::unordered_set<std::string> names;
  for (const Value& element : unwanted) names.insert(print(element));
  std::vector<Value> kept;
  for (const Value& element : original) {
    if (!names.contains(print(element))) kept.push_back(element);
  }
  return Value::take_array(kept);
}

// The patch for a list of objects, taken apart.
struct ListPatch {
  bool replace = false;
  std::vector<Value> elements = {};              // Without directives.
  std::unordered_set<std::string> deleted = {};  // Identities.
};

Result<ListPatch> read_list_patch(std::span<const Value> patch, std::string_view merge_key) {
  ListPatch result;
  for (const Value& element : patch) {
    const Value* directive = element.find(kPatch);
    if (!directive) {
      result.elements.push_back(element);
    } else if (*directive == Value("delete")) {
      if (!element.find(merge_key)) return no_merge_key(element, merge_key);
      result.deleted.insert(element_identity(element, merge_key));
    } else if (*directive == Value("replace")) {
      result.replace = true;
    } else if (*directive == Value("merge")) {
      return bad_patch("merging lists cannot yet be specified in the patch");
    } else {
      return bad_patch(fmt::format("unknown patch type: {} in map: {}", print(*directive),
                                   cut_utf8(print(element), 1000)));
    }
  }
  return result;
}

// The functions below call each other down the document; its depth is bounded.
Result<Value> merge_object(Value original, Value patch, const PatchSchema* schema);

Result<std::vector<Value>> merge_elements(std::span<const Value> original,
                                          std::span<const Value> patch, std::string_view merge_key,
                                          const PatchSchema* schema) {
  std::vector<Value> merged(original.begin(), original.end());
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < merged.size(); ++i) {
    if (merged[i].find(merge_key)) places.try_emplace(element_identity(merged[i], merge_key), i);
  }
  for (const Value& element : patch) {
    if (!element.find(merge_key)) return no_merge_key(element, merge_key);
    const auto [place, added] =
        places.try_emplace(element_identity(element, merge_key), merged.size());
    if (added) {
      merged.push_back(plain_without_marker(element));
      continue;
    }
    Value& target = merged[place->second];
    ASSIGN_OR_RETURN(target, merge_object(std::move(target), element, schema));
  }
  return merged;
}

Result<Value> merge_objects_list(const Value& original, const Value& patch,
                                 const PatchField& field) {
  if (field.merge_key.empty()) {
    return bad_patch(fmt::format("cannot merge lists without merge key for {}",
                                 field.type ? field.type->name() : "struct"));
  }
  ASSIGN_OR_RETURN(const ListPatch list, read_list_patch(patch.elements(), field.merge_key));
  std::vector<Value> before;
  for (const Value& element : original.elements()) {
    if (!list.deleted.contains(element_identity(element, field.merge_key))) {
      before.push_back(element);
    }
  }
  if (list.replace) {
    RETURN_IF_ERROR(check_merge_keys(list.elements, field.merge_key));
    std::vector<Value> elements;
    for (const Value& element : list.elements) elements.push_back(plain_without_marker(element));
    return Value::take_array(elements);
  }
  ASSIGN_OR_RETURN(std::vector<Value> merged,
                   merge_elements(before, list.elements, field.merge_key, field.type));
  RETURN_IF_ERROR(check_merge_keys(merged, field.merge_key));
  std::vector<Value> ordered = order_elements(
      std::move(merged), {.wanted = list.elements, .before = before, .merge_key = field.merge_key});
  return Value::take_array(ordered);
}

Result<Value> merge_list(const Value& original, const Value& patch, const PatchField& field) {
  if (field.strategy != PatchStrategy::Merge) return *plain(patch);
  if (original.size() == 0 && patch.size() == 0) return original;
  ASSIGN_OR_RETURN(const Kind kind, element_kind(original.elements(), patch.elements()));
  if (kind == Kind::Object) return merge_objects_list(original, patch, field);
  std::vector<Value> ordered =
      order_elements(merge_scalars(original.elements(), patch.elements()),
                     {.wanted = patch.elements(), .before = original.elements(), .merge_key = ""});
  return Value::take_array(ordered);
}

// "$retainKeys": what it does not list is removed; what the patch sets has to be listed.
Status apply_retain_keys(Value& original, Value& patch) {
  const Value* found = patch.find(kRetainKeys);
  if (!found) return {};
  const Value list = *found;
  patch.erase(kRetainKeys);
  if (!list.is_array()) return bad_patch("invalid patch format of retainKeys");
  std::unordered_set<std::string_view> retained;
  for (const Value& name : list.elements()) retained.insert(name.string_or_empty());
  for (const Member& member : patch.members()) {
    if (member.value.is_null() || is_list_directive(member.name())) continue;
    if (!retained.contains(member.name())) return bad_patch("invalid patch format of retainKeys");
  }
  std::vector<Member> kept;
  for (const Member& member : original.members()) {
    if (retained.contains(member.name())) kept.push_back(member);
  }
  original = Value::take_object(kept);
  return {};
}

// The elements of the patch must come in the order that "$setElementOrder" gives.
Status check_order(const Value& patch, const Value& order, std::string_view merge_key) {
  if (patch.size() == 0 || order.size() == 0) return {};
  if (!merge_key.empty()) RETURN_IF_ERROR(check_merge_keys(order.elements(), merge_key));
  auto wanted = order.elements().begin();
  for (const Value& element : patch.elements()) {
    if (element.find(kPatch)) continue;
    const std::string identity = element_identity(element, merge_key);
    wanted = std::find_if(wanted, order.elements().end(), [&](const Value& candidate) {
      return element_identity(candidate, merge_key) == identity;
    });
    if (wanted == order.elements().end()) {
      return bad_patch(fmt::format("The order in patch list:\n{}\n doesn't match {} list:\n{}\n",
                                   cut_utf8(print(patch), 1000), kElementOrder,
                                   cut_utf8(print(order), 1000)));
    }
    ++wanted;
  }
  return {};
}

Status apply_element_order(Value& original, Value& patch, const std::string& directive,
                           const PatchSchema* schema) {
  const Value order = *patch.find(directive);
  patch.erase(directive);
  ASSIGN_OR_RETURN(const std::string name, directed_list(directive, kElementOrder));
  const Value* before = original.find(name);
  const Value* change = patch.find(name);
  const bool lists =
      order.is_array() && (!before || before->is_array()) && (!change || change->is_array());
  if (!lists) return bad_patch("invalid patch format of setElementOrder list");
  ASSIGN_OR_RETURN(const PatchField field, field_of(schema, name));
  if (change) RETURN_IF_ERROR(check_order(*change, order, field.merge_key));
  if (!before && !change) return {};

  Value merged = before ? *before : *plain(*change);
  if (before && change) {
    ASSIGN_OR_RETURN(merged, merge_list(*before, *change, field));
  }
  if (!field.merge_key.empty()) {
    RETURN_IF_ERROR(check_merge_keys(merged.elements(), field.merge_key));
  }
  std::vector<Value> ordered = order_elements(
      {merged.elements().begin(), merged.elements().end()},
      {.wanted = order.elements(),
       .before = before ? std::as_const(*before).elements() : std::span<const Value>(),
       .merge_key = field.merge_key});
  original[name] = Value::take_array(ordered);
  patch.erase(name);
  return {};
}

Status apply_element_orders(Value& original, Value& patch, const PatchSchema* schema) {
  std::vector<std::string> directives;
  for (const Member& member : patch.members()) {
    if (member.name().starts_with(kElementOrder)) directives.emplace_back(member.name());
  }
  for (const std::string& directive : directives) {
    RETURN_IF_ERROR(apply_element_order(original, patch, directive, schema));
  }
  return {};
}

Status delete_from_list(Value& original, std::string_view directive, const Value& unwanted) {
  ASSIGN_OR_RETURN(const std::string name, directed_list(directive, kDeleteFrom));
  Value* list = original.find(name);
  if (unwanted.is_null()) {
    original.erase(name);
  } else if (list && list->is_array() && unwanted.is_array() &&
             list->size() + unwanted.size() > 0) {
    RETURN_IF_ERROR(element_kind(list->elements(), unwanted.elements()));
    *list = delete_scalars(list->elements(), unwanted.elements());
  }
  return {};
}

Status merge_member(Value& original, std::string_view name, const Value& patch,
                    const PatchSchema* schema) {
  if (name.starts_with(kDeleteFrom)) return delete_from_list(original, name, patch);
  if (patch.is_null()) {
    original.erase(name);
    return {};
  }
  Value* member = original.find(name);
  const bool mergeable =
      member && member->kind() == patch.kind() && (patch.is_object() || patch.is_array());
  if (!mergeable) {
    put_plain(original, name, patch);
    return {};
  }
  ASSIGN_OR_RETURN(const PatchField field, field_of(schema, name));
  if (patch.is_array()) {
    ASSIGN_OR_RETURN(*member, merge_list(*member, patch, field));
  } else if (field.strategy == PatchStrategy::Replace) {
    put_plain(original, name, patch);
  } else {
    ASSIGN_OR_RETURN(*member, merge_object(std::move(*member), patch, field.type));
  }
  return {};
}

Result<Value> merge_object(Value original, Value patch, const PatchSchema* schema) {
  if (const Value* directive = patch.find(kPatch)) {
    if (*directive == Value("replace")) return plain_without_marker(std::move(patch));
    if (*directive == Value("delete")) return Value::object();
    return bad_patch(fmt::format("unknown patch type: {} in map: {}", print(*directive),
                                 cut_utf8(print(patch), 1000)));
  }
  RETURN_IF_ERROR(apply_retain_keys(original, patch));
  RETURN_IF_ERROR(apply_element_orders(original, patch, schema));
  for (const Member& member : patch.members()) {
    RETURN_IF_ERROR(merge_member(original, member.name(), member.value, schema));
  }
  return original;
}

}  // namespace

Result<Value> apply_strategic_patch(Value document, Value patch, const PatchSchema& schema) {
  if (!document.is_object() || !patch.is_object()) {
    return failure(Code::BadRequest, "invalid JSON document");
  }
  return merge_object(std::move(document), std::move(patch), &schema);
}

}  // namespace berth::json
