// Everything on a hub that decisions depend on, as it was read once: for explaining and for trying
// out what a controller would do.

#pragma once

#include <string_view>
#include <vector>

#include "base/time.h"
#include "hosting/situation.h"
#include "json/value.h"

namespace berth::hosting {

struct HubPicture {
  std::vector<json::Value> requests = {};
  std::vector<json::Value> ledgers = {};
  std::vector<json::Value> clusters = {};
  std::vector<json::Value> scores = {};
  std::vector<json::Value> add_ons = {};
  std::vector<json::Value> configs = {};
  std::vector<json::Value> decisions = {};
};

// As a controller would have it that has just read all of this. The request of that uid has no
// claims in it: so it is asked as if it came now.
Situation situation_of(const HubPicture& picture, std::string_view without_claims_of, Time now);

}  // namespace berth::hosting
