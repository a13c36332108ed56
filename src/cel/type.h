// The static types of CEL: what the checker knows about an expression before it runs.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cel {

enum class TypeKind : std::uint8_t {
  Dyn,
  Error,  // Of an expression that has been complained about; fits everything.
  Null,
  Bool,
  Int,
  Uint,
  Double,
  String,
  Bytes,
  Timestamp,
  Duration,
  List,
  Map,
  Meta,      // The type of a type; may have the type it denotes as parameter.
  Opaque,    // Known by its name only; optional_type is one, with a parameter.
  Struct,    // An object with declared fields.
  Variable,  // A type parameter.
};

// A value; copies are cheap because parameters are shared.
class Type {
 public:
  Type() = default;  // dyn
  constexpr Type(TypeKind kind) : kind_(kind) {}

  static Type list(Type element);
  static Type map(Type key, Type value);
  static Type type_of(Type denoted);
  static Type opaque(std::string name, std::vector<Type> parameters = {});
  static Type optional(Type inner) { return opaque("optional_type", {std::move(inner)}); }
  static Type structure(std::string name);
  // Numbered: overloads count theirs from 0, the checker hands out fresh numbers.
  static Type variable(int number);

  TypeKind kind() const { return kind_; }
  int variable_number() const { return number_; }
  const std::vector<Type>& parameters() const;
  bool is_dyn() const { return kind_ == TypeKind::Dyn; }
  bool is_error() const { return kind_ == TypeKind::Error; }
  bool is_optional() const;

  // The name a value of this type has at run time: "int", "google.protobuf.Timestamp", "list".
  std::string_view runtime_name() const;

  // As messages show it: "map(string, dyn)", "timestamp".
  std::string display() const;

  friend bool operator==(const Type& a, const Type& b);

 private:
  struct Composite {
    std::string name;
    std::vector<Type> parameters;
    std::size_t size = 1;  // Types it is made of; bounds the work on it.
  };
  static Type composite(TypeKind kind, std::string name, std::vector<Type> parameters);

  TypeKind kind_ = TypeKind::Dyn;
  int number_ = -1;
  std::shared_ptr<const Composite> composite_ = nullptr;
};

// The run-time name of a kind without parameters.
std::string_view runtime_name(TypeKind kind);

}  // namespace berth::cel
