#include "apiserver/apply/type_ref.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "apiserver/apply/object_meta.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

bool is_scalar(const Value& value) {
  return value.is_string() || value.is_number() || value.is_boolean();
}

// Of what every object has; null for other members.
const Schema* type_meta(std::string_view member) {
  if (member == "metadata") return &object_meta_schema();
  return member == "apiVersion" || member == "kind" ? &text_schema() : nullptr;
}

std::unexpected<Error> bad_item(std::string message) {
  return failure(Code::BadRequest, std::move(message));
}

Result<PathElement> element_of_set(const Value& value) {
  switch (value.kind()) {
    case json::Kind::Object:
      return bad_item("associative list without keys has an element that's a map type");
    case json::Kind::Array:
      return bad_item("not supported: associative list with lists as elements");
    case json::Kind::Null:
      return bad_item("associative list without keys has an element that's an explicit null");
    default:
      return PathElement::of_value(value);
  }
}

const Value* default_of(const Schema* item, std::string_view key) {
  const Field* field = item ? item->find(key) : nullptr;
  if (!field || !field->schema || !field->schema->default_value) return nullptr;
  return &*field->schema->default_value;
}

}  // namespace

TypeRef TypeRef::of_object(const Schema& schema) {
  TypeRef type = TypeRef().child(&schema);
  type.depth_ = 0;
  type.is_object_ = true;
  return type;
}

TypeRef TypeRef::child(const Schema* schema) const {
  TypeRef type;
  type.schema_ = schema;
  type.depth_ = static_cast<std::uint16_t>(depth_ + 1);
  if (!schema) return type;
  type.keeps_unknown_ = schema->keeps_unknown || (keeps_unknown_ && schema->type_name.empty());
  type.is_object_ = schema->is_embedded_resource;
  return type;
}

TypeRef::Shapes TypeRef::shapes_for(const Value* value) const {
  const Form form = this->form();
  const bool any = form == Form::Any;
  const Shapes allowed{.map = any || form == Form::Object,
                       .scalar = form != Form::Object && form != Form::Array,
                       .list = any || form == Form::Array};
  if (!value) return allowed;
  if (allowed.scalar && is_scalar(*value)) return {.scalar = true};
  if (allowed.list && value->is_array()) return {.list = true};
  if (allowed.map && value->is_object()) return {.map = true};
  return allowed;
}

bool TypeRef::is_atomic(Shape shape) const {
  if (shape == Shape::Scalar || depth_ >= kDepthMax) return true;
  if (shape == Shape::List) return !schema_ || schema_->list_kind == ListKind::Atomic;
  return schema_ && schema_->map_kind == MapKind::Atomic;
}

bool TypeRef::has_type_meta() const { return is_object_ && schema_->type_name.empty(); }

bool TypeRef::declares(std::string_view member) const {
  if (!schema_) return false;
  return (has_type_meta() && type_meta(member)) || schema_->find(member);
}

bool TypeRef::allows(std::string_view member) const {
  if (!schema_ || keeps_unknown_ || schema_->additional || declares(member)) return true;
  return schema_->fields.empty() && !has_type_meta();
}

TypeRef TypeRef::member(std::string_view name) const {
  if (!schema_) return child(nullptr);
  if (has_type_meta()) {
    if (const Schema* schema = type_meta(name)) return child(schema);
  }
  if (const Field* field = schema_->find(name)) return child(field->schema);
  return child(schema_->additional);
}

TypeRef TypeRef::item() const { return child(schema_ ? schema_->items : nullptr); }

bool TypeRef::is_free_form_map() const {
  return !schema_ || (schema_->fields.empty() && !schema_->additional && !has_type_meta());
}

Result<PathElement> TypeRef::element_of(const Value& value) const {
  if (!schema_ || schema_->list_kind == ListKind::Atomic) {
    return bad_item("invalid indexing of non-associative list");
  }
  if (schema_->list_kind == ListKind::Set) return element_of_set(value);
  if (value.is_null()) {
    return bad_item("associative list with keys may not have a null element");
  }
  if (!value.is_object()) {
    return bad_item("associative list with keys may not have non-map elements");
  }
  std::vector<json::Member> keys;
  keys.reserve(schema_->list_keys.size());
  for (const std::string& key : schema_->list_keys) {
    const Value* found = value.find(key);
    if (!found) found = default_of(schema_->items, key);
    if (found) keys.push_back({Value(key), *found});
  }
  if (keys.empty()) {
    std::vector<std::string> names;
    for (const std::string& key : schema_->list_keys) names.push_back(quote(key));
    return bad_item(
        fmt::format("associative list with keys has an element that omits all key fields [{}] (and "
                    "doesn't have default values for any key fields)",
                    join(names, " ")));
  }
  return PathElement::key(Value::take_object(keys));
}

const Value* TypeRef::zero_of(std::string_view member) const {
  static const Value kEmpty = Value::object();
  static const Value kNull;
  if (!schema_ || schema_->type_name.empty()) return nullptr;
  const Field* field = schema_->find(member);
  if (!field || !field->schema) return nullptr;
  const auto& standard = field->schema->default_value;
  if (standard && standard->is_object() && standard->size() == 0) return &kEmpty;
  const bool is_required = std::ranges::binary_search(schema_->required, member);
  return is_required && field->schema->form == Form::Array ? &kNull : nullptr;
}

std::string_view TypeRef::format() const {
  return schema_ ? std::string_view(schema_->format) : std::string_view();
}

}  // namespace berth::apiserver
