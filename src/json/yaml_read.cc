#include "json/yaml_read.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/strings.h"
#include "json/depth.h"
#include "json/equal_names.h"
#include "json/parse.h"
#include "json/yaml_events.h"
#include "json/yaml_scalar.h"

namespace berth::json {
namespace {

constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

std::string_view type_name(YamlType type) {
  switch (type) {
    case YamlType::Null:
      return "null";
    case YamlType::Boolean:
      return "bool";
    case YamlType::Integer:
      return "int";
    case YamlType::Float:
      return "float";
    case YamlType::Timestamp:
      return "timestamp";
    case YamlType::String:
      return "str";
  }
  return "";
}

std::unexpected<Error> refuse(const YamlEvent& event, std::string_view problem) {
  return failure(yaml_error(event.mark, problem));
}

// What a scalar means, its tag considered.
Result<YamlScalar> resolve(const YamlEvent& event) {
  if (event.plain) return resolve_plain(event.text);
  if (!event.tag.starts_with(kCoreTag)) return YamlScalar{};
  const std::string_view wanted = std::string_view(event.tag).substr(kCoreTag.size());
  if (wanted == "binary") return refuse(event, "!!binary values are not supported");
  constexpr std::string_view kResolved[] = {"null", "bool", "int", "float", "timestamp"};
  if (std::ranges::find(kResolved, wanted) == std::ranges::end(kResolved)) return YamlScalar{};

  YamlScalar scalar = resolve_plain(event.text);
  if (wanted == "float" && scalar.type == YamlType::Integer) {
    scalar = {.type = YamlType::Float, .real = *scalar.value.as_double()};
  }
  if (type_name(scalar.type) == wanted) return scalar;
  return refuse(event, fmt::format("cannot decode !!{} {} as a !!{}", type_name(scalar.type),
                                   quote(cut_utf8(event.text, 40)), wanted));
}

Result<Value> scalar_value(const YamlEvent& event) {
  ASSIGN_OR_RETURN(YamlScalar scalar, resolve(event));
  switch (scalar.type) {
    case YamlType::Float:
      if (!std::isfinite(scalar.real)) {
        return refuse(event, fmt::format("JSON has no number {}", quote(event.text)));
      }
      return Value(scalar.real);
    case YamlType::String:
    case YamlType::Timestamp:
      return Value(event.text);
    default:
      return std::move(scalar.value);
  }
}

Result<std::string> key_text(const YamlEvent& event) {
  ASSIGN_OR_RETURN(const YamlScalar scalar, resolve(event));
  switch (scalar.type) {
    case YamlType::Null:
      return refuse(event, "a key must not be null");
    case YamlType::Boolean:
      return std::string(*scalar.value.as_bool() ? "true" : "false");
    case YamlType::Integer:
      if (!scalar.value.as_int()) return refuse(event, "a key beyond 64 bits is not supported");
      return scalar.value.number_text();
    case YamlType::Float:
      return print_yaml_float(scalar.real, FloatWidth::Bits32);
    default:
      return event.text;
  }
}

bool is_merge_key(const YamlEvent& event) {
  if (event.type != YamlEventType::Scalar || event.text != "<<") return false;
  return event.plain || event.tag == "tag:yaml.org,2002:merge";
}

std::size_t count_values(const Value& value) {
  std::size_t count = 1;
  for (const Value& element : value.elements()) count += count_values(element);
  for (const Member& member : value.members()) count += count_values(member.value);
  return count;
}

// A sequence or mapping whose end was not reached yet.
struct Frame {
  Kind kind;
  std::optional<std::size_t> anchor = std::nullopt;  // The slot to fill when it ends.
  std::vector<Value> elements = {};
  std::vector<Member> members = {};
  std::vector<YamlMark> marks = {};  // Of the members' values.
  bool key_is_next = true;
  bool merging = false;  // The key was "<<".
};

struct Anchor {
  bool complete = false;
  Value value = {};
};

// Builds the Value of one document.
class Builder {
 public:
  explicit Builder(const YamlOptions& options) : options_(options) {}

  Status take(const YamlEvent& event);
  Value finish() { return std::move(root_); }

 private:
  Status take_key(const YamlEvent& event);
  Status take_scalar(const YamlEvent& event);
  Status take_alias(const YamlEvent& event);
  Status open(const YamlEvent& event);
  Status close(const YamlEvent& event);
  Status place(Value value, const YamlEvent& event);
  Status merge(Value value, const YamlEvent& event);
  Result<Value> aliased(const YamlEvent& event);
  Result<Value> close_mapping(Frame& frame);

  std::optional<std::size_t> define_anchor(const std::string& name);
  Status fill_anchor(std::optional<std::size_t> slot, const Value& value, const YamlEvent& event);
  Status count_copies(const Value& value, const YamlEvent& event);

  const YamlOptions& options_;
  std::vector<Frame> frames_ = {};
  std::vector<Anchor> anchors_ = {};
  std::unordered_map<std::string, std::size_t> anchor_slots_ = {};
  std::size_t copied_values_ = 0;
  Value root_ = {};
};

Status Builder::take(const YamlEvent& event) {
  const bool closing =
      event.type == YamlEventType::SequenceEnd || event.type == YamlEventType::MappingEnd;
  if (closing) return close(event);
  const bool key =
      !frames_.empty() && frames_.back().kind == Kind::Object && frames_.back().key_is_next;
  if (key) return take_key(event);
  switch (event.type) {
    case YamlEventType::Scalar:
      return take_scalar(event);
    case YamlEventType::Alias:
      return take_alias(event);
    default:
      return open(event);
  }
}

Status Builder::take_key(const YamlEvent& event) {
  Frame& frame = frames_.back();
  frame.key_is_next = false;
  frame.merging = is_merge_key(event);
  if (frame.merging) return {};
  std::string name;
  if (event.type == YamlEventType::Scalar) {
    ASSIGN_OR_RETURN(name, key_text(event));
    RETURN_IF_ERROR(fill_anchor(define_anchor(event.anchor), Value(event.text), event));
  } else if (event.type == YamlEventType::Alias) {
    ASSIGN_OR_RETURN(const Value value, aliased(event));
    if (!value.is_string()) return refuse(event, "an alias as a key must mean a string");
    name = value.string_or_empty();
  } else {
    return refuse(event, "a list or an object cannot be a key");
  }
  frame.members.push_back({.key = Value(name), .value = {}});
  frame.marks.push_back(event.mark);
  return {};
}

Status Builder::take_scalar(const YamlEvent& event) {
  ASSIGN_OR_RETURN(Value value, scalar_value(event));
  RETURN_IF_ERROR(fill_anchor(define_anchor(event.anchor), value, event));
  return place(std::move(value), event);
}

Status Builder::take_alias(const YamlEvent& event) {
  ASSIGN_OR_RETURN(Value value, aliased(event));
  return place(std::move(value), event);
}

Result<Value> Builder::aliased(const YamlEvent& event) {
  const auto slot = anchor_slots_.find(event.anchor);
  if (slot == anchor_slots_.end()) {
    return refuse(event, fmt::format("unknown anchor '{}' referenced", event.anchor));
  }
  const Anchor& anchor = anchors_[slot->second];
  if (!anchor.complete) {
    return refuse(event, fmt::format("anchor '{}' value contains itself", event.anchor));
  }
  RETURN_IF_ERROR(count_copies(anchor.value, event));
  if (frames_.size() + depth_of(anchor.value) > options_.depth_max) {
    return refuse(event, fmt::format("nested deeper than {} levels", options_.depth_max));
  }
  return anchor.value;
}

Status Builder::open(const YamlEvent& event) {
  if (frames_.size() >= options_.depth_max) {
    return refuse(event, fmt::format("nested deeper than {} levels", options_.depth_max));
  }
  const bool array = event.type == YamlEventType::SequenceStart;
  frames_.push_back(
      {.kind = array ? Kind::Array : Kind::Object, .anchor = define_anchor(event.anchor)});
  return {};
}

Status Builder::close(const YamlEvent& event) {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  Value value;
  if (frame.kind == Kind::Array) {
    value = Value::take_array(frame.elements);
  } else {
    ASSIGN_OR_RETURN(value, close_mapping(frame));
  }
  RETURN_IF_ERROR(fill_anchor(frame.anchor, value, event));
  return place(std::move(value), event);
}

Result<Value> Builder::close_mapping(Frame& frame) {
  const MergedNames merged = merge_equal_names(frame.members);
  if (!merged.repeated.empty()) {
    const RepeatedName& repeated = merged.repeated.front();
    return failure(
        yaml_error(frame.marks[repeated.second],
                   fmt::format("key {} already set in map", quote(cut_utf8(repeated.name, 100)))));
  }
  return Value::take_object(frame.members);
}

Status Builder::place(Value value, const YamlEvent& event) {
  if (frames_.empty()) {
    root_ = std::move(value);
    return {};
  }
  Frame& frame = frames_.back();
  if (frame.kind == Kind::Array) {
    frame.elements.push_back(std::move(value));
    return {};
  }
  frame.key_is_next = true;
  if (frame.merging) return merge(std::move(value), event);
  frame.members.back().value = std::move(value);
  return {};
}

// "<<" takes an object or a list of objects.
Status Builder::merge(Value value, const YamlEvent& event) {
  Frame& frame = frames_.back();
  const std::span<const Value> sources =
      value.is_array() ? std::as_const(value).elements() : std::span<const Value>(&value, 1);
  for (const Value& source : sources) {
    if (!source.is_object()) {
      return refuse(event, "map merge requires map or sequence of maps as the value");
    }
    for (const Member& member : source.members()) {
      frame.members.push_back(member);
      frame.marks.push_back(event.mark);
    }
  }
  return {};
}

// The latest definition of a name counts, from where it begins.
std::optional<std::size_t> Builder::define_anchor(const std::string& name) {
  if (name.empty()) return std::nullopt;
  anchors_.emplace_back();
  anchor_slots_[name] = anchors_.size() - 1;
  return anchors_.size() - 1;
}

Status Builder::fill_anchor(std::optional<std::size_t> slot, const Value& value,
                            const YamlEvent& event) {
  if (!slot) return {};
  RETURN_IF_ERROR(count_copies(value, event));
  anchors_[*slot] = {.complete = true, .value = value};
  return {};
}

Status Builder::count_copies(const Value& value, const YamlEvent& event) {
  copied_values_ += count_values(value);
  if (copied_values_ <= options_.copied_values_max) return {};
  return refuse(event, "document contains excessive aliasing");
}

bool starts_like_json(std::string_view text) {
  const std::string_view start = trim(text.substr(0, 100));
  return start.starts_with('{') || start.starts_with('[');
}

Result<std::vector<Value>> read_documents(std::string_view text, const YamlOptions& options) {
  std::vector<Value> documents;
  YamlEvents events(text);
  std::size_t number = 1;
  std::optional<Builder> builder;  // Of the document at hand.
  const auto in_document = [&](Error error) {
    error.message = fmt::format("document {}, {}", number, error.message);
    return failure(std::move(error));
  };
  for (;;) {
    auto event = events.next();
    if (!event.ok()) return in_document(std::move(event).error());
    if (event->type == YamlEventType::StreamEnd) return documents;
    if (event->type == YamlEventType::DocumentStart) {
      builder.emplace(options);
      continue;
    }
    if (event->type == YamlEventType::DocumentEnd) {
      Value document = builder->finish();
      if (!document.is_null()) documents.push_back(std::move(document));
      ++number;
      continue;
    }
    auto taken = builder->take(*event);
    if (!taken.ok()) return in_document(std::move(taken).error());
  }
}

}  // namespace

Result<std::vector<Value>> read_yaml(std::string_view text, const YamlOptions& options) {
  CHECK(options.depth_max <= kDepthMax);
  if (text.size() > options.size_max) {
    return failure(
        Code::RequestEntityTooLarge,
        fmt::format("the text has {} bytes, the limit is {}", text.size(), options.size_max));
  }
  if (starts_like_json(text)) {
    auto document = parse_document(text, {.depth_max = options.depth_max});
    if (document.ok() && document->duplicate_fields.empty()) {
      std::vector<Value> documents;
      documents.push_back(std::move(document->value));
      return documents;
    }
  }
  return read_documents(text, options);
}

Result<Value> read_one_yaml(std::string_view text, const YamlOptions& options) {
  ASSIGN_OR_RETURN(std::vector<Value> documents, read_yaml(text, options));
  if (documents.size() == 1) return std::move(documents[0]);
  return failure(Code::BadRequest,
                 fmt::format("expected one document, found {}", documents.size()));
}

}  // namespace berth::json
