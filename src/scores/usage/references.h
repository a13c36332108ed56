// Whether a Placement asks for the scores of an AddOnPlacementScore.

#pragma once

#include <string_view>

#include "json/value.h"

namespace berth::scores {

// By a prioritizer of type AddOn, or in an expression that names it.
bool refers_to_scores(const json::Value& placement, std::string_view score_object);

}  // namespace berth::scores
