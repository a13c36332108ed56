// decide(): which host a request gets, or what stood against each of them. Pure: explaining,
// dry-running and simulating are this same call.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hosting/question.h"

namespace berth::hosting {

struct Decision {
  std::optional<HostIndex> host = std::nullopt;
  std::vector<std::uint32_t> refused = {};  // By filter: how many hosts it was the first to refuse.
};

Decision decide(const Question& question);

// "0 of 3 clusters can host it: 2 are at their maximum (raise ...); 1 is ...". For a request that
// got no host.
std::string refusal_text(const Question& question, const Decision& decision);

// The claim that the request takes on its host.
Claim make_claim(const HostedClusterRequest& request, Time now);

// Everything about one host, for people.
struct HostVerdict {
  std::string host = {};
  std::string filter = {};  // The first one that refused; empty: none did.
  std::string reason = {};
  std::string remedy = {};
  std::vector<std::int32_t> scores = {};  // By scorer, of a host that none refused.
  std::int32_t total = 0;
  bool is_chosen = false;
};

// Best first, then those that were refused, by name.
std::vector<HostVerdict> explain(const Question& question);

}  // namespace berth::hosting
