// berth explain hosted NAME: where a hosted cluster is, and what stands for and against every host.

#pragma once

#include <string>

#include "app/hub_flags.h"

namespace berth::app {

// Of the request in the namespace that the flags say; output: json, yaml, or a table.
int explain_hosted(const HubFlags& flags, const std::string& name, const std::string& output);

}  // namespace berth::app
