#include "http/health.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "http/url.h"

namespace berth::http {
namespace {

struct Wishes {
  bool verbose = false;
  std::set<std::string> excluded = {};
};

Result<Wishes> read_wishes(std::string_view query) {
  Wishes wishes;
  ASSIGN_OR_RETURN(auto items, http::parse_query(query));
  for (auto& [name, value] : items) {
    if (name == "verbose") wishes.verbose = true;
    if (name == "exclude") wishes.excluded.insert(std::move(value));
  }
  return wishes;
}

std::string quoted(const std::set<std::string>& names) {
  std::vector<std::string> list;
  for (const std::string& name : names) list.push_back(quote(name));
  return join(list, ",");
}

}  // namespace

HealthAnswer check_health(std::string_view endpoint, const std::vector<HealthCheck>& checks,
                          std::string_view query) {
  auto wishes = read_wishes(query);
  if (!wishes.ok()) return {.status = 400, .text = wishes.error().message + "\n"};
  std::string lines;
  bool failed = false;
  for (const HealthCheck& check : checks) {
    if (wishes->excluded.erase(check.name) > 0) {
      lines += fmt::format("[+]{} excluded: ok\n", check.name);
    } else if (check.run().ok()) {
      lines += fmt::format("[+]{} ok\n", check.name);
    } else {
      lines += fmt::format("[-]{} failed: reason withheld\n", check.name);
      failed = true;
    }
  }
  if (!wishes->excluded.empty()) {
    lines += fmt::format("warn: some health checks cannot be excluded: no matches for {}\n",
                         quoted(wishes->excluded));
  }
  if (failed) return {.status = 500, .text = fmt::format("{}{} check failed\n", lines, endpoint)};
  if (!wishes->verbose) return {.text = "ok"};
  return {.text = fmt::format("{}{} check passed\n", lines, endpoint)};
}

HealthAnswer check_health_of(const HealthCheck& check) {
  const Status outcome = check.run();
  if (outcome.ok()) return {.text = "ok"};
  return {.status = 500,
          .text = fmt::format("internal server error: {}\n", outcome.error().message)};
}

}  // namespace berth::http
