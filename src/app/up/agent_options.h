// The options of the score agents in the add-on's configuration, as lines of NAME=VALUE.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "local/scenario.h"

namespace berth::app {

// The add-on's text with these options; one of the shipped ones stays unless it is among them.
std::string with_agent_options(std::string text, const std::vector<std::string>& options);

// Unless there is one of that name already.
void add_agent_option(std::vector<std::string>& options, std::string option);

// What cannot be told in such a line.
Status check_agent_option(const std::string& option);

// The AddOnPlacementScore that agents with these options publish.
std::string published_score(const std::vector<std::string>& options);

// The shipped ones say a pace for real fleets. A scenario may say its own; without one, somebody
// looks on who does not want to wait.
std::vector<std::string> pace_of(const local::Scenario* scenario);

}  // namespace berth::app
