#include "store/entry.h"

#include <fmt/core.h>

#include "base/check.h"

namespace berth::store {

Entry completed(const Draft& draft, Revision revision) {
  CHECK(draft.version_at <= draft.text.size());
  const std::string digits = fmt::format("{}", revision);
  Entry entry = {.text = {}, .version_at = draft.version_at, .revision = revision};
  entry.text.reserve(draft.text.size() + digits.size());
  entry.text.append(draft.text, 0, draft.version_at).append(digits);
  entry.text.append(draft.text, draft.version_at);
  return entry;
}

std::string text_at(const Entry& entry, Revision revision) {
  const std::size_t end = entry.text.find('"', entry.version_at);
  CHECK(end != std::string::npos);
  const std::string digits = fmt::format("{}", revision);
  std::string text;
  text.reserve(entry.text.size() + digits.size());
  text.append(entry.text, 0, entry.version_at).append(digits);
  return text.append(entry.text, end);
}

}  // namespace berth::store
