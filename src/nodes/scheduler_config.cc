#include "nodes/scheduler_config.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/strings.h"
#include "json/yaml_read.h"
#include "nodes/profile_config.h"

namespace berth::nodes {
namespace {

using json::Value;

constexpr std::string_view kGroup = "kubescheduler.config.k8s.io/";

// Go's notation as far as anybody writes it here: "15s", "1m30s", "500ms".
Result<Duration> read_duration(const Value& value, const std::string& path) {
  const std::string_view text = value.string_or_empty();
  std::string_view rest = text;
  Duration sum{};
  constexpr std::pair<std::string_view, std::int64_t> kUnits[] = {
      {"ms", 1'000'000}, {"h", 3'600'000'000'000}, {"m", 60'000'000'000}, {"s", 1'000'000'000}};
  while (!rest.empty()) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const auto unit = std::ranges::find_if(
        kUnits, [&rest](const auto& known) { return rest.starts_with(known.first); });
    const bool is_fine =
        error == std::errc() && number >= 0 && number < 1'000'000 && unit != std::end(kUnits);
    if (!is_fine) rest = {}, sum = Duration(-1);
    if (!is_fine) break;
    rest.remove_prefix(unit->first.size());
    sum += Duration(number * unit->second);
  }
  if (text.empty() || sum < Duration::zero()) {
    return failure(Code::Invalid,
                   fmt::format("{}: {} is no length of time such as \"15s\"", path, quote(text)));
  }
  return sum;
}

Status read_election(const Value& section, LeaderElectionConfig& election) {
  const std::string path = "leaderElection";
  RETURN_IF_ERROR(check_members(section, path,
                                {"leaderElect", "leaseDuration", "renewDeadline", "retryPeriod",
                                 "resourceLock", "resourceName", "resourceNamespace"}));
  election.leader_elect = api::field(section, "leaderElect").as_bool();
  const std::pair<std::string_view, std::optional<Duration> LeaderElectionConfig::*> lengths[] = {
      {"leaseDuration", &LeaderElectionConfig::lease_duration},
      {"renewDeadline", &LeaderElectionConfig::renew_deadline},
      {"retryPeriod", &LeaderElectionConfig::retry_period}};
  for (const auto& [name, member] : lengths) {
    const Value* value = section.find(name);
    if (!value) continue;
    ASSIGN_OR_RETURN(election.*member, read_duration(*value, fmt::format("{}.{}", path, name)));
  }
  const std::string_view lock = api::field(section, "resourceLock").string_or_empty();
  if (!lock.empty() && lock != "leases") {
    return failure(Code::Invalid, path + ".resourceLock: only leases are supported");
  }
  if (section.find("resourceName"))
    election.resource_name = api::text_field(section, "resourceName");
  if (section.find("resourceNamespace")) {
    election.resource_namespace = api::text_field(section, "resourceNamespace");
  }
  return {};
}

Status read_connection(const Value& section, SchedulerConfig& config) {
  RETURN_IF_ERROR(
      check_members(section, "clientConnection",
                    {"kubeconfig", "acceptContentTypes", "contentType", "qps", "burst"}));
  if (const std::string path = api::text_field(section, "kubeconfig"); !path.empty()) {
    config.kubeconfig = path;
  }
  config.qps = api::field(section, "qps").as_double();
  config.burst = api::field(section, "burst").as_double();
  return {};
}

Status read_backoff(const Value& document, std::string_view name, Duration& backoff) {
  const Value* value = document.find(name);
  if (!value) return {};
  const auto seconds = value->as_int();
  if (!seconds || *seconds < 1 || *seconds > 3600) {
    return failure(Code::Invalid, fmt::format("{}: must be from 1 to 3600", name));
  }
  backoff = std::chrono::seconds(*seconds);
  return {};
}

Status check_kind(const Value& document) {
  const std::string version = api::text_field(document, "apiVersion");
  const std::string kind = api::text_field(document, "kind");
  const bool is_known =
      version.starts_with(kGroup) &&
      (version.ends_with("/v1") || version.ends_with("/v1beta2") || version.ends_with("/v1beta3"));
  if (is_known && kind == "KubeSchedulerConfiguration") return {};
  return failure(Code::Invalid,
                 fmt::format("expected a KubeSchedulerConfiguration of {}v1, v1beta3 or v1beta2, "
                             "not {} of {}",
                             kGroup, quote(kind), quote(version)));
}

Status read_profiles(const Value& document, SchedulerConfig& config) {
  std::size_t index = 0;
  const std::int64_t percentage =
      api::integer_field(document, "percentageOfNodesToScore").value_or(0);
  if (percentage < 0 || percentage > 100) {
    return failure(Code::Invalid, "percentageOfNodesToScore: is from 0 to 100");
  }
  for (const Value& object : api::elements_field(document, "profiles")) {
    const std::string path = fmt::format("profiles[{}]", index++);
    ASSIGN_OR_RETURN(Profile profile, read_profile(object, path, config.warnings));
    const bool is_twice = std::ranges::any_of(config.profiles, [&profile](const Profile& other) {
      return other.scheduler_name == profile.scheduler_name;
    });
    if (is_twice) {
      return failure(Code::Invalid, fmt::format("{}: schedulerName {} is there twice", path,
                                                quote(profile.scheduler_name)));
    }
    if (!object.find("percentageOfNodesToScore")) {
      profile.percentage_of_nodes_to_score = static_cast<int>(percentage);
    }
    config.profiles.push_back(std::move(profile));
  }
  return {};
}

}  // namespace

Result<SchedulerConfig> read_scheduler_config(const Value& document) {
  RETURN_IF_ERROR(check_kind(document));
  RETURN_IF_ERROR(check_members(
      document, "KubeSchedulerConfiguration",
      {"apiVersion", "kind", "parallelism", "leaderElection", "clientConnection",
       "healthzBindAddress", "metricsBindAddress", "enableProfiling", "enableContentionProfiling",
       "percentageOfNodesToScore", "podInitialBackoffSeconds", "podMaxBackoffSeconds", "profiles",
       "extenders", "delayCacheUntilActive"}));
  SchedulerConfig config;
  if (!api::elements_field(document, "extenders").empty()) {
    return failure(Code::Invalid, "extenders: Berth's scheduler asks no extenders");
  }
  RETURN_IF_ERROR(read_election(api::field(document, "leaderElection"), config.election));
  RETURN_IF_ERROR(read_connection(api::field(document, "clientConnection"), config));
  RETURN_IF_ERROR(read_backoff(document, "podInitialBackoffSeconds", config.queue.backoff_first));
  RETURN_IF_ERROR(read_backoff(document, "podMaxBackoffSeconds", config.queue.backoff_max));
  if (config.queue.backoff_max < config.queue.backoff_first) {
    return failure(Code::Invalid,
                   "podMaxBackoffSeconds: must not be below podInitialBackoffSeconds");
  }
  RETURN_IF_ERROR(read_profiles(document, config));
  for (const std::string_view unused :
       {"parallelism", "healthzBindAddress", "metricsBindAddress", "enableProfiling",
        "enableContentionProfiling", "delayCacheUntilActive"}) {
    if (!document.find(unused)) continue;
    config.warnings.push_back(
        fmt::format("{} changes nothing; flags say where Berth listens", unused));
  }
  return config;
}

Result<SchedulerConfig> parse_scheduler_config(std::string_view text) {
  auto document = json::read_one_yaml(text);
  if (!document.ok()) return failure(std::move(document).error());
  return read_scheduler_config(*document);
}

}  // namespace berth::nodes
