#include "apiserver/protobuf/message_table.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/check.h"

namespace berth::apiserver {
namespace {

using json::Value;
using Messages = std::map<std::string, MessageType*, std::less<>>;

constexpr std::string_view kSchemaMessage =
    "k8s.io.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
constexpr std::string_view kAnyVersion = "*/";

constexpr std::array<std::pair<std::string_view, FieldType>, 14> kTypes = {{
    {"string", FieldType::String},
    {"int", FieldType::Integer},
    {"bool", FieldType::Boolean},
    {"double", FieldType::Double},
    {"bytes", FieldType::Bytes},
    {"Time", FieldType::Time},
    {"MicroTime", FieldType::MicroTime},
    {"Quantity", FieldType::Quantity},
    {"IntOrString", FieldType::IntOrString},
    {"Json", FieldType::Json},
    {"Strings", FieldType::Strings},
    {"SchemaOrArray", FieldType::SchemaOrArray},
    {"SchemaOrBool", FieldType::SchemaOrBool},
    {"SchemaOrStrings", FieldType::SchemaOrStrings},
}};

bool refers_to_schema(FieldType type) {
  return type == FieldType::SchemaOrArray || type == FieldType::SchemaOrBool ||
         type == FieldType::SchemaOrStrings;
}

const MessageType* message_of(const Messages& messages, std::string_view name) {
  const auto found = messages.find(name);
  CHECK(found != messages.end());
  return found->second;
}

// A row: number, name, type, marks.
MessageField field_of(const Value& row, const Messages& messages) {
  const auto cells = row.elements();
  CHECK(cells.size() >= 3 && cells[0].as_uint() && *cells[0].as_uint() > 0);
  MessageField field{.number = static_cast<std::uint32_t>(*cells[0].as_uint()),
                     .name = std::string(cells[1].string_or_empty())};
  const std::string_view type = cells[2].string_or_empty();
  const auto simple = std::ranges::find(kTypes, type, [](const auto& pair) { return pair.first; });
  field.type = simple != kTypes.end() ? simple->second : FieldType::Message;
  if (field.type == FieldType::Message) field.message = message_of(messages, type);
  if (refers_to_schema(field.type)) field.message = message_of(messages, kSchemaMessage);
  for (const Value& mark : cells.subspan(3)) {
    if (mark.string_or_empty() == "list") field.shape = FieldShape::List;
    if (mark.string_or_empty() == "map") field.shape = FieldShape::Map;
    if (mark.string_or_empty() == "zero") field.keeps_zero = true;
  }
  if (field.name.empty()) field.shape = FieldShape::Embedded;
  return field;
}

void fill(MessageType& message, const Value& rows, const Messages& messages) {
  for (const Value& row : rows.elements()) {
    message.by_number.push_back(static_cast<std::uint32_t>(message.fields.size()));
    message.fields.push_back(field_of(row, messages));
  }
  std::ranges::sort(message.by_number, {},
                    [&](std::uint32_t place) { return message.fields[place].number; });
}

}  // namespace

const MessageField* MessageType::find(std::uint32_t number) const {
  const auto number_at = [&](std::uint32_t place) { return fields[place].number; };
  const auto at = std::ranges::lower_bound(by_number, number, {}, number_at);
  return at != by_number.end() && number_at(*at) == number ? &fields[*at] : nullptr;
}

MessageTable::MessageTable(const Value& table) {
  const Value* rows = table.find("messages");
  const Value* kinds = table.find("kinds");
  CHECK(rows && kinds);
  // All names first: messages refer to each other in circles.
  Messages messages;
  for (const auto& [name, fields] : rows->members()) {
    messages.emplace(name.string_or_empty(), &messages_.emplace_back());
  }
  for (const auto& [name, fields] : rows->members()) {
    fill(*messages.find(name.string_or_empty())->second, fields, messages);
  }
  for (const auto& [kind, message] : kinds->members()) {
    kinds_.emplace(kind.string_or_empty(), message_of(messages, message.string_or_empty()));
  }
}

const MessageType* MessageTable::find_kind(const api::Gvk& kind) const {
  const api::GroupVersion version = {.group = kind.group, .version = kind.version};
  auto found = kinds_.find(version.text() + "/" + kind.kind);
  if (found == kinds_.end()) found = kinds_.find(std::string(kAnyVersion) + kind.kind);
  return found == kinds_.end() ? nullptr : found->second;
}

std::vector<std::string> MessageTable::kinds() const {
  std::vector<std::string> names;
  for (const auto& [name, message] : kinds_) names.push_back(name);
  return names;
}

}  // namespace berth::apiserver
