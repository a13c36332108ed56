#include "cel/type.h"

#include <utility>

namespace berth::cel {
namespace {

// A type can be twice as large as the one before at every step of a short expression. Beyond this
// size it is simply dyn: still correct, only checked later.
constexpr std::size_t kSizeMax = 4096;

}  // namespace

std::string_view runtime_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::Dyn:
      return "dyn";
    case TypeKind::Error:
      return "error";
    case TypeKind::Null:
      return "null_type";
    case TypeKind::Bool:
      return "bool";
    case TypeKind::Int:
      return "int";
    case TypeKind::Uint:
      return "uint";
    case TypeKind::Double:
      return "double";
    case TypeKind::String:
      return "string";
    case TypeKind::Bytes:
      return "bytes";
    case TypeKind::Timestamp:
      return "google.protobuf.Timestamp";
    case TypeKind::Duration:
      return "google.protobuf.Duration";
    case TypeKind::List:
      return "list";
    case TypeKind::Map:
      return "map";
    case TypeKind::Meta:
      return "type";
    case TypeKind::Opaque:
    case TypeKind::Struct:
    case TypeKind::Variable:
      return "";
  }
  return "";
}

Type Type::composite(TypeKind kind, std::string name, std::vector<Type> parameters) {
  std::size_t size = 1;
  for (const Type& parameter : parameters) {
    size += parameter.composite_ ? parameter.composite_->size : 1;
  }
  if (size > kSizeMax) return TypeKind::Dyn;
  Type type(kind);
  type.composite_ = std::make_shared<const Composite>(
      Composite{.name = std::move(name), .parameters = std::move(parameters), .size = size});
  return type;
}

Type Type::list(Type element) { return composite(TypeKind::List, "list", {std::move(element)}); }

Type Type::map(Type key, Type value) {
  return composite(TypeKind::Map, "map", {std::move(key), std::move(value)});
}

Type Type::type_of(Type denoted) { return composite(TypeKind::Meta, "type", {std::move(denoted)}); }

Type Type::opaque(std::string name, std::vector<Type> parameters) {
  return composite(TypeKind::Opaque, std::move(name), std::move(parameters));
}

Type Type::structure(std::string name) { return composite(TypeKind::Struct, std::move(name), {}); }

Type Type::variable(int number) {
  Type type(TypeKind::Variable);
  type.number_ = number;
  return type;
}

const std::vector<Type>& Type::parameters() const {
  static const std::vector<Type> kNone;
  return composite_ ? composite_->parameters : kNone;
}

bool Type::is_optional() const {
  return kind_ == TypeKind::Opaque && composite_->name == "optional_type";
}

std::string_view Type::runtime_name() const {
  return composite_ ? std::string_view(composite_->name) : cel::runtime_name(kind_);
}

std::string Type::display() const {
  switch (kind_) {
    case TypeKind::Error:
      return "!error!";
    case TypeKind::Null:
      return "null";
    case TypeKind::Timestamp:
      return "timestamp";
    case TypeKind::Duration:
      return "duration";
    case TypeKind::Variable:
      return "_var" + std::to_string(number_);
    default:
      break;
  }
  std::string text(runtime_name());
  if (parameters().empty()) return text;
  text += '(';
  for (std::size_t i = 0; i < parameters().size(); ++i) {
    if (i > 0) text += ", ";
    text += parameters()[i].display();
  }
  return text + ')';
}

bool operator==(const Type& a, const Type& b) {
  if (a.kind_ != b.kind_ || a.number_ != b.number_) return false;
  if (a.composite_ == b.composite_) return true;
  return a.runtime_name() == b.runtime_name() && a.parameters() == b.parameters();
}

}  // namespace berth::cel
