// Protobuf to JSON, for the objects that clients send: typed Go clients prefer it for built-in
// kinds. The Value is the one that the same client's JSON would have given, in the order of its
// members, save for those that are null there and absent here.
//
// Memory stays within some thirty times the size of the bytes, so whoever bounds these bounds that.

#pragma once

#include <string_view>

#include "api/group_version.h"
#include "apiserver/protobuf/message_table.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

// An object in Kubernetes' envelope, which has to be of the expected kind (an envelope may leave
// its type out). Fields that the table does not know are skipped, as every reader of protobuf does.
// The code is BadRequest, or UnsupportedMediaType when the table does not know the kind.
Result<json::Value> decode_protobuf(const MessageTable& table, std::string_view bytes,
                                    const api::Gvk& expected);

}  // namespace berth::apiserver
