// The first line is one document, the second another.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "json/merge_patch.h"
#include "json/parse.h"

using berth::json::Member;
using berth::json::Value;

namespace {

// No merge patch can make a null.
Value without_nulls(const Value& value) {
  if (!value.is_object()) return value;
  std::vector<Member> kept;
  for (const Member& member : value.members()) {
    if (!member.value.is_null()) kept.push_back({member.key, without_nulls(member.value)});
  }
  return Value::take_object(kept);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t middle = text.find('\n');
  if (middle == std::string_view::npos) return 0;
  const auto from = berth::json::parse(text.substr(0, middle));
  const auto other = berth::json::parse(text.substr(middle + 1));
  if (!from.ok() || !other.ok()) return 0;

  const Value to = without_nulls(*other);
  CHECK(apply_merge_patch(*from, create_merge_patch(*from, to)) == to);
  const Value once = apply_merge_patch(*from, *other);
  CHECK(apply_merge_patch(once, *other) == once);
  return 0;
}
