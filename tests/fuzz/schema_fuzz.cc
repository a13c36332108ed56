// The first line is an openAPIV3Schema, the second an object. Whatever the schema is, it must be
// checked, read and held against the object, in bounded time and always with the same outcome.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/schema/default_check.h"
#include "apiserver/schema/defaulting.h"
#include "apiserver/schema/object_validation.h"
#include "apiserver/schema/openapi_check.h"
#include "apiserver/schema/prune.h"
#include "apiserver/schema/structural.h"
#include "apiserver/schema/structural_check.h"
#include "apiserver/schema/validate.h"
#include "base/check.h"
#include "json/parse.h"

namespace server = berth::apiserver;
using berth::json::Value;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t middle = text.find('\n');
  const auto schema = berth::json::parse(text.substr(0, middle));
  if (!schema.ok()) return 0;
  const bool is_sound =
      server::check_structural(*schema, "s").empty() && server::check_openapi(*schema, "s").empty();
  server::SchemaSet nodes;
  const server::Schema& root = *server::build_structural(nodes, *schema).root;
  server::check_defaults(root, "s");
  if (middle == std::string_view::npos) return 0;
  const auto object = berth::json::parse(text.substr(middle + 1));
  if (!object.ok()) return 0;

  const server::Pruned pruned = server::prune(root, *object);
  CHECK(server::prune(root, pruned.value).value == pruned.value);
  const Value filled = server::with_defaults(root, pruned.value);
  const auto causes = server::validate_object(root, filled);
  CHECK(server::validate_object(root, filled) == causes);
  CHECK(server::validate_values(root, filled, {.old = &filled}).empty() || !is_sound);
  server::validate_object(root, filled, {.old = &*object, .part = server::ObjectPart::Status});
  return 0;
}
