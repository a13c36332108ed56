// Protobuf to JSON, for objects as an API server sends them. The Value is the one that the server's
// JSON would have given, save for members that are null there and absent here.
//
// Nothing is lost silently: a field that we do not know inside of something that is to be kept
// whole is an error, like everything else that cannot be read. The code is always NotAcceptable;
// what to do about it is to ask for JSON instead.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/protobuf/envelope.h"
#include "api/protobuf/wire.h"
#include "base/result.h"
#include "client/protobuf/plan.h"
#include "json/value.h"

namespace berth::client::protobuf {

using api::protobuf::kContentType;
using api::protobuf::WireField;
using api::protobuf::WireReader;

// Keeps its working memory from one object to the next.
class Decoder {
 public:
  explicit Decoder(std::shared_ptr<const DecodingPlan> plan);

  // An object in Kubernetes' envelope. Its kind has to be the plan's.
  Result<json::Value> decode(std::string_view envelope);

 private:
  // Each puts what it reads at the end of members_ or elements_.
  Status read_message(const MessagePlan& plan, std::string_view bytes);
  Status read_field(const FieldPlan& plan, const WireField& field, WireReader& reader);
  Status read_list(const FieldPlan& plan, WireField field, WireReader& reader);
  Status read_map(const FieldPlan& plan, WireField field, WireReader& reader);
  Status read_entry(const FieldPlan& plan, std::string_view bytes);

  Result<json::Value> read_value(const FieldPlan& plan, const WireField& field);

  std::shared_ptr<const DecodingPlan> plan_;
  // Of all messages and lists that are open, one after the other, until they end and become a Value
  // of just the right size.
  std::vector<json::Member> members_ = {};
  std::vector<json::Value> elements_ = {};
};

// The Status in the body of an answer; fails on everything else.
Result<json::Value> decode_status(std::string_view envelope);

}  // namespace berth::client::protobuf
