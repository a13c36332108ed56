// Value: anything a CEL expression can compute, in 16 bytes. A Value owns nothing: texts, lists and
// maps point into the arena of the evaluation, into the program's constants, or into the JSON
// document that was bound to a variable. JSON is not converted but looked at where it lies.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/time.h"
#include "json/value.h"

namespace berth::cel {

enum class ValueKind : std::uint8_t {
  Error,
  Null,
  Bool,
  Int,
  Uint,
  Double,
  String,
  Bytes,
  List,
  Map,
  Timestamp,
  Duration,
  Type,
  Optional,
  Opaque,
};

class Value;

// A kind of value that a library adds: a quantity, a URL. Compared only with its own kind.
class Opaque {
 public:
  virtual ~Opaque() = default;

  virtual std::string_view type_name() const = 0;
  virtual bool equals(const Opaque& same_type) const = 0;
  virtual std::string display() const = 0;
};

struct MapEntry;
struct MapData;

class Value {
 public:
  constexpr Value() : kind_(ValueKind::Null), integer_(0) {}

  static Value boolean(bool value);
  static Value integer(std::int64_t value);
  static Value unsigned_integer(std::uint64_t value);
  static Value floating(double value);
  static Value string(std::string_view text);
  static Value bytes(std::string_view bytes);
  static Value list(std::span<const Value> elements);
  static Value map(const MapData& data);
  // The offset from UTC only matters for printing.
  static Value timestamp(Time time, std::int16_t offset_minutes = 0);
  static Value duration(Duration duration);
  static Value type(std::string_view name);
  static Value none();
  static Value some(const Value* inner);
  static Value opaque(const Opaque& object);
  static Value error(std::string_view message);

  // JSON as CEL sees it: whole numbers are int, others double.
  static Value json(const json::Value& value) { return from_json(value, Form::Json); }
  // The same with every number a double, as programs see it that read JSON without a schema.
  static Value json_with_doubles(const json::Value& value) {
    return from_json(value, Form::JsonDoubles);
  }

  ValueKind kind() const { return kind_; }
  bool is(ValueKind kind) const { return kind_ == kind; }
  bool is_error() const { return kind_ == ValueKind::Error; }
  bool is_true() const { return kind_ == ValueKind::Bool && boolean_; }
  bool is_false() const { return kind_ == ValueKind::Bool && !boolean_; }

  // Each must only be called for its kind.
  bool as_bool() const { return boolean_; }
  std::int64_t as_int() const { return integer_; }
  std::uint64_t as_uint() const { return unsigned_; }
  double as_double() const { return double_; }
  std::string_view text() const { return {text_, size_}; }  // String, Bytes, Type, Error.
  Time as_timestamp() const;
  std::int16_t offset_minutes() const { return offset_minutes_; }  // Timestamp.
  Duration as_duration() const { return Duration(integer_); }
  bool has_value() const { return inner_ != nullptr; }  // Optional.
  const Value& inner() const { return *inner_; }        // Optional with a value.
  const Opaque& as_opaque() const { return *opaque_; }

  // Elements of a list, entries of a map.
  std::size_t size() const;
  Value element(std::size_t index) const;   // List; index < size().
  MapEntry entry(std::size_t index) const;  // Map, in the order of insertion; index < size().

  // The value under the key; numbers match across int, uint and double when they are equal.
  std::optional<Value> find(const Value& key) const;  // Map.
  std::optional<Value> find(std::string_view key) const;

  // As `type(x)` prints it: "int", "list", "google.protobuf.Timestamp".
  std::string_view type_name() const;

 private:
  enum class Form : std::uint8_t { Native, Json, JsonDoubles };

  constexpr explicit Value(ValueKind kind) : kind_(kind), integer_(0) {}
  static Value from_json(const json::Value& value, Form form);
  static Value with_text(ValueKind kind, std::string_view text);
  std::optional<Value> find_exact(const Value& key) const;

  ValueKind kind_;
  Form form_ = Form::Native;
  std::int16_t offset_minutes_ = 0;
  std::uint32_t size_ = 0;  // Of a text, list or map; the nanoseconds of a timestamp.
  union {
    bool boolean_;
    std::int64_t integer_;
    std::uint64_t unsigned_;
    double double_;
    const char* text_;
    const Value* elements_;
    const MapData* map_;
    const json::Value* json_;
    const Value* inner_;
    const Opaque* opaque_;
  };
};

struct MapEntry {
  Value key;
  Value value;
};

// What a map Value of our own making points to. Keys are distinct.
struct MapData {
  std::span<const MapEntry> entries;
  // A hash table over the keys for large maps, a power of two long: 0 is empty, n + 1 is entry n.
  // Empty for small maps, which are searched from the front.
  std::span<const std::uint32_t> buckets = {};
};

// Equal for keys that are the same value of the same kind.
std::uint64_t hash_key(const Value& key);
bool same_key(const Value& a, const Value& b);

}  // namespace berth::cel
