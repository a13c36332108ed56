#include "json/json_patch.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "json/depth.h"
#include "json/pointer.h"
#include "json/print.h"

namespace berth::json {
namespace {

// The object or array that an operation changes, and the name of the place in it.
struct Target {
  Value* parent;
  std::string name;
};

std::unexpected<Error> does_not_apply(std::string message) {
  return failure(Code::Invalid, std::move(message));
}

class Application {
 public:
  Application(Value document, const JsonPatchLimits& limits)
      : document_(std::move(document)), limits_(limits), depth_bound_(depth_of(document_)) {}

  Status apply(const Value& operation);
  Value take() { return std::move(document_); }

 private:
  Status add(const Value& operation);
  Status remove(const Value& operation);
  Status replace(const Value& operation);
  Status move(const Value& operation);
  Status test(const Value& operation);
  Status copy(const Value& operation);

  const Value* child(const Target& target) const;
  Result<Target> locate(std::string_view path, std::string_view complaint);
  Status check_depth(std::string_view path, const Value& value);

  Value document_;
  const JsonPatchLimits& limits_;
  std::size_t depth_bound_;  // The document is not deeper.
  std::size_t copied_bytes_ = 0;
};

Result<std::string> text_field(const Value& operation, std::string_view kind,
                               std::string_view name) {
  const Value* field = operation.find(name);
  if (!field || !field->is_string()) {
    return does_not_apply(
        fmt::format("{} operation failed to decode {}: missing value", kind, name));
  }
  return std::string(field->string_or_empty());
}

Value value_field(const Value& operation) {
  const Value* value = operation.find("value");
  return value ? *value : Value();
}

Status Application::apply(const Value& operation) {
  const Value* kind = operation.find("op");
  const std::string_view name = kind && kind->is_string() ? kind->string_or_empty() : "unknown";
  if (name == "add") return add(operation);
  if (name == "remove") return remove(operation);
  if (name == "replace") return replace(operation);
  if (name == "move") return move(operation);
  if (name == "test") return test(operation);
  if (name == "copy") return copy(operation);
  return does_not_apply(fmt::format("Unexpected kind: {}", name));
}

// Where `path` leads; the error begins with `complaint`.
Result<Target> Application::locate(std::string_view path, std::string_view complaint) {
  const auto pointer = Pointer::parse(path);
  if (pointer.ok() && !pointer->is_root()) {
    Value* const parent = find(document_, pointer->parent());
    if (parent && (parent->is_array() || parent->is_object())) {
      return Target{.parent = parent, .name = pointer->last()};
    }
  }
  return does_not_apply(fmt::format("{}: {}: missing value", complaint, path));
}

const Value* Application::child(const Target& target) const {
  return find(std::as_const(*target.parent), Pointer({target.name}));
}

// A document grows deeper with each operation that copies it into itself.
Status Application::check_depth(std::string_view path, const Value& value) {
  const auto level = static_cast<std::size_t>(std::ranges::count(path, '/'));
  depth_bound_ = std::max(depth_bound_, level + depth_of(value));
  if (depth_bound_ <= kDepthMax) return {};
  return does_not_apply(
      fmt::format("the value at path '{}' is nested deeper than {} levels", path, kDepthMax));
}

Status Application::add(const Value& operation) {
  ASSIGN_OR_RETURN(const std::string path, text_field(operation, "add", "path"));
  Value value = value_field(operation);
  ASSIGN_OR_RETURN(const Target target,
                   locate(path, "add operation does not apply: doc is missing path"));
  RETURN_IF_ERROR(check_depth(path, value));
  auto added = add_child(*target.parent, target.name, std::move(value));
  if (added.ok()) return added;
  return failure(
      std::move(added).error().in_context(fmt::format("error in add for path: '{}'", path)));
}

Status Application::remove(const Value& operation) {
  ASSIGN_OR_RETURN(const std::string path, text_field(operation, "remove", "path"));
  ASSIGN_OR_RETURN(const Target target,
                   locate(path, "remove operation does not apply: doc is missing path"));
  auto removed = remove_child(*target.parent, target.name);
  if (removed.ok()) return {};
  return failure(
      std::move(removed).error().in_context(fmt::format("error in remove for path: '{}'", path)));
}

Status Application::replace(const Value& operation) {
  ASSIGN_OR_RETURN(const std::string path, text_field(operation, "replace", "path"));
  Value value = value_field(operation);
  RETURN_IF_ERROR(check_depth(path, value));
  if (path.empty()) {
    if (!value.is_object() && !value.is_array()) {
      return does_not_apply("replace operation value must be object or array");
    }
    document_ = std::move(value);
    return {};
  }
  ASSIGN_OR_RETURN(const Target target,
                   locate(path, "replace operation does not apply: doc is missing path"));
  if (target.parent->is_object()) {
    (*target.parent)[target.name] = std::move(value);
    return {};
  }
  const auto index = element_index(*target.parent, target.name);
  if (!index.ok()) {
    return does_not_apply(fmt::format(
        "replace operation does not apply: doc is missing key: {}: missing value", path));
  }
  target.parent->elements()[*index] = std::move(value);
  return {};
}

Status Application::move(const Value& operation) {
  ASSIGN_OR_RETURN(const std::string from, text_field(operation, "move", "from"));
  ASSIGN_OR_RETURN(const std::string path, text_field(operation, "move", "path"));
  ASSIGN_OR_RETURN(const Target source,
                   locate(from, "move operation does not apply: doc is missing from path"));
  auto moved = remove_child(*source.parent, source.name);
  if (!moved.ok()) {
    return failure(std::move(moved).error().in_context(
        fmt::format("error in move for path: '{}'", source.name)));
  }
  ASSIGN_OR_RETURN(const Target target,
                   locate(path, "move operation does not apply: doc is missing destination path"));
  RETURN_IF_ERROR(check_depth(path, *moved));
  auto added = add_child(*target.parent, target.name, std::move(*moved));
  if (added.ok()) return added;
  return failure(
      std::move(added).error().in_context(fmt::format("error in move for path: '{}'", path)));
}

Status Application::test(const Value& operation) {
  ASSIGN_OR_RETURN(const std::string path, text_field(operation, "test", "path"));
  const Value wanted = value_field(operation);
  const Value* found = &document_;
  if (!path.empty()) {
    ASSIGN_OR_RETURN(const Target target,
                     locate(path, "test operation does not apply: is missing path"));
    found = child(target);
    if (!found && target.parent->is_array()) {
      Error error = element_index(*target.parent, target.name).error();
      return failure(
          std::move(error).in_context(fmt::format("error in test for path: '{}'", path)));
    }
  }
  const bool equal = found ? *found == wanted : wanted.is_null();
  if (equal) return {};
  return does_not_apply(fmt::format("testing value {} failed: test failed", path));
}

Status Application::copy(const Value& operation) {
  ASSIGN_OR_RETURN(const std::string from, text_field(operation, "copy", "from"));
  ASSIGN_OR_RETURN(const std::string path, text_field(operation, "copy", "path"));
  ASSIGN_OR_RETURN(const Target source,
                   locate(from, "copy operation does not apply: doc is missing from path"));
  const Value* found = child(source);
  if (!found && source.parent->is_array()) {
    Error error = element_index(*source.parent, source.name).error();
    return failure(std::move(error).in_context(fmt::format("error in copy for from: '{}'", from)));
  }
  ASSIGN_OR_RETURN(const Target target,
                   locate(path, "copy operation does not apply: doc is missing destination path"));
  copied_bytes_ += found ? print(*found).size() : 0;
  if (copied_bytes_ > limits_.copied_bytes_max) {
    return failure(Code::RequestEntityTooLarge,
                   fmt::format("Unable to complete the copy, the accumulated size increase of copy "
                               "is {}, exceeding the limit {}",
                               copied_bytes_, limits_.copied_bytes_max));
  }
  Value value = found ? *found : Value();
  RETURN_IF_ERROR(check_depth(path, value));
  auto added = add_child(*target.parent, target.name, std::move(value));
  if (added.ok()) return added;
  return failure(std::move(added).error().in_context("error while adding value during copy"));
}

}  // namespace

Result<Value> apply_json_patch(Value document, const Value& patch, const JsonPatchLimits& limits) {
  if (!patch.is_array()) {
    return failure(Code::BadRequest, fmt::format("a JSON patch is an array of operations, not a {}",
                                                 kind_name(patch.kind())));
  }
  if (patch.size() > limits.operations_max) {
    return failure(Code::RequestEntityTooLarge,
                   fmt::format("The allowed maximum operations in a JSON patch is {}, got {}",
                               limits.operations_max, patch.size()));
  }
  Application application(std::move(document), limits);
  for (const Value& operation : patch.elements()) {
    if (!operation.is_object()) {
      return failure(Code::BadRequest, fmt::format("an operation of a JSON patch is an object, not "
                                                   "a {}",
                                                   kind_name(operation.kind())));
    }
    RETURN_IF_ERROR(application.apply(operation));
  }
  return application.take();
}

}  // namespace berth::json
