#include "fleet/registration/names.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "api/names.h"
#include "base/strings.h"

namespace berth::fleet {
namespace {

constexpr std::string_view kUserPrefix = "system:open-cluster-management:";

// "managed-clusters" would make the group of all agents the group of one cluster; the roles of
// clusters called "registration" and "work" would be those that all clusters share.
constexpr std::string_view kReserved[] = {"default",
                                          "managed-clusters",
                                          "open-cluster-management",
                                          "open-cluster-management-hub",
                                          "registration",
                                          "work"};

bool is_reserved(std::string_view name) {
  return name.starts_with("kube-") || std::ranges::find(kReserved, name) != std::end(kReserved);
}

}  // namespace

std::string user_of(const AgentName& name) {
  return fmt::format("{}{}:{}", kUserPrefix, name.cluster, name.agent);
}

std::string group_of(std::string_view cluster) { return fmt::format("{}{}", kUserPrefix, cluster); }

std::optional<AgentName> agent_of(std::string_view user) {
  if (!user.starts_with(kUserPrefix)) return std::nullopt;
  const std::vector<std::string_view> parts = split(user.substr(kUserPrefix.size()), ':');
  if (parts.size() != 2 || parts[0].empty() || parts[1].empty()) return std::nullopt;
  return AgentName{.cluster = std::string(parts[0]), .agent = std::string(parts[1])};
}

Status check_cluster_name(std::string_view name) {
  const api::Problems problems = api::check_dns1123_label(name);
  if (!problems.empty()) {
    return failure(Code::Invalid, fmt::format("{} cannot be the name of a cluster: {}", quote(name),
                                              problems.front()));
  }
  if (is_reserved(name)) {
    return failure(Code::Invalid,
                   fmt::format("{} cannot be the name of a cluster: the hub uses it itself, and an "
                               "agent gets rights by the name of its cluster",
                               quote(name)));
  }
  return {};
}

Status check_agent_name(std::string_view name) {
  const api::Problems problems = api::check_dns1123_label(name);
  if (problems.empty()) return {};
  return failure(Code::Invalid, fmt::format("{} cannot be the name of an agent: {}", quote(name),
                                            problems.front()));
}

}  // namespace berth::fleet
