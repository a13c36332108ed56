// How an endpoint is to be reached and who we are to it, gathered from Secrets and ConfigMaps.

#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "json/value.h"
#include "scores/sources/score_source.h"

namespace berth::scores {

// Holds secrets: never to be logged.
struct EndpointAccess {
  std::string token = {};            // Empty: none is sent.
  std::string authorities_pem = {};  // Empty: the authorities of the system.
  std::string certificates_pem = {};
  std::string key_pem = {};

  bool operator==(const EndpointAccess&) const = default;
};

// The object of that kind and name in the namespace of the source, with the label that lets sources
// read it; null: there is none.
using FindMaterial =
    std::function<const json::Value*(MaterialRef::Kind kind, const std::string& name)>;

// Fails with what is missing where, and what to do about it; never with what is there.
Result<EndpointAccess> read_access(const Endpoint& endpoint, const FindMaterial& find);

}  // namespace berth::scores
