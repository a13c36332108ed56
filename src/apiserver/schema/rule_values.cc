#include "apiserver/schema/rule_values.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "apiserver/schema/formats.h"
#include "base/base64.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "cel/time_arithmetic.h"

namespace berth::apiserver {
namespace {

using cel::Type;
using cel::TypeKind;
using json::Value;

constexpr std::string_view kReserved[] = {
    "true",     "false",   "null",      "in",       "as",  "break",  "const",
    "continue", "else",    "for",       "function", "if",  "import", "let",
    "loop",     "package", "namespace", "return",   "var", "void",   "while"};

bool is_resource_field(std::string_view name) {
  return name == "apiVersion" || name == "kind" || name == "metadata";
}

Type metadata_type(cel::Environment& environment, const std::string& name) {
  environment.add_struct(
      {.name = name, .fields = {{"name", TypeKind::String}, {"generateName", TypeKind::String}}});
  return Type::structure(name);
}

Type text_type(const Schema& schema) {
  if (schema.format == "byte") return TypeKind::Bytes;
  if (schema.format == "duration") return TypeKind::Duration;
  if (schema.format == "date" || schema.format == "date-time") return TypeKind::Timestamp;
  return TypeKind::String;
}

RuleScope scope_of(const Schema& schema) {
  return schema.is_embedded_resource ? RuleScope::Resource : RuleScope::Part;
}

// additionalProperties: true says nothing about the values.
bool is_map(const Schema& schema) {
  return schema.additional && schema.additional->form != Form::Any;
}

std::optional<Type> declare_object(cel::Environment& environment, const Schema& schema,
                                   RuleScope scope, const std::string& name) {
  if (is_map(schema)) {
    auto values = declare_type(environment, *schema.additional, scope_of(*schema.additional),
                               name + ".@values");
    if (!values) return std::nullopt;
    return Type::map(TypeKind::String, *std::move(values));
  }
  cel::StructType type{.name = name, .fields = {}};
  for (const Field& field : schema.fields) {
    auto escaped = escape_field(field.name);
    if (!escaped) continue;
    const std::string part = name + "." + *escaped;
    if (scope == RuleScope::Resource && is_resource_field(field.name)) {
      type.fields.emplace_back(field.name, field.name == "metadata"
                                               ? metadata_type(environment, part)
                                               : Type(TypeKind::String));
    } else if (auto known =
                   declare_type(environment, *field.schema, scope_of(*field.schema), part)) {
      type.fields.emplace_back(*std::move(escaped), *std::move(known));
    }
  }
  environment.add_struct(std::move(type));
  return Type::structure(name);
}

cel::Value error(cel::Arena& arena, const std::string& message) {
  return cel::Value::error(arena.copy(message));
}

cel::Value text_to_cel(const Schema& schema, std::string_view text, cel::Arena& arena) {
  switch (text_type(schema).kind()) {
    case TypeKind::Bytes: {
      const auto bytes = decode_base64(text);
      if (!bytes.ok()) return error(arena, "Invalid byte formatted string " + std::string(text));
      return cel::Value::bytes(arena.copy(*bytes));
    }
    case TypeKind::Duration: {
      const auto duration = cel::parse_duration(text);
      if (!duration) return error(arena, "Invalid duration " + std::string(text));
      return cel::Value::duration(*duration);
    }
    case TypeKind::Timestamp: {
      const bool is_date = schema.format == "date";
      const auto time =
          parse_rfc3339(is_date ? std::string(text) + "T00:00:00Z" : std::string(text));
      if (!time.ok()) {
        return error(arena, "Invalid " + schema.format + " formatted string " + std::string(text));
      }
      return cel::Value::timestamp(*time);
    }
    default:
      return cel::Value::string(text);
  }
}

cel::Value object_to_cel(const Schema& schema, const Value& object, cel::Arena& arena) {
  std::span<cel::MapEntry> entries(arena.allocate_array<cel::MapEntry>(object.size()),
                                   object.size());
  std::size_t count = 0;
  for (const json::Member& member : object.members()) {
    const Field* known = schema.find(member.name());
    const Schema* part = known ? known->schema : schema.additional;
    if (!part) continue;
    std::string_view key = member.name();
    if (known) {
      const auto escaped = escape_field(key);
      if (!escaped) continue;
      if (*escaped != key) key = arena.copy(*escaped);
    }
    std::construct_at(
        &entries[count++],
        cel::MapEntry{.key = cel::Value::string(key), .value = to_cel(*part, member.value, arena)});
  }
  return cel::Value::map(*arena.make<cel::MapData>(cel::MapData{.entries = entries.first(count)}));
}

}  // namespace

std::optional<std::string> escape_field(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return std::nullopt;
  if (std::ranges::find(kReserved, name) != std::end(kReserved)) {
    return "__" + std::string(name) + "__";
  }
  std::string escaped;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_word =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (name.substr(i).starts_with("__")) {
      escaped += "__underscores__";
      ++i;
    } else if (is_word) {
      escaped += c;
    } else if (c == '.') {
      escaped += "__dot__";
    } else if (c == '-') {
      escaped += "__dash__";
    } else if (c == '/') {
      escaped += "__slash__";
    } else {
      return std::nullopt;
    }
  }
  return escaped;
}

std::optional<Type> declare_type(cel::Environment& environment, const Schema& schema,
                                 RuleScope scope, const std::string& name) {
  switch (schema.form) {
    case Form::Any:
      return std::nullopt;
    case Form::IntOrString:
      return Type();
    case Form::Object:
      return declare_object(environment, schema, scope, name);
    case Form::Array: {
      if (!schema.items) return std::nullopt;
      auto items =
          declare_type(environment, *schema.items, scope_of(*schema.items), name + ".@items");
      if (!items) return std::nullopt;
      return Type::list(*std::move(items));
    }
    case Form::String:
      return text_type(schema);
    case Form::Boolean:
      return TypeKind::Bool;
    case Form::Number:
      return TypeKind::Double;
    case Form::Integer:
      return TypeKind::Int;
  }
  return std::nullopt;
}

bool needs_conversion(const Schema& schema) {
  if (!schema.type_name.empty()) return false;  // Metadata: rules see its names only.
  if (schema.form == Form::Number) return true;
  if (schema.form == Form::String) return text_type(schema).kind() != TypeKind::String;
  if (schema.items && needs_conversion(*schema.items)) return true;
  if (schema.additional && needs_conversion(*schema.additional)) return true;
  return std::ranges::any_of(schema.fields, [](const Field& field) {
    return escape_field(field.name) != field.name || needs_conversion(*field.schema);
  });
}

cel::Value to_cel(const Schema& schema, const Value& value, cel::Arena& arena) {
  if (value.is_number() && schema.form == Form::Number) {
    return cel::Value::floating(*value.as_double());
  }
  if (value.is_string() && schema.form == Form::String) {
    return text_to_cel(schema, *value.as_string(), arena);
  }
  if (value.is_array() && schema.items) {
    std::span<cel::Value> elements(arena.allocate_array<cel::Value>(value.size()), value.size());
    std::size_t index = 0;
    for (const Value& element : value.elements()) {
      std::construct_at(&elements[index++], to_cel(*schema.items, element, arena));
    }
    return cel::Value::list(elements);
  }
  if (value.is_object() && schema.type_name.empty()) return object_to_cel(schema, value, arena);
  return cel::Value::json(value);
}

}  // namespace berth::apiserver
