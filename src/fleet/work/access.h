// The questions and refusals about the rights of executors.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "fleet/work/manifest_work.h"
#include "fleet/work/resource_meta.h"
#include "json/value.h"

namespace berth::fleet {

// How soon a refused executor is asked for again.
inline constexpr Duration kRefusedRetry = std::chrono::seconds(60);

// Whoever may not delete an object later must not own it now.
enum class Ownership : std::uint8_t { None, Ours };
std::vector<std::string> needed_verbs(Ownership ownership);

// A SubjectAccessReview.
json::Value access_review(const Executor::ServiceAccount& account, const ResourceMeta& meta,
                          std::string_view verb);

// Roles and bindings give rights away, which takes more than the right to write them.
bool may_escalate(const ResourceMeta& meta);

Error refusal(const ResourceMeta& meta);
Error escalation_refusal(const ResourceMeta& meta);

}  // namespace berth::fleet
