// What all parts of a hub share and nobody changes while it runs.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apiserver/auth/authenticator.h"
#include "apiserver/auth/token_issuer.h"
#include "apiserver/kinds/builtin_kinds.h"
#include "apiserver/protobuf/message_table.h"

namespace berth::apiserver {

struct HubFacts {
  std::shared_ptr<const BuiltinKinds> kinds;
  std::shared_ptr<const MessageTable> messages;
  Authenticator authenticator;
  TokenIssuer token_issuer;
  std::string address = {};  // "host:port", for clients.
};

}  // namespace berth::apiserver
