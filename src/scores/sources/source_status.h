// The status of a ScoreSource, for people, for `kubectl wait`, and for whoever looks why a score is
// missing.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "json/value.h"
#include "scores/sources/source_state.h"

namespace berth::scores {

inline constexpr std::string_view kAcceptedCondition = "Accepted";
inline constexpr std::string_view kReadyCondition = "Ready";

// Something outside of the source that keeps it from asking, or from knowing whom to ask about.
struct Obstacle {
  std::string reason = {};  // CamelCase: CredentialsMissing, PlacementNotDecided.
  std::string message = {};

  bool operator==(const Obstacle&) const = default;
};

struct SourceReport {
  std::int64_t generation = 0;
  std::optional<Error> refusal = std::nullopt;  // Why the spec cannot be used; absent: it can.
  std::optional<Obstacle> obstacle = std::nullopt;
  const SourceState* state = nullptr;  // Null only with a refusal.
  std::set<std::string> taken = {};    // Clusters whose score of that name is somebody else's.
};

// Whether nothing is known yet: no answer, and nothing that stands in the way of one. After a
// restart the status of the time before is worth more.
bool is_starting(const SourceReport& report);

// The status that follows, with what others keep in it. `before` is the old one.
json::Value source_status(const json::Value& before, const SourceReport& report, Time now);

// Whether something differs that people wait for: all but the times and counts that go with every
// answer.
bool differs_in_substance(const json::Value& before, const json::Value& after);

// A turn in the life of a source that deserves an event.
struct SourceNews {
  enum class Kind : std::uint8_t { Trouble, Recovery };

  Kind kind = Kind::Trouble;
  std::string reason = {};
  std::string message = {};
};

// Between two statuses: it got ready, stopped to be, or is so for another reason. That a reason is
// told in other words is none.
std::optional<SourceNews> news_of(const json::Value& before, const json::Value& after);

}  // namespace berth::scores
