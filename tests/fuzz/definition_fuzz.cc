// A CustomResourceDefinition that somebody sent.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/custom/custom_resources.h"
#include "apiserver/custom/definition_status.h"
#include "apiserver/custom/definition_validation.h"
#include "base/check.h"
#include "json/parse.h"

namespace server = berth::apiserver;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto object =
      berth::json::parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!object.ok()) return 0;
  const auto filled = server::with_definition_defaults(*object);
  CHECK(server::with_definition_defaults(filled) == filled);
  const bool is_sound = server::validate_definition(filled, nullptr).empty();
  server::validate_definition(filled, &filled);
  const auto now = berth::Time::from_unix(0, 0);
  const auto settled = server::with_definition_status(filled, {}, now);
  CHECK(server::with_definition_status(settled, {}, now) == settled);
  const auto resources = server::custom_resources(server::read_definition(settled), nullptr);
  for (const auto& resource : resources) CHECK(resource->schema != nullptr);
  if (is_sound) CHECK(server::read_definition(settled).is_established);
  return 0;
}
