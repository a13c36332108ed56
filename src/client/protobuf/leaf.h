// The values that are no messages of their own: numbers, texts, and the types to which Kubernetes
// gives a JSON form of its own.

#pragma once

#include "api/protobuf/wire.h"
#include "base/result.h"
#include "client/protobuf/messages.h"
#include "json/value.h"

namespace berth::client::protobuf {

using api::protobuf::WireField;
using api::protobuf::WireReader;
using api::protobuf::WireType;

// Null for a time that is none. Not for messages.
Result<json::Value> leaf_value(const FieldSchema& schema, const WireField& field);

// Whether JSON leaves the field out because there is nothing in it.
bool is_left_out(const FieldSchema& schema, const WireField& field);

}  // namespace berth::client::protobuf
