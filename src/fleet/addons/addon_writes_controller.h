// Many changes at a time, and one answer when all of them are through.

#pragma once

#include <functional>
#include <vector>

#include "control/committer_service.h"

namespace berth::fleet {

// `done` runs once, with the first error if there was one. Unlike those submitted together, these
// do not wait for each other.
void submit_each(control::Committer& committer, std::vector<control::Change> changes,
                 std::function<void(const Status&)> done);

// Whether the server has looked at a write and refuses it; all else is everyday life: others write
// too, networks fail.
bool is_refusal(const Error& error);

}  // namespace berth::fleet
