// The one interface a new way of ranking clusters has to implement.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "placement/fleet/cluster_bits.h"
#include "placement/waking/reads.h"

namespace berth::placement {

struct Request;

inline constexpr std::int32_t kScoreMin = -100;
inline constexpr std::int32_t kScoreNeutral = 0;
inline constexpr std::int32_t kScoreMax = 100;

// What is to be said about a score besides its number.
enum class Note : std::uint8_t {
  None,
  NoData,     // Nothing to judge the cluster by.
  NoReport,   // The cluster publishes no such object.
  NoScore,    // The object has no score of that name.
  IsExpired,  // The object's validUntil has passed.
};

std::string_view note_text(Note note);  // "" for None.

// The agent that should have published the score is silent.
inline bool is_silence(Note note) {
  return note == Note::NoReport || note == Note::NoScore || note == Note::IsExpired;
}

struct Score {
  std::int32_t points = kScoreNeutral;
  Note note = Note::None;

  bool operator==(const Score&) const = default;
};

struct Ranking {
  std::vector<Score> scores;                          // scores[i] belongs to candidates[i].
  std::optional<Time> valid_until = std::nullopt;     // When time alone may change the answer.
  std::optional<std::string> warning = std::nullopt;  // For the event about changed decisions.
};

// For so many candidates, all neutral: a prioritizer fills in what it knows.
inline Ranking unranked(std::size_t candidates) {
  return {.scores = std::vector<Score>(candidates)};
}

// Pure: the answer depends on the arguments only. Implementations hold configuration, never state.
class Prioritizer {
 public:
  virtual ~Prioritizer() = default;

  // The spelling that users know: "Balance", "AddOn/<resource>/<score>".
  virtual std::string_view name() const = 0;

  // What wakes a placement that uses it.
  virtual Reads reads() const = 0;

  virtual Ranking rank(const Request& request, std::span<const ClusterIndex> candidates) const = 0;

  // What the author of a placement should know who gives it this weight.
  virtual std::optional<std::string> remark(std::int32_t /*weight*/) const { return std::nullopt; }
};

}  // namespace berth::placement
