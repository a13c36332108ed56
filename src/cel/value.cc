#include "cel/value.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "cel/type.h"

namespace berth::cel {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

std::optional<Value> as_exact_int(double number) {
  if (!(number > -kTwoTo63 && number < kTwoTo63) || std::trunc(number) != number) {
    return std::nullopt;
  }
  return Value::integer(static_cast<std::int64_t>(number));
}

std::optional<Value> as_exact_uint(double number) {
  if (!(number >= 0 && number < kTwoTo64) || std::trunc(number) != number) return std::nullopt;
  return Value::unsigned_integer(static_cast<std::uint64_t>(number));
}

}  // namespace

Value Value::boolean(bool value) {
  Value result(ValueKind::Bool);
  result.boolean_ = value;
  return result;
}

Value Value::integer(std::int64_t value) {
  Value result(ValueKind::Int);
  result.integer_ = value;
  return result;
}

Value Value::unsigned_integer(std::uint64_t value) {
  Value result(ValueKind::Uint);
  result.unsigned_ = value;
  return result;
}

Value Value::floating(double value) {
  Value result(ValueKind::Double);
  result.double_ = value;
  return result;
}

Value Value::with_text(ValueKind kind, std::string_view text) {
  Value result(kind);
  result.text_ = text.data();
  result.size_ = static_cast<std::uint32_t>(text.size());
  return result;
}

Value Value::string(std::string_view text) { return with_text(ValueKind::String, text); }
Value Value::bytes(std::string_view bytes) { return with_text(ValueKind::Bytes, bytes); }
Value Value::type(std::string_view name) { return with_text(ValueKind::Type, name); }
Value Value::error(std::string_view message) { return with_text(ValueKind::Error, message); }

Value Value::list(std::span<const Value> elements) {
  Value result(ValueKind::List);
  result.elements_ = elements.data();
  result.size_ = static_cast<std::uint32_t>(elements.size());
  return result;
}

Value Value::map(const MapData& data) {
  Value result(ValueKind::Map);
  result.map_ = &data;
  result.size_ = static_cast<std::uint32_t>(data.entries.size());
  return result;
}

Value Value::timestamp(Time time, std::int16_t offset_minutes) {
  Value result(ValueKind::Timestamp);
  result.offset_minutes_ = offset_minutes;
  result.integer_ = time.unix_seconds();
  result.size_ = static_cast<std::uint32_t>(time.nanoseconds());
  return result;
}

Value Value::duration(Duration duration) {
  Value result(ValueKind::Duration);
  result.integer_ = duration.count();
  return result;
}

Value Value::none() {
  Value result(ValueKind::Optional);
  result.inner_ = nullptr;
  return result;
}

Value Value::some(const Value* inner) {
  Value result(ValueKind::Optional);
  result.inner_ = inner;
  return result;
}

Value Value::opaque(const Opaque& object) {
  Value result(ValueKind::Opaque);
  result.opaque_ = &object;
  return result;
}

Value Value::from_json(const json::Value& value, Form form) {
  switch (value.kind()) {
    case json::Kind::Null:
      return {};
    case json::Kind::Boolean:
      return boolean(*value.as_bool());
    case json::Kind::Number:
      if (form == Form::Json) {
        if (const auto number = value.as_int()) return integer(*number);
      }
      return floating(*value.as_double());
    case json::Kind::String:
      return string(*value.as_string());
    case json::Kind::Array:
    case json::Kind::Object:
      break;
  }
  Value result(value.is_array() ? ValueKind::List : ValueKind::Map);
  result.form_ = form;
  result.json_ = &value;
  result.size_ = static_cast<std::uint32_t>(value.size());
  return result;
}

Time Value::as_timestamp() const {
  return Time::from_unix(integer_, static_cast<std::int32_t>(size_));
}

std::size_t Value::size() const { return size_; }

Value Value::element(std::size_t index) const {
  if (form_ == Form::Native) return elements_[index];
  return from_json(json_->elements()[index], form_);
}

MapEntry Value::entry(std::size_t index) const {
  if (form_ == Form::Native) return map_->entries[index];
  const json::Member& member = json_->members()[index];
  return {.key = string(member.name()), .value = from_json(member.value, form_)};
}

std::optional<Value> Value::find(std::string_view key) const {
  if (form_ == Form::Native) return find_exact(string(key));
  if (const json::Value* found = json_->find(key)) return from_json(*found, form_);
  return std::nullopt;
}

std::optional<Value> Value::find(const Value& key) const {
  if (key.is(ValueKind::String)) return find(key.text());
  if (form_ != Form::Native) return std::nullopt;  // JSON has only names as keys.
  if (const auto found = find_exact(key)) return found;
  switch (key.kind()) {
    case ValueKind::Double: {
      if (const auto number = as_exact_int(key.as_double())) {
        if (const auto found = find_exact(*number)) return found;
      }
      const auto number = as_exact_uint(key.as_double());
      return number ? find_exact(*number) : std::nullopt;
    }
    case ValueKind::Int:
      if (key.as_int() < 0) return std::nullopt;
      return find_exact(unsigned_integer(static_cast<std::uint64_t>(key.as_int())));
    case ValueKind::Uint:
      if (key.as_uint() > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
      return find_exact(integer(static_cast<std::int64_t>(key.as_uint())));
    default:
      return std::nullopt;
  }
}

std::optional<Value> Value::find_exact(const Value& key) const {
  if (map_->buckets.empty()) {
    for (const MapEntry& entry : map_->entries) {
      if (same_key(entry.key, key)) return entry.value;
    }
    return std::nullopt;
  }
  const std::size_t mask = map_->buckets.size() - 1;
  for (std::size_t slot = hash_key(key) & mask; map_->buckets[slot] != 0;
       slot = (slot + 1) & mask) {
    const MapEntry& entry = map_->entries[map_->buckets[slot] - 1];
    if (same_key(entry.key, key)) return entry.value;
  }
  return std::nullopt;
}

std::string_view Value::type_name() const {
  switch (kind_) {
    case ValueKind::Error:
      return "error";
    case ValueKind::Null:
      return runtime_name(TypeKind::Null);
    case ValueKind::Bool:
      return runtime_name(TypeKind::Bool);
    case ValueKind::Int:
      return runtime_name(TypeKind::Int);
    case ValueKind::Uint:
      return runtime_name(TypeKind::Uint);
    case ValueKind::Double:
      return runtime_name(TypeKind::Double);
    case ValueKind::String:
      return runtime_name(TypeKind::String);
    case ValueKind::Bytes:
      return runtime_name(TypeKind::Bytes);
    case ValueKind::List:
      return runtime_name(TypeKind::List);
    case ValueKind::Map:
      return runtime_name(TypeKind::Map);
    case ValueKind::Timestamp:
      return runtime_name(TypeKind::Timestamp);
    case ValueKind::Duration:
      return runtime_name(TypeKind::Duration);
    case ValueKind::Type:
      return runtime_name(TypeKind::Meta);
    case ValueKind::Optional:
      return "optional_type";
    case ValueKind::Opaque:
      return opaque_->type_name();
  }
  return "";
}

std::uint64_t hash_key(const Value& key) {
  const auto kind = static_cast<std::uint64_t>(key.kind());
  if (key.is(ValueKind::String)) return hash64(key.text());
  std::uint64_t bits = 0;
  switch (key.kind()) {
    case ValueKind::Bool:
      bits = key.as_bool() ? 1 : 0;
      break;
    case ValueKind::Int:
      bits = static_cast<std::uint64_t>(key.as_int());
      break;
    case ValueKind::Uint:
      bits = key.as_uint();
      break;
    case ValueKind::Double:
      bits = std::bit_cast<std::uint64_t>(key.as_double());
      break;
    default:
      break;
  }
  bits = (bits + kind) * 0x9E3779B97F4A7C15;
  return bits ^ (bits >> 32);
}

bool same_key(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case ValueKind::String:
    case ValueKind::Bytes:
    case ValueKind::Type:
      return a.text() == b.text();
    case ValueKind::Null:
      return true;
    case ValueKind::Bool:
      return a.as_bool() == b.as_bool();
    case ValueKind::Int:
      return a.as_int() == b.as_int();
    case ValueKind::Uint:
      return a.as_uint() == b.as_uint();
    case ValueKind::Double:
      return a.as_double() == b.as_double();
    case ValueKind::Timestamp:
      return a.as_timestamp() == b.as_timestamp();
    case ValueKind::Duration:
      return a.as_duration() == b.as_duration();
    default:
      return false;
  }
}

}  // namespace berth::cel
