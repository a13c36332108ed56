// What to read of a protobuf message, and what to leave out: a kind's messages cut down to what a
// projection keeps. What is left out is skipped by its length, so it costs next to nothing.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/projection.h"
#include "client/protobuf/messages.h"

namespace berth::client::protobuf {

struct FieldPlan {
  FieldSchema schema;
  Projection::Share share = Projection::Share::Whole;
  std::size_t message = 0;              // Of a Message: its place in the plan.
  std::vector<std::string> names = {};  // Of a Map that is kept in part: those it speaks of.
  bool names_are_kept = true;           // They stay and all others go, or the other way round.
};

struct MessagePlan {
  std::string_view name = {};
  std::vector<FieldPlan> fields = {};  // By number.

  // Everything that the plan does not speak of has to be kept, so a field that is not in it is one
  // that we do not understand.
  bool keeps_unnamed = true;

  const FieldPlan* find(std::uint32_t number) const;
};

class DecodingPlan {
 public:
  // Null when the resource's messages are not known here, or do not have what the projection names.
  static std::shared_ptr<const DecodingPlan> of(const Gvr& resource, const Projection& projection);

  static std::shared_ptr<const DecodingPlan> of_message(std::string_view message,
                                                        const Projection& projection);

  // All of one message that fields_of() knows.
  static std::shared_ptr<const DecodingPlan> of_whole(std::string_view message);

  const MessagePlan& root() const { return messages_.back(); }
  const MessagePlan& operator[](std::size_t message) const { return messages_[message]; }

 private:
  class Builder;
  std::vector<MessagePlan> messages_;  // The parts before the whole; the root is last.
};

}  // namespace berth::client::protobuf
