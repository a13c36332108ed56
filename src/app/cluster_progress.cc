// Tested by tests/kube/join_command_test.cc.
#include "app/cluster_progress.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"
#include "fleet/registration/names.h"
#include "fleet/registration/resources.h"

namespace berth::app {
namespace {

using json::Value;

constexpr std::size_t kNamesMax = 5;
constexpr const char* kControllers =
    "\"berth controllers\" has to run there with \"registration\", and its log says what it lacks";

const Value* condition_of(const Value& object, std::string_view type) {
  return api::find_condition(api::field(api::field(object, "status"), "conditions"), type);
}

std::string name_of(const Value& object) { return std::string(api::Metadata(object).name()); }

bool awaits_signature(const Value& request) {
  return api::is_condition_true(request, "Approved") &&
         api::text_field(api::field(request, "status"), "certificate").empty();
}

// Approved, but nobody has made the certificate.
std::string unsigned_request(Calls& hub, const std::string& cluster) {
  const auto requests = hub.list({.resource = fleet::certificate_requests()},
                                 fmt::format("{}={}", fleet::kClusterNameLabel, cluster));
  if (!requests.ok()) return "";
  const auto found = std::ranges::find_if(*requests, awaits_signature);
  return found == requests->end() ? "" : name_of(*found);
}

// "manifestworks a, b"; empty if there are none, or nobody may know.
std::string remainder(Calls& hub, const api::Gvr& resource, const std::string& cluster) {
  const auto objects = hub.list({.resource = resource, .ns = cluster});
  if (!objects.ok() || objects->empty()) return "";
  std::vector<std::string> names;
  for (const Value& object : *objects) names.push_back(name_of(object));
  std::ranges::sort(names);
  if (names.size() > kNamesMax) {
    const std::size_t more = names.size() - kNamesMax;
    names.resize(kNamesMax);
    names.push_back(fmt::format("{} more", more));
  }
  return resource.resource + " " + join(names, ", ");
}

}  // namespace

std::string progress_of_joining(Calls& hub, const Value& cluster) {
  if (!api::is_condition_true(cluster, fleet::kAccepted)) {
    const Value* accepted = condition_of(cluster, fleet::kAccepted);
    const bool is_refusal =
        accepted && api::text_field(*accepted, "reason") != "HubClusterAdminDenied";
    if (is_refusal) return "the hub cannot accept it: " + api::text_field(*accepted, "message");
    return fmt::format("waiting for the hub's controllers to accept it: {}", kControllers);
  }
  if (!api::is_condition_true(cluster, fleet::kJoined)) {
    const std::string request = unsigned_request(hub, name_of(cluster));
    if (!request.empty()) {
      return fmt::format("waiting for the hub to sign certificatesigningrequest {}", request);
    }
    return "waiting for its agent (berth agent)";
  }
  return api::is_condition_true(cluster, fleet::kAvailable)
             ? kAvailableNow
             : "waiting for its agent to find it available";
}

std::string progress_of_leaving(Calls& hub, const Value& cluster) {
  const std::string name = name_of(cluster);
  std::vector<std::string> left;
  for (const api::Gvr& resource : {fleet::managed_cluster_addons(), fleet::manifest_works()}) {
    if (std::string text = remainder(hub, resource, name); !text.empty()) {
      left.push_back(std::move(text));
    }
  }
  if (!left.empty()) {
    left.back() += " (whose agent has to take back what they brought)";
  }
  std::vector<std::string> finalizers;
  for (const std::string_view finalizer : api::Metadata(cluster).finalizers()) {
    finalizers.emplace_back(finalizer);
  }
  if (!finalizers.empty()) left.push_back("its finalizers " + join(finalizers, ", "));
  const Value* deleting = condition_of(cluster, fleet::kDeleting);
  std::string what = deleting
                         ? api::text_field(*deleting, "message")
                         : fmt::format("no controller of the hub removes it: {}", kControllers);
  if (!left.empty()) what += "; still there: " + join(left, "; ");
  return what;
}

}  // namespace berth::app
