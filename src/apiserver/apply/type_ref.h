// TypeRef: what apply knows about one place of an object: which shapes it may have, what its
// members and elements are, and what tells its elements apart.

#pragma once

#include <cstdint>
#include <string_view>

#include "apiserver/apply/field_path.h"
#include "apiserver/schema/schema.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

enum class Shape : std::uint8_t { Map, Scalar, List };

// Cheap to copy; borrows the Schema. Where nothing is declared, objects are entered member by
// member and lists are taken as a whole.
class TypeRef {
 public:
  // A whole object: apiVersion, kind and metadata are known without being declared.
  static TypeRef of_object(const Schema& schema);

  // The shapes that `value` may be taken for: its own if that is allowed, else all that are. Equal
  // answers mean that two values can be compared part by part.
  struct Shapes {
    bool map = false;
    bool scalar = false;
    bool list = false;

    bool operator==(const Shapes&) const = default;
    Shape first() const { return map ? Shape::Map : scalar ? Shape::Scalar : Shape::List; }
  };
  Shapes shapes_for(const json::Value* value) const;

  // Whether it has one owner as a whole. Places deeper than kDepthMax have, so that what is stored
  // about owners stays within what can be read again.
  bool is_atomic(Shape shape) const;
  static constexpr std::uint16_t kDepthMax = 500;

  bool declares(std::string_view member) const;  // By name, not as one of a map.
  bool allows(std::string_view member) const;
  TypeRef member(std::string_view name) const;
  TypeRef item() const;

  // An object whose members are all undeclared and of any form.
  bool is_free_form_map() const;

  // How an element of this associative list is told from the others. Error BadRequest when it lacks
  // what tells it.
  Result<PathElement> element_of(const json::Value& value) const;

  // What an absent member counts as: an empty struct for the built-in types that always have one,
  // null for their required lists, else nullptr.
  const json::Value* zero_of(std::string_view member) const;

  // The form of a scalar; Any for undeclared ones.
  Form form() const { return schema_ ? schema_->form : Form::Any; }
  std::string_view format() const;

 private:
  TypeRef child(const Schema* schema) const;
  bool has_type_meta() const;

  const Schema* schema_ = nullptr;  // Null: nothing is declared.
  bool keeps_unknown_ = false;      // Here or further up.
  bool is_object_ = false;          // A whole object or one that is embedded.
  std::uint16_t depth_ = 0;
};

}  // namespace berth::apiserver
