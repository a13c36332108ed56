#include "json/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#include <fmt/format.h>

#include "base/check.h"
#include "json/number.h"

namespace berth::json {

// What an array or object points to: a header followed by the items.
template <typename Item>
struct Value::Block {
  std::uint32_t size;
  std::uint32_t capacity;

  Item* items() { return reinterpret_cast<Item*>(this + 1); }

  static Block* allocate(std::size_t capacity) {
    static_assert(alignof(Item) <= alignof(std::max_align_t) && sizeof(Block) % alignof(Item) == 0);
    CHECK(capacity <= std::numeric_limits<std::uint32_t>::max());
    void* memory = ::operator new(sizeof(Block) + capacity * sizeof(Item));
    return new (memory) Block{.size = 0, .capacity = static_cast<std::uint32_t>(capacity)};
  }
};

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::Null:
      return "null";
    case Kind::Boolean:
      return "boolean";
    case Kind::Number:
      return "number";
    case Kind::String:
      return "string";
    case Kind::Array:
      return "array";
    case Kind::Object:
      return "object";
  }
  return "";
}

// --- Representation -----------------------------------------------------------------------------

void Value::set_boolean(bool truth) {
  words_[0] = 0;
  words_[1] = static_cast<std::uint64_t>(truth ? Tag::True : Tag::False) << 56;
}

void Value::set_integer(std::int64_t number) {
  words_[0] = static_cast<std::uint64_t>(number);
  words_[1] = static_cast<std::uint64_t>(Tag::Integer) << 56;
}

void Value::set_block(Tag tag, void* block) {
  words_[0] = reinterpret_cast<std::uint64_t>(block);
  words_[1] = (words_[1] & 0xffffffff) | static_cast<std::uint64_t>(tag) << 56;
}

void Value::set_text(Tag inline_tag, std::string_view text) {
  if (text.size() <= kInlineMax) {
    forget();
    // An empty view may point nowhere, which memcpy does not allow.
    if (!text.empty()) std::memcpy(words_, text.data(), text.size());
    words_[1] |= (static_cast<std::uint64_t>(inline_tag) | text.size()) << 56;
    return;
  }
  CHECK(text.size() <= std::numeric_limits<std::uint32_t>::max());
  void* copy = ::operator new(text.size());
  std::memcpy(copy, text.data(), text.size());
  words_[1] = text.size();
  set_block(inline_tag == Tag::InlineString ? Tag::HeapString : Tag::HeapNumber, copy);
}

std::string_view Value::text() const {
  switch (tag()) {
    case Tag::InlineString:
    case Tag::InlineNumber:
      return {reinterpret_cast<const char*>(words_), (words_[1] >> 56) & 0x0f};
    case Tag::HeapString:
    case Tag::HeapNumber:
      return {reinterpret_cast<const char*>(words_[0]), words_[1] & 0xffffffff};
    default:
      return {};
  }
}

template <typename Item>
Value::Block<Item>* Value::block() const {
  return reinterpret_cast<Block<Item>*>(words_[0]);
}

template <typename Item>
void Value::free_block() {
  Block<Item>* old = block<Item>();
  if (!old) return;
  std::destroy_n(old->items(), old->size);
  ::operator delete(old);
}

void Value::release() {
  switch (tag()) {
    case Tag::Array:
      free_block<Value>();
      break;
    case Tag::Object:
      free_block<Member>();
      break;
    default:
      ::operator delete(reinterpret_cast<void*>(words_[0]));
  }
  forget();
}

template <typename Item>
void Value::copy_block(const Value& other) {
  Block<Item>* from = other.block<Item>();
  if (!from || from->size == 0) return set_block(other.tag(), nullptr);
  Block<Item>* copy = Block<Item>::allocate(from->size);
  std::uninitialized_copy_n(from->items(), from->size, copy->items());
  copy->size = from->size;
  set_block(other.tag(), copy);
}

// Items are relocated by copying their bytes: a Value holds no address of itself.
template <typename Item>
void Value::grow(std::size_t capacity) {
  Block<Item>* old = block<Item>();
  if (old && old->capacity >= capacity) return;
  Block<Item>* bigger = Block<Item>::allocate(capacity);
  if (old) {
    std::memcpy(static_cast<void*>(bigger->items()), static_cast<void*>(old->items()),
                old->size * sizeof(Item));
    bigger->size = old->size;
    ::operator delete(old);
  }
  words_[0] = reinterpret_cast<std::uint64_t>(bigger);
}

template <typename Item>
Value Value::take_items(Tag tag, std::span<Item> items) {
  Value value;
  value.set_block(tag, nullptr);
  if (items.empty()) return value;
  Block<Item>* taken = Block<Item>::allocate(items.size());
  std::uninitialized_move_n(items.data(), items.size(), taken->items());
  taken->size = static_cast<std::uint32_t>(items.size());
  value.set_block(tag, taken);
  return value;
}

template <typename Item>
Item& Value::append(Item item) {
  Block<Item>* current = block<Item>();
  if (!current || current->size == current->capacity) {
    grow<Item>(current ? std::max<std::size_t>(current->capacity * 2, 4) : 4);
    current = block<Item>();
  }
  Item* slot = new (current->items() + current->size) Item(std::move(item));
  ++current->size;
  return *slot;
}

template <typename Item>
void Value::remove(std::size_t index) {
  Block<Item>* current = block<Item>();
  Item* items = current->items();
  std::move(items + index + 1, items + current->size, items + index);
  --current->size;
  std::destroy_at(items + current->size);
}

// --- Construction -------------------------------------------------------------------------------

Value::Value(double number) {
  CHECK(std::isfinite(number));
  *this = number_from_text(print_double(number));
}

Value Value::number_from_text(std::string_view text) {
  Value value;
  if (const auto whole = exact_int64(text)) {
    value.set_integer(*whole);
  } else {
    value.set_text(Tag::InlineNumber, text);
  }
  return value;
}

Value Value::array(std::initializer_list<Value> elements) {
  Value value;
  value.set_block(Tag::Array, nullptr);
  if (elements.size() > 0) value.reserve(elements.size());
  for (const Value& element : elements) value.append<Value>(element);
  return value;
}

Value Value::object(std::initializer_list<std::pair<std::string_view, Value>> members) {
  Value value;
  value.set_block(Tag::Object, nullptr);
  if (members.size() > 0) value.reserve(members.size());
  for (const auto& [name, member] : members) value.append_member(name, member);
  return value;
}

Value Value::take_array(std::span<Value> elements) {
  return take_items<Value>(Tag::Array, elements);
}

Value Value::take_object(std::span<Member> members) {
  return take_items<Member>(Tag::Object, members);
}

Value::Value(const Value& other) : words_{other.words_[0], other.words_[1]} {
  switch (other.tag()) {
    case Tag::HeapString:
      set_text(Tag::InlineString, other.text());
      break;
    case Tag::HeapNumber:
      set_text(Tag::InlineNumber, other.text());
      break;
    case Tag::Array:
      copy_block<Value>(other);
      break;
    case Tag::Object:
      copy_block<Member>(other);
      break;
    default:
      break;
  }
}

Value& Value::operator=(const Value& other) {
  if (this != &other) *this = Value(other);
  return *this;
}

// The old content is freed last: `other` may be part of it.
Value& Value::operator=(Value&& other) noexcept {
  if (this == &other) return *this;
  const std::uint64_t first = std::exchange(other.words_[0], 0);
  const std::uint64_t second = std::exchange(other.words_[1], 0);
  if (owns_block()) release();
  words_[0] = first;
  words_[1] = second;
  return *this;
}

// --- Reading ------------------------------------------------------------------------------------

Kind Value::kind() const {
  switch (tag()) {
    case Tag::Null:
      return Kind::Null;
    case Tag::False:
    case Tag::True:
      return Kind::Boolean;
    case Tag::Integer:
    case Tag::HeapNumber:
    case Tag::InlineNumber:
      return Kind::Number;
    case Tag::HeapString:
    case Tag::InlineString:
      return Kind::String;
    case Tag::Array:
      return Kind::Array;
    case Tag::Object:
      return Kind::Object;
  }
  return Kind::Null;
}

std::optional<bool> Value::as_bool() const {
  if (tag() == Tag::True) return true;
  if (tag() == Tag::False) return false;
  return std::nullopt;
}

std::optional<std::int64_t> Value::as_int() const {
  if (tag() != Tag::Integer) return std::nullopt;
  return static_cast<std::int64_t>(words_[0]);
}

std::optional<std::uint64_t> Value::as_uint() const {
  if (const auto number = as_int()) {
    if (*number < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*number);
  }
  if (!is_number()) return std::nullopt;
  return exact_uint64(text());
}

std::optional<double> Value::as_double() const {
  if (const auto number = as_int()) return static_cast<double>(*number);
  if (!is_number()) return std::nullopt;
  return to_double(text());
}

std::optional<std::string_view> Value::as_string() const {
  if (!is_string()) return std::nullopt;
  return text();
}

std::string_view Value::string_or_empty() const {
  return is_string() ? text() : std::string_view{};
}

std::string Value::number_text() const {
  CHECK(is_number());
  if (const auto number = as_int()) return fmt::format_int(*number).str();
  return std::string(text());
}

std::span<const Value> Value::elements() const {
  Block<Value>* items = is_array() ? block<Value>() : nullptr;
  return items ? std::span<const Value>(items->items(), items->size) : std::span<const Value>();
}

std::span<Value> Value::elements() {
  Block<Value>* items = is_array() ? block<Value>() : nullptr;
  return items ? std::span<Value>(items->items(), items->size) : std::span<Value>();
}

std::span<const Member> Value::members() const {
  Block<Member>* items = is_object() ? block<Member>() : nullptr;
  return items ? std::span<const Member>(items->items(), items->size) : std::span<const Member>();
}

std::size_t Value::size() const { return elements().size() + members().size(); }

const Value* Value::find(std::string_view name) const {
  for (const Member& member : members()) {
    if (member.name() == name) return &member.value;
  }
  return nullptr;
}

Value* Value::find(std::string_view name) {
  return const_cast<Value*>(std::as_const(*this).find(name));
}

const Value* Value::find_path(std::initializer_list<std::string_view> names) const {
  const Value* here = this;
  for (const std::string_view name : names) {
    here = here->find(name);
    if (!here) return nullptr;
  }
  return here;
}

// --- Changing -----------------------------------------------------------------------------------

Value& Value::operator[](std::string_view name) {
  if (Value* found = find(name)) return *found;
  return append_member(name, Value());
}

Value& Value::append_member(std::string_view name, Value value) {
  if (is_null()) set_block(Tag::Object, nullptr);
  CHECK(is_object());
  return append<Member>({.key = Value(name), .value = std::move(value)}).value;
}

bool Value::erase(std::string_view name) {
  const auto all = members();
  const auto found = std::ranges::find(all, name, &Member::name);
  if (found == all.end()) return false;
  remove<Member>(static_cast<std::size_t>(found - all.begin()));
  return true;
}

Value& Value::push_back(Value element) {
  if (is_null()) set_block(Tag::Array, nullptr);
  CHECK(is_array());
  return append<Value>(std::move(element));
}

void Value::insert_at(std::size_t index, Value element) {
  CHECK(index <= size());
  push_back(std::move(element));
  const auto all = elements();
  std::rotate(all.begin() + static_cast<std::ptrdiff_t>(index), all.end() - 1, all.end());
}

void Value::erase_at(std::size_t index) {
  CHECK(is_array() && index < size());
  remove<Value>(index);
}

void Value::reserve(std::size_t count) {
  CHECK(is_array() || is_object());
  if (is_array()) {
    grow<Value>(count);
  } else {
    grow<Member>(count);
  }
}

}  // namespace berth::json
