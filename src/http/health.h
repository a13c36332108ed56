// What /healthz, /livez and /readyz answer, as Kubernetes' servers print it.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::http {

struct HealthCheck {
  std::string name;
  std::function<Status()> run;  // Quick: it is called for every probe.
};

struct HealthAnswer {
  int status = 200;
  std::string text = {};

  bool operator==(const HealthAnswer&) const = default;
};

// All checks of an endpoint such as "readyz". `query` is what follows the '?': `verbose` shows each
// check, `exclude=NAME` (any number of them) leaves one out. A failed check is named, but its
// reason may be nothing for everybody's eyes.
HealthAnswer check_health(std::string_view endpoint, const std::vector<HealthCheck>& checks,
                          std::string_view query);

// One check by itself, with the reason of its failure.
HealthAnswer check_health_of(const HealthCheck& check);

}  // namespace berth::http
