#include "apiserver/validation/probes.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace berth::apiserver {
namespace {

void check_http(const Place& http, Complaints& complaints) {
  if (http["path"].text().empty()) complaints.required(http["path"]);
  complaints.check_port(http["port"]);
  if (const std::string_view scheme = http["scheme"].text();
      scheme != "HTTP" && scheme != "HTTPS") {
    complaints.not_supported(http["scheme"], {"HTTP", "HTTPS"});
  }
  const Place headers = http["httpHeaders"];
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const Place header = headers.at(i);
    const std::string_view name = header["name"].text();
    const bool is_plain = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '-';
    });
    if (is_plain) continue;
    complaints.invalid(headers, name,
                       "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. "
                       "'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')");
  }
}

void check_sleep(const Place& sleep, std::optional<std::int64_t> grace, Complaints& complaints) {
  const std::int64_t seconds = sleep["seconds"].number().value_or(0);
  if (!grace || (seconds >= 0 && seconds <= *grace)) return;
  complaints.invalid(
      sleep, seconds,
      fmt::format("must be non-negative and less than terminationGracePeriodSeconds ({})", *grace));
}

// Exactly one way to do it.
void check_handler(const Place& handler, std::optional<std::int64_t> grace,
                   Complaints& complaints) {
  bool has_one = false;
  for (const std::string_view way : {"exec", "httpGet", "tcpSocket", "grpc", "sleep"}) {
    const Place action = handler[way];
    if (!action.is_set()) continue;
    if (has_one) {
      complaints.forbidden(action, "may not specify more than 1 handler type");
      continue;
    }
    has_one = true;
    if (way == "exec") {
      if (action["command"].size() == 0) complaints.required(action["command"]);
    } else if (way == "httpGet") {
      check_http(action, complaints);
    } else if (way == "sleep") {
      check_sleep(action, grace, complaints);
    } else {
      complaints.check_port(action["port"]);
    }
  }
  if (!has_one) complaints.required(handler, "must specify a handler type");
}

enum class Asks : std::uint8_t { Liveness, Readiness };

void check_probe(const Place& probe, Asks what, std::optional<std::int64_t> grace,
                 Complaints& complaints) {
  if (!probe.is_set()) return;
  check_handler(probe, grace, complaints);
  for (const char* name : {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                           "successThreshold", "failureThreshold"}) {
    complaints.check_not_negative(probe[name]);
  }
  const Place own_grace = probe["terminationGracePeriodSeconds"];
  if (own_grace.is_set() && own_grace.number().value_or(0) <= 0) {
    complaints.invalid(own_grace, "must be greater than 0");
  }
  if (what == Asks::Readiness) {
    if (own_grace.is_set()) complaints.invalid(own_grace, "must not be set for readinessProbes");
  } else if (probe["successThreshold"].number().value_or(0) != 1) {
    complaints.invalid(probe["successThreshold"], "must be 1");
  }
}

}  // namespace

void check_probes(const Place& container, std::optional<std::int64_t> grace,
                  Complaints& complaints) {
  const Place lifecycle = container["lifecycle"];
  for (const char* name : {"postStart", "preStop"}) {
    if (lifecycle[name].is_set()) check_handler(lifecycle[name], grace, complaints);
  }
  check_probe(container["livenessProbe"], Asks::Liveness, grace, complaints);
  check_probe(container["readinessProbe"], Asks::Readiness, grace, complaints);
  check_probe(container["startupProbe"], Asks::Liveness, grace, complaints);
}

}  // namespace berth::apiserver
