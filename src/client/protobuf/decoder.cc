#include "client/protobuf/decoder.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "client/protobuf/leaf.h"
#include "json/equal_names.h"

namespace berth::client::protobuf {
namespace {

using Share = Projection::Share;
using api::protobuf::Envelope;

Error bad(std::string problem) {
  return {.code = Code::NotAcceptable, .message = std::move(problem)};
}

Error not_protobuf(std::string_view what) {
  return bad(fmt::format("{} is not in the wire format of protobuf", what));
}

// What we cannot read is what we should not have asked for.
Result<Envelope> open(std::string_view bytes) {
  auto envelope = api::protobuf::open_envelope(bytes);
  if (!envelope.ok()) envelope.error().code = Code::NotAcceptable;
  return envelope;
}

// Names that come in order, as Go writes them, are all different.
bool ascends(std::span<const json::Member> members) {
  return std::ranges::is_sorted(members, std::ranges::less_equal(), &json::Member::name);
}

bool keeps(const FieldPlan& plan, std::string_view name) {
  if (plan.share != Share::Part) return true;
  const bool named = std::ranges::find(plan.names, name) != plan.names.end();
  return named == plan.names_are_kept;
}

}  // namespace

Decoder::Decoder(std::shared_ptr<const DecodingPlan> plan) : plan_(std::move(plan)) {}

Result<json::Value> Decoder::decode(std::string_view bytes) {
  ASSIGN_OR_RETURN(const Envelope envelope, open(bytes));
  const MessagePlan& root = plan_->root();
  if (envelope.kind != root.name) {
    return failure(bad(fmt::format("expected an object of kind {}, found {}", root.name,
                                   quote(cut_utf8(envelope.kind, 63)))));
  }
  members_.clear();
  elements_.clear();
  members_.push_back({.key = "kind", .value = envelope.kind});
  members_.push_back({.key = "apiVersion", .value = envelope.api_version});
  RETURN_IF_ERROR(read_message(root, envelope.message));
  return json::Value::take_object(members_);
}

Status Decoder::read_message(const MessagePlan& plan, std::string_view bytes) {
  std::uint64_t met = 0;
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    const FieldPlan* known = plan.find(field->number);
    if (!known && plan.keeps_unnamed) {
      return failure(Code::NotAcceptable,
                     fmt::format("{} has a field {} that this program does not know", plan.name,
                                 field->number));
    }
    if (!known || known->share == Share::Nothing) continue;
    const std::uint64_t bit = std::uint64_t{1} << (known - plan.fields.data());
    if (met & bit) {
      return failure(bad(fmt::format("field {} of {} comes twice", field->number, plan.name)));
    }
    met |= bit;
    RETURN_IF_ERROR(read_field(*known, *field, reader));
  }
  if (reader.failed()) return failure(not_protobuf(plan.name));
  return {};
}

Status Decoder::read_field(const FieldPlan& plan, const WireField& field, WireReader& reader) {
  if (plan.schema.shape == Shape::List) return read_list(plan, field, reader);
  if (plan.schema.shape == Shape::Map) return read_map(plan, field, reader);
  if (plan.schema.shape == Shape::Embedded) {
    return read_message((*plan_)[plan.message], field.bytes);
  }
  if (is_left_out(plan.schema, field)) return {};
  ASSIGN_OR_RETURN(json::Value value, read_value(plan, field));
  if (!value.is_null()) members_.push_back({.key = plan.schema.name, .value = std::move(value)});
  return {};
}

Result<json::Value> Decoder::read_value(const FieldPlan& plan, const WireField& field) {
  if (plan.schema.type != FieldType::Message) return leaf_value(plan.schema, field);
  if (field.type != WireType::Bytes) return failure(not_protobuf(plan.schema.message));
  const std::size_t start = members_.size();
  RETURN_IF_ERROR(read_message((*plan_)[plan.message], field.bytes));
  json::Value object = json::Value::take_object(std::span(members_).subspan(start));
  members_.resize(start);
  return object;
}

// Go writes all elements in a row.
Status Decoder::read_list(const FieldPlan& plan, WireField field, WireReader& reader) {
  const std::size_t start = elements_.size();
  for (;;) {
    ASSIGN_OR_RETURN(json::Value element, read_value(plan, field));
    elements_.push_back(std::move(element));
    if (!reader.next_is(field.number)) break;
    const auto next = reader.next();
    if (!next) return failure(not_protobuf(plan.schema.name));
    field = *next;
  }
  json::Value list = json::Value::take_array(std::span(elements_).subspan(start));
  elements_.resize(start);
  members_.push_back({.key = plan.schema.name, .value = std::move(list)});
  return {};
}

Status Decoder::read_map(const FieldPlan& plan, WireField field, WireReader& reader) {
  const std::size_t start = members_.size();
  for (;;) {
    RETURN_IF_ERROR(read_entry(plan, field.bytes));
    if (!reader.next_is(field.number)) break;
    const auto next = reader.next();
    if (!next) return failure(not_protobuf(plan.schema.name));
    field = *next;
  }
  std::span<json::Member> entries = std::span(members_).subspan(start);
  if (!ascends(entries)) entries = entries.first(json::merge_equal_names(entries).count);
  json::Value map = json::Value::take_object(entries);
  members_.resize(start);
  members_.push_back({.key = plan.schema.name, .value = std::move(map)});
  return {};
}

// A message with the name as field 1 and the value as field 2; either is left out when empty.
Status Decoder::read_entry(const FieldPlan& plan, std::string_view bytes) {
  std::string_view name;
  WireField value{.type = WireType::Bytes};
  if (plan.schema.type == FieldType::Integer || plan.schema.type == FieldType::Boolean) {
    value.type = WireType::Varint;
  }
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    if (field->number == 1) name = field->bytes;
    if (field->number == 2) value = *field;
  }
  if (reader.failed()) return failure(not_protobuf(plan.schema.name));
  if (!is_valid_utf8(name)) return failure(bad("a name is not UTF-8"));
  if (!keeps(plan, name)) return {};
  ASSIGN_OR_RETURN(json::Value read, read_value(plan, value));
  members_.push_back({.key = name, .value = std::move(read)});
  return {};
}

Result<json::Value> decode_status(std::string_view envelope) {
  return Decoder(DecodingPlan::of_whole("Status")).decode(envelope);
}

}  // namespace berth::client::protobuf
