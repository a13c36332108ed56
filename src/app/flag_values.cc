#include "app/flag_values.h"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "base/strings.h"

namespace berth::app {
namespace {

const std::vector<std::string> kControllers = {
    "addons", "clustersets", "hosting", "placement", "registration", "reservation", "scores"};

}  // namespace

std::string controller_names() { return join(kControllers, ", "); }

Result<env::Address> parse_address(std::string_view flag, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const auto port = colon == std::string::npos ? std::nullopt : parse_int64(text.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) {
    return failure(Code::BadRequest,
                   fmt::format("{}: \"{}\" is no address; say HOST:PORT", flag, text));
  }
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return env::Address{.host = host, .port = static_cast<std::uint16_t>(*port)};
}

Result<std::optional<env::Address>> parse_bind_address(std::string_view flag,
                                                       const std::string& text) {
  if (text == "0") return std::nullopt;
  auto address = parse_address(flag, text);
  if (!address.ok()) {
    return failure(Code::BadRequest, address.error().message + ", or 0 for none");
  }
  return *std::move(address);
}

Result<std::set<std::string>> parse_controllers(const std::vector<std::string>& names) {
  std::set<std::string> chosen;
  for (const std::string& name : names) {
    if (name == "*") {
      chosen.insert(kControllers.begin(), kControllers.end());
    } else if (std::ranges::find(kControllers, name) != kControllers.end()) {
      chosen.insert(name);
    } else {
      return failure(Code::BadRequest,
                     fmt::format("--controllers: there is no \"{}\"; there are {}", name,
                                 join(kControllers, ", ")));
    }
  }
  return chosen;
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

}  // namespace berth::app
