#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/apply/fields_v1.h"
#include "apiserver/apply/managed_fields.h"
#include "base/check.h"
#include "json/parse.h"

namespace apiserver = berth::apiserver;
namespace json = berth::json;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto value = json::parse({reinterpret_cast<const char*>(data), size});
  if (!value.ok()) return 0;
  if (const auto set = apiserver::decode_fields(*value); set.ok()) {
    const auto again = apiserver::decode_fields(apiserver::encode_fields(*set));
    CHECK(again.ok() && *again == *set);
    CHECK(subtract(*set, *set).is_empty());
    CHECK(intersect(*set, *set) == *set);
    CHECK(unite(*set, *set) == *set);
    apiserver::FieldSet inserted;
    for (const auto& path : paths_of(*set)) inserted.insert(path);
    CHECK(inserted == *set);
  }
  if (auto fields = apiserver::decode_managed_fields(&*value); fields.ok()) {
    const json::Value encoded = apiserver::encode_managed_fields(*std::move(fields));
    const auto again = apiserver::decode_managed_fields(&encoded);
    CHECK(again.ok() && apiserver::encode_managed_fields(*again) == encoded);
  }
  return 0;
}
