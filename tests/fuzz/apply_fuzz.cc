// Two documents, separated by a line break: an object and what is applied to it. Whatever they are,
// an apply that works twice changes nothing the second time.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/apply/field_manager.h"
#include "apiserver/apply/testing/thing_schema.h"
#include "base/check.h"
#include "json/parse.h"

namespace apiserver = berth::apiserver;
namespace json = berth::json;
using berth::Time;

namespace {

apiserver::ApplyOptions options_at(std::int64_t seconds) {
  return {.manager = "fuzzer",
          .api_version = "ex.io/v1",
          .kind = "Thing",
          .force = true,
          .now = Time::from_unix(seconds)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const apiserver::testing::ThingType thing;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find('\n');
  if (cut == std::string_view::npos) return 0;
  const auto live = json::parse(text.substr(0, cut), {.depth_max = 64});
  const auto applied = json::parse(text.substr(cut + 1), {.depth_max = 64});
  if (!live.ok() || !applied.ok() || !live->is_object() || !applied->is_object()) return 0;
  for (const auto* document : {&*live, &*applied}) {
    const json::Value* metadata = document->find("metadata");
    if (metadata && !metadata->is_object()) return 0;
  }
  const json::Value updated = apiserver::update(
      &*live, *applied, *thing.schema.root,
      {.manager = "updater", .api_version = "ex.io/v1", .now = Time::from_unix(1)});
  CHECK(updated.is_object());
  const auto once = apiserver::apply(&*live, *applied, *thing.schema.root, options_at(1));
  if (!once.ok()) return 0;
  const auto twice = apiserver::apply(&*once, *applied, *thing.schema.root, options_at(2));
  CHECK(!twice.ok() || *twice == *once);
  return 0;
}
