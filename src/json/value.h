// Value: one JSON document or any part of it, in 16 bytes. It keeps the order of members and the
// text of numbers, so that what Berth does not understand goes out exactly as it came in.
//
// Strings and number texts of up to 15 bytes live inside the Value; most of what Kubernetes objects
// are made of fits. Longer ones, arrays and objects are one heap block each.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace berth::json {

// How deep arrays and objects may lie inside each other. Copying, comparing, printing and
// destroying a Value recurse, so whoever builds one from foreign input holds to this limit.
inline constexpr std::size_t kDepthMax = 1000;

enum class Kind : std::uint8_t { Null, Boolean, Number, String, Array, Object };

// "null", "boolean", "number" and so on, for messages.
std::string_view kind_name(Kind kind);

struct Member;

class Value {
 public:
  Value() = default;  // null
  Value(std::nullptr_t) {}
  Value(std::same_as<bool> auto truth) { set_boolean(truth); }
  template <std::integral Number>
    requires(!std::same_as<Number, bool> && !std::same_as<Number, char>)
  Value(Number number);
  Value(double number);  // The shortest text that reads back the same; must be finite.
  Value(std::string_view text) { set_text(Tag::InlineString, text); }
  Value(const char* text) : Value(std::string_view(text)) {}
  Value(const std::string& text) : Value(std::string_view(text)) {}

  // `text` must follow JSON's grammar of numbers; it is kept as it is.
  static Value number_from_text(std::string_view text);
  static Value array(std::initializer_list<Value> elements = {});
  static Value object(std::initializer_list<std::pair<std::string_view, Value>> members = {});

  // Moves what the span holds into one block of exactly that size and leaves nulls behind: for
  // builders that collect first. The names of members must differ.
  static Value take_array(std::span<Value> elements);
  static Value take_object(std::span<Member> members);

  Value(const Value& other);
  Value(Value&& other) noexcept : words_{other.words_[0], other.words_[1]} { other.forget(); }
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value() {
    if (owns_block()) release();
  }

  Kind kind() const;
  bool is_null() const { return tag() == Tag::Null; }
  bool is_boolean() const { return kind() == Kind::Boolean; }
  bool is_number() const { return kind() == Kind::Number; }
  bool is_string() const { return kind() == Kind::String; }
  bool is_array() const { return tag() == Tag::Array; }
  bool is_object() const { return tag() == Tag::Object; }

  // Each answers nullopt when the Value is of another kind.
  std::optional<bool> as_bool() const;
  std::optional<std::int64_t> as_int() const;  // Also nullopt for 1.5, 1e3 and what does not fit.
  std::optional<std::uint64_t> as_uint() const;
  std::optional<double> as_double() const;  // Any number, rounded to nearest; 1e999 is infinity.
  std::optional<std::string_view> as_string() const;

  // The string, or "" when it is none: for reading fields where absent and empty mean the same.
  std::string_view string_or_empty() const;

  // A number's digits as they were written; must be a number.
  std::string number_text() const;

  // Elements of an array, members of an object; empty for every other kind.
  std::span<const Value> elements() const;
  std::span<Value> elements();
  std::span<const Member> members() const;
  std::size_t size() const;  // Of an array or object, else 0.

  // The member of that name; nullptr when there is none or this is no object.
  const Value* find(std::string_view name) const;
  Value* find(std::string_view name);

  // find() along several names: find_path({"metadata", "labels"}).
  const Value* find_path(std::initializer_list<std::string_view> names) const;

  // The member of that name, added at the end as null when missing. Null becomes an object first;
  // must not be called on any other kind.
  Value& operator[](std::string_view name);

  // Adds a member without looking for one of the same name: for builders that know it is new.
  Value& append_member(std::string_view name, Value value);
  bool erase(std::string_view name);  // Whether there was such a member. Keeps the others' order.

  // Must be an array (or null, which becomes one).
  Value& push_back(Value element);
  void insert_at(std::size_t index, Value element);  // index <= size()
  void erase_at(std::size_t index);                  // index < size()
  void reserve(std::size_t count);                   // Array or object.

  // The same JSON: members in any order, numbers by value (1 == 1.0 == 10e-1).
  friend bool operator==(const Value& a, const Value& b);

 private:
  // The last byte of the 16. Inline texts carry their length in its low four bits.
  enum class Tag : std::uint8_t {
    Null = 0x00,
    False = 0x10,
    True = 0x11,
    Integer = 0x20,
    HeapNumber = 0x30,
    HeapString = 0x40,
    Array = 0x50,
    Object = 0x60,
    InlineNumber = 0x80,
    InlineString = 0x90,
  };
  static constexpr std::size_t kInlineMax = 15;

  // These two run for every Value that is read or destroyed.
  Tag tag() const {
    const auto last = static_cast<std::uint8_t>(words_[1] >> 56);
    return static_cast<Tag>(last >= 0x80 ? last & 0xf0 : last);
  }
  bool owns_block() const {
    const auto last = static_cast<std::uint8_t>(words_[1] >> 56);
    return last >= 0x30 && last < 0x80;
  }
  void set_boolean(bool truth);
  void set_integer(std::int64_t number);
  void set_text(Tag inline_tag, std::string_view text);
  std::string_view text() const;
  void forget() { words_[0] = words_[1] = 0; }
  void release();

  template <typename Item>
  struct Block;
  template <typename Item>
  Block<Item>* block() const;
  template <typename Item>
  Item& append(Item item);
  template <typename Item>
  void grow(std::size_t capacity);
  template <typename Item>
  void remove(std::size_t index);
  template <typename Item>
  void copy_block(const Value& other);
  template <typename Item>
  void free_block();
  template <typename Item>
  static Value take_items(Tag tag, std::span<Item> items);
  void set_block(Tag tag, void* block);

  std::uint64_t words_[2] = {0, 0};
};

// One member of an object. The name is a string Value, so a short one costs nothing more.
struct Member {
  Value key;
  Value value;

  std::string_view name() const { return key.string_or_empty(); }
};

template <std::integral Number>
  requires(!std::same_as<Number, bool> && !std::same_as<Number, char>)
Value::Value(Number number) {
  if (std::in_range<std::int64_t>(number)) {
    set_integer(static_cast<std::int64_t>(number));
  } else {
    *this = number_from_text(std::to_string(number));
  }
}

}  // namespace berth::json
