// Which form of an answer the client accepts, and which form of a body it sent.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "apiserver/refusal.h"

namespace berth::apiserver {

enum class AnswerForm : std::uint8_t {
  Json,
  Table,            // as=Table: what `kubectl get` prints.
  PartialMetadata,  // as=PartialObjectMetadata or ...List.
  Discovery,        // as=APIGroupDiscoveryList, version v2.
};

// The first form that we can give, in the order of the header; nothing or */* is JSON. A form that
// the request cannot have (`allowed` says which there are beside Json) is passed over.
struct AllowedForms {
  bool table = false;
  bool partial_metadata = false;
  bool discovery = false;
};
Attempt<AnswerForm> negotiate(std::optional<std::string_view> accept, AllowedForms allowed);

enum class BodyForm : std::uint8_t { Json, Yaml, Protobuf };

// Of a body that is an object or options. Absent means JSON.
Attempt<BodyForm> body_form(std::optional<std::string_view> content_type);

enum class PatchForm : std::uint8_t { Json, Merge, Strategic, Apply };
enum class StrategicPatches : std::uint8_t { Allowed, Unknown };
Attempt<PatchForm> patch_form(std::optional<std::string_view> content_type,
                              StrategicPatches strategic);

}  // namespace berth::apiserver
