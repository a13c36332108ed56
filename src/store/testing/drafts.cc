#include "store/testing/drafts.h"

#include <fmt/core.h>

#include "base/check.h"

namespace berth::store::testing {

Draft draft_of(std::string_view name, std::string_view value) {
  Draft draft = {.text = fmt::format(R"({{"metadata":{{"name":"{}","resourceVersion":")", name)};
  draft.version_at = static_cast<std::uint32_t>(draft.text.size());
  draft.text += fmt::format(R"("}},"value":"{}"}})", value);
  return draft;
}

std::string value_of(const Entry& entry) {
  constexpr std::string_view kBefore = R"("value":")";
  const std::size_t at = entry.text.find(kBefore);
  CHECK(at != std::string::npos);
  const std::size_t begin = at + kBefore.size();
  return entry.text.substr(begin, entry.text.size() - 2 - begin);
}

}  // namespace berth::store::testing
