// When a CronJob runs, as its schedule says: "0 */6 * * 1-5", "@daily", "@every 1h".

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth::apiserver {

// What is wrong with it, in the words of the library that Kubernetes reads schedules with; nothing
// when it is fine. A time zone in front of it (TZ=..., CRON_TZ=...) is not looked at.
std::optional<std::string> schedule_problem(std::string_view schedule);

}  // namespace berth::apiserver
