#include "client/protobuf/plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"

namespace berth::client::protobuf {
namespace {

using Place = Projection::Place;
using Share = Projection::Share;

// The decoder remembers in one word which fields it has met.
constexpr std::size_t kFieldsMax = 64;

constexpr std::string_view kElements = "[]";

}  // namespace

class DecodingPlan::Builder {
 public:
  // nullopt when a name of the projection is none of the message's.
  std::optional<std::size_t> part(std::string_view message, const Place& place);
  std::size_t whole(std::string_view message);
  static bool knows(std::string_view message, const Place& place);
  std::vector<MessagePlan> take() { return std::move(messages_); }

 private:
  static bool has(std::string_view message, std::string_view name);
  std::optional<FieldPlan> field(const FieldSchema& schema, const Place& place);
  std::optional<FieldPlan> field_in_part(const FieldSchema& schema, const Place& place);
  std::size_t add(MessagePlan plan);

  std::vector<MessagePlan> messages_ = {};
  std::map<std::string_view, std::size_t> whole_ = {};
};

std::size_t DecodingPlan::Builder::add(MessagePlan plan) {
  CHECK(!plan.fields.empty() && plan.fields.size() <= kFieldsMax);
  std::ranges::sort(plan.fields, {}, [](const FieldPlan& field) { return field.schema.number; });
  messages_.push_back(std::move(plan));
  return messages_.size() - 1;
}

std::size_t DecodingPlan::Builder::whole(std::string_view message) {
  if (const auto known = whole_.find(message); known != whole_.end()) return known->second;
  MessagePlan plan{.name = message};
  for (const FieldSchema& schema : fields_of(message)) {
    FieldPlan field{.schema = schema};
    if (schema.type == FieldType::Message) field.message = whole(schema.message);
    plan.fields.push_back(std::move(field));
  }
  const std::size_t index = add(std::move(plan));
  whole_[message] = index;
  return index;
}

// Whether the message has everything that is to be kept of it.
bool DecodingPlan::Builder::knows(std::string_view message, const Place& place) {
  return place.keeps_unnamed() || std::ranges::all_of(place.named(), [&](std::string_view name) {
           return has(message, name);
         });
}

bool DecodingPlan::Builder::has(std::string_view message, std::string_view name) {
  if (name == "apiVersion" || name == "kind") return true;  // In the envelope of every object.
  return std::ranges::any_of(fields_of(message), [&](const FieldSchema& field) {
    return field.shape == Shape::Embedded ? has(field.message, name) : field.name == name;
  });
}

std::optional<std::size_t> DecodingPlan::Builder::part(std::string_view message,
                                                       const Place& place) {
  MessagePlan plan{.name = message, .keeps_unnamed = place.keeps_unnamed()};
  for (const FieldSchema& schema : fields_of(message)) {
    auto made = field(schema, place);
    if (!made) return std::nullopt;
    plan.fields.push_back(*std::move(made));
  }
  return add(std::move(plan));
}

std::optional<FieldPlan> DecodingPlan::Builder::field(const FieldSchema& schema,
                                                      const Place& place) {
  if (schema.shape == Shape::Embedded) {
    const auto message = part(schema.message, place);
    if (!message) return std::nullopt;
    return FieldPlan{.schema = schema, .message = *message};
  }
  const Share share = place.share_of(schema.name);
  if (share == Share::Part) return field_in_part(schema, place.inside(schema.name));
  FieldPlan field{.schema = schema, .share = share};
  const bool nested = share == Share::Whole && schema.type == FieldType::Message;
  if (nested) field.message = whole(schema.message);
  return field;
}

std::optional<FieldPlan> DecodingPlan::Builder::field_in_part(const FieldSchema& schema,
                                                              const Place& place) {
  FieldPlan field{.schema = schema, .share = Share::Part};
  if (schema.shape == Shape::Map) {
    for (const std::string_view name : place.named()) {
      if (place.share_of(name) == Share::Part) return std::nullopt;
      field.names.emplace_back(name);
    }
    field.names_are_kept = !place.keeps_unnamed();
    return field;
  }
  if (schema.type != FieldType::Message) return std::nullopt;
  const bool list = schema.shape == Shape::List;
  const bool through = list && place.share_of(kElements) == Share::Part;
  if (list && !through) return std::nullopt;
  const Place inner = list ? place.inside(kElements) : place;
  const auto message =
      knows(schema.message, inner) ? part(schema.message, inner) : std::optional<std::size_t>();
  if (!message) return std::nullopt;
  field.message = *message;
  return field;
}

const FieldPlan* MessagePlan::find(std::uint32_t number) const {
  const auto found = std::ranges::lower_bound(
      fields, number, {}, [](const FieldPlan& field) { return field.schema.number; });
  return found == fields.end() || found->schema.number != number ? nullptr : &*found;
}

std::shared_ptr<const DecodingPlan> DecodingPlan::of(const Gvr& resource,
                                                     const Projection& projection) {
  const std::string_view message = message_of(resource);
  return message.empty() ? nullptr : of_message(message, projection);
}

std::shared_ptr<const DecodingPlan> DecodingPlan::of_message(std::string_view message,
                                                             const Projection& projection) {
  Builder builder;
  const Place root = projection.root();
  if (!Builder::knows(message, root) || !builder.part(message, root)) return nullptr;
  auto plan = std::make_shared<DecodingPlan>();
  plan->messages_ = builder.take();
  return plan;
}

std::shared_ptr<const DecodingPlan> DecodingPlan::of_whole(std::string_view message) {
  Builder builder;
  builder.whole(message);
  auto plan = std::make_shared<DecodingPlan>();
  plan->messages_ = builder.take();
  return plan;
}

}  // namespace berth::client::protobuf
