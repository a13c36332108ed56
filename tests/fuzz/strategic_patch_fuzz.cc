// The first line is the document, the second the patch. The type is made up: each name says by its
// first letter how its field is patched, and all objects are of that type.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "json/depth.h"
#include "json/parse.h"
#include "json/strategic_patch.h"

using berth::json::Member;
using berth::json::PatchField;
using berth::json::PatchStrategy;
using berth::json::Value;

namespace {

class MadeUpType final : public berth::json::PatchSchema {
 public:
  std::optional<PatchField> field(std::string_view name) const override {
    switch (name.empty() ? ' ' : name[0]) {
      case 'm':
        return PatchField{.strategy = PatchStrategy::Merge, .merge_key = "k", .type = this};
      case 's':
        return PatchField{.strategy = PatchStrategy::Merge};
      case 'r':
        return PatchField{.strategy = PatchStrategy::Replace, .type = this};
      case 'u':
        return std::nullopt;
      default:
        return PatchField{.type = this};
    }
  }
  std::string_view name() const override { return "MadeUp"; }
};

// Whether a directive is in it.
bool directed(const Value& value) {
  const auto in_member = [](const Member& member) {
    const std::string_view name = member.name();
    return name == "$patch" || name == "$retainKeys" || name.starts_with("$setElementOrder") ||
           name.starts_with("$deleteFromPrimitiveList") || directed(member.value);
  };
  return std::ranges::any_of(value.elements(), directed) ||
         std::ranges::any_of(value.members(), in_member);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t middle = text.find('\n');
  if (middle == std::string_view::npos) return 0;
  const auto document = berth::json::parse(text.substr(0, middle));
  const auto patch = berth::json::parse(text.substr(middle + 1));
  if (!document.ok() || !patch.ok()) return 0;

  const auto result = apply_strategic_patch(*document, *patch, MadeUpType());
  if (!result.ok()) {
    CHECK(!result.error().message.empty());
    return 0;
  }
  CHECK(depth_of(*result) <= std::max(depth_of(*document), depth_of(*patch)));
  if (!directed(*document)) CHECK(!directed(*result));
  CHECK(apply_strategic_patch(*result, Value::object(), MadeUpType()).value() == *result);
  return 0;
}
