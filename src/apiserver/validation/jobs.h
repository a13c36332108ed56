// Jobs and CronJobs.

#pragma once

#include <vector>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

std::vector<Cause> validate_job(const json::Value& object, const json::Value* old);
std::vector<Cause> validate_cron_job(const json::Value& object, const json::Value* old);

// A new Job selects its pods by its own uid, unless it says that it knows better.
json::Value with_job_selector(json::Value job);

}  // namespace berth::apiserver
