#include "apiserver/apply/managed_fields.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "apiserver/apply/fields_v1.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/print.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

using json::Value;

std::string_view text_of_operation(Operation operation) {
  return operation == Operation::Apply ? "Apply" : "Update";
}

std::unexpected<Error> bad_entry(std::string message) {
  return failure(Code::BadRequest, std::move(message));
}

Result<ManagerName> decode_name(const Value& entry) {
  const std::string_view operation = text_of(entry, "operation");
  if (operation != "Apply" && operation != "Update") {
    return bad_entry("operation must be `Apply` or `Update`");
  }
  ManagerName name{.manager = std::string(text_of(entry, "manager")),
                   .operation = operation == "Apply" ? Operation::Apply : Operation::Update,
                   .api_version = std::string(text_of(entry, "apiVersion")),
                   .subresource = std::string(text_of(entry, "subresource"))};
  if (name.api_version.empty()) return bad_entry("apiVersion must not be empty");
  return name;
}

Result<ManagedEntry> decode_entry(const Value& entry, std::size_t position) {
  if (!entry.is_object()) return bad_entry("managed fields entry must be an object");
  ManagedEntry result;
  ASSIGN_OR_RETURN(result.name, decode_name(entry));
  const std::string_view type = text_of(entry, "fieldsType");
  if (type.empty()) {
    return bad_entry(fmt::format("missing fieldsType in managed fields entry {}", position));
  }
  if (type != "FieldsV1") {
    return bad_entry(
        fmt::format("invalid fieldsType {} in managed fields entry {}", quote(type), position));
  }
  const Value* fields = entry.find("fieldsV1");
  if (fields && !fields->is_null()) {
    ASSIGN_OR_RETURN(result.fields, decode_fields(*fields));
  }
  const Value* time = entry.find("time");
  if (time && !time->is_null()) {
    ASSIGN_OR_RETURN(const Time parsed, parse_rfc3339(time->string_or_empty()));
    result.time = parsed.truncated_to_seconds();
  }
  return result;
}

Value encode_entry(const ManagedEntry& entry) {
  Value encoded = Value::object();
  encoded.reserve(7);
  const ManagerName& name = entry.name;
  if (!name.manager.empty()) encoded.append_member("manager", name.manager);
  encoded.append_member("operation", text_of_operation(name.operation));
  encoded.append_member("apiVersion", name.api_version);
  if (entry.time) encoded.append_member("time", format_seconds(*entry.time));
  encoded.append_member("fieldsType", "FieldsV1");
  encoded.append_member("fieldsV1", encode_fields(entry.fields));
  if (!name.subresource.empty()) encoded.append_member("subresource", name.subresource);
  return encoded;
}

auto sort_key(const ManagedEntry& entry) {
  const std::int64_t seconds = entry.time ? entry.time->unix_seconds() : 0;
  const ManagerName& name = entry.name;
  return std::tuple(name.operation, seconds, std::string_view(name.manager),
                    std::string_view(name.api_version), std::string_view(name.subresource));
}

const Value* managed_fields_of(const Value& object) {
  return object.find_path({"metadata", "managedFields"});
}

bool equal_except_time(const Value& a, const Value& b) {
  Value left = a;
  Value right = b;
  left.erase("time");
  right.erase("time");
  return left == right;
}

bool equal_except_managed_fields(const Value& a, const Value& b) {
  Value left = a;
  Value right = b;
  left["metadata"].erase("managedFields");
  right["metadata"].erase("managedFields");
  return left == right;
}

}  // namespace

bool ManagerName::is_same(const ManagerName& other) const {
  return operation == other.operation && manager == other.manager &&
         subresource == other.subresource &&
         (operation == Operation::Apply || api_version == other.api_version);
}

std::string ManagerName::identifier() const {
  Value text = Value::object();
  if (!manager.empty()) text.append_member("manager", manager);
  text.append_member("operation", text_of_operation(operation));
  if (operation == Operation::Update) text.append_member("apiVersion", api_version);
  if (!subresource.empty()) text.append_member("subresource", subresource);
  return json::print(text, {.html = json::HtmlEscape::Yes});
}

std::string ManagerName::display() const {
  std::string text = quote(manager);
  if (!subresource.empty()) text += fmt::format(" with subresource {}", quote(subresource));
  if (operation == Operation::Update) text += fmt::format(" using {}", api_version);
  return text;
}

ManagedEntry* find_manager(ManagedFields& fields, const ManagerName& name) {
  const auto at = std::ranges::find_if(
      fields, [&](const ManagedEntry& entry) { return entry.name.is_same(name); });
  return at == fields.end() ? nullptr : &*at;
}

Result<ManagedFields> decode_managed_fields(const Value* encoded) {
  ManagedFields fields;
  if (!encoded || encoded->is_null()) return fields;
  if (!encoded->is_array()) return bad_entry("managedFields must be a list");
  fields.reserve(encoded->size());
  for (std::size_t i = 0; i < encoded->size(); ++i) {
    ASSIGN_OR_RETURN(ManagedEntry entry, decode_entry(encoded->elements()[i], i));
    if (ManagedEntry* earlier = find_manager(fields, entry.name)) {
      *earlier = std::move(entry);
    } else {
      fields.push_back(std::move(entry));
    }
  }
  return fields;
}

Value encode_managed_fields(ManagedFields fields) {
  if (fields.empty()) return {};
  std::ranges::sort(fields, {}, sort_key);
  std::vector<Value> entries;
  entries.reserve(fields.size());
  for (const ManagedEntry& entry : fields) entries.push_back(encode_entry(entry));
  return Value::take_array(entries);
}

bool is_reset(const Value& encoded) {
  if (!encoded.is_array() || encoded.size() > 1) return false;
  return encoded.size() == 0 ||
         (encoded.elements()[0].is_object() && encoded.elements()[0].size() == 0);
}

Value without_new_times(const Value& live, Value updated) {
  const Value* before = managed_fields_of(live);
  const Value* after = managed_fields_of(updated);
  if (!before || !after || before->size() != after->size() || *before == *after) return updated;
  if (!std::ranges::equal(before->elements(), after->elements(), equal_except_time)) {
    return updated;
  }
  if (!equal_except_managed_fields(live, updated)) return updated;
  *updated.find("metadata")->find("managedFields") = *before;
  return updated;
}

}  // namespace berth::apiserver
