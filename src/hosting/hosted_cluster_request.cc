#include "hosting/hosted_cluster_request.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/metadata.h"
#include "cel/time_arithmetic.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

using api::field;
using api::text_field;
using json::Value;

constexpr std::array<std::pair<Phase, std::string_view>, 7> kPhases = {
    {{Phase::Pending, "Pending"},
     {Phase::Reserved, "Reserved"},
     {Phase::Delivering, "Delivering"},
     {Phase::Provisioning, "Provisioning"},
     {Phase::Ready, "Ready"},
     {Phase::Deleting, "Deleting"},
     {Phase::Failed, "Failed"}}};

Topology read_topology(const Value& term) {
  const std::string type = text_field(term, "topologyKeyType");
  std::string key = text_field(term, "topologyKey");
  if (type == "Label") return {.type = Topology::Type::Label, .key = std::move(key)};
  if (type == "Claim") return {.type = Topology::Type::Claim, .key = std::move(key)};
  return {};
}

// Only takes what can be read; the first thing that cannot becomes the problem.
class Reader {
 public:
  Reader(const Value& object, const SizeClasses& classes)
      : object_(object), spec_(field(object, "spec")), classes_(classes) {}

  HostedClusterRequest read() {
    request_.facts = api::read_facts(object_);
    const api::Metadata metadata(object_);
    request_.created = metadata.creation_time().value_or(Time());
    request_.has_finalizer = metadata.has_finalizer(kFinalizer);
    request_.is_fenced = request_.facts.annotation(kFencedAnnotation) == "true";
    read_where();
    read_terms();
    read_policy();
    if (auto size = read_size(field(spec_, "size"), classes_); size.ok()) {
      request_.size = *size;
    } else {
      note(size.error().message);
    }
    if (auto payload = read_payload(object_); payload.ok()) {
      request_.identity = std::move(payload->identity);
    } else {
      note(payload.error().message);
    }
    read_status();
    return std::move(request_);
  }

 private:
  void note(std::string problem) {
    if (request_.problem.empty()) request_.problem = std::move(problem);
  }

  api::LabelSelector selector(const Value& parent, std::string_view name) {
    const Value& value = field(parent, name);
    if (value.is_null()) return {};
    auto read = api::LabelSelector::from_json(value);
    if (read.ok()) return *std::move(read);
    note(fmt::format("{}: {}", name, read.error().message));
    return api::LabelSelector::nothing();
  }

  void read_where() {
    const std::string placement = text_field(field(spec_, "placementRef"), "name");
    if (!placement.empty()) request_.placement = placement;
    const Value& clusters = field(spec_, "clusterSelector");
    request_.cluster_labels = selector(clusters, "labelSelector");
    request_.cluster_claims = selector(clusters, "claimSelector");
    request_.priority = api::int32_field(spec_, "priority").value_or(0);
    request_.group = text_field(spec_, "group");
    if (text_field(spec_, "strategy") == "Pack") request_.strategy = Strategy::Pack;
  }

  void read_terms() {
    for (const Value& term : api::elements_field(spec_, "antiAffinity")) {
      AntiAffinity avoid{.topology = read_topology(term),
                         .is_required = field(term, "required").as_bool().value_or(false),
                         .weight = api::int32_field(term, "weight").value_or(0)};
      if (!field(term, "groupSelector").is_null()) {
        avoid.requests = selector(term, "groupSelector");
      }
      avoid.weight = std::clamp(avoid.weight, 0, 100);
      request_.anti_affinities.push_back(std::move(avoid));
    }
    for (const Value& term : api::elements_field(spec_, "spread")) {
      request_.spreads.push_back(
          {.topology = read_topology(term),
           .max_skew = std::max(1, api::int32_field(term, "maxSkew").value_or(1)),
           .is_required = text_field(term, "whenUnsatisfiable") != "ScheduleAnyway"});
    }
  }

  void read_policy() {
    const Value& policy = field(spec_, "policy");
    const std::string reassign = text_field(policy, "reassign");
    if (reassign == "BeforeDelivery") request_.reassign = Reassign::BeforeDelivery;
    if (reassign == "OnHostLostManual") request_.reassign = Reassign::OnHostLostManual;
    if (text_field(policy, "onDelete") == "Orphan") request_.on_delete = OnDelete::Orphan;
    const std::string deadline = text_field(policy, "scheduleDeadline");
    if (deadline.empty()) return;
    request_.schedule_deadline = cel::parse_duration(deadline);
    if (!request_.schedule_deadline) {
      note("spec.policy.scheduleDeadline is no duration: write it like 30m or 2h");
    }
  }

  void read_status() {
    const Value& status = field(object_, "status");
    request_.phase = phase_of_name(text_field(status, "phase"));
    request_.host = text_field(status, "hostingCluster");
    request_.infra_id = text_field(status, "infraID");
    request_.work_uid = text_field(status, "workUID");
    request_.attempts = api::integer_field(status, "attempts").value_or(0);
    request_.is_reassigning = api::is_condition_true(object_, "Reassigning");
  }

  const Value& object_;
  const Value& spec_;
  const SizeClasses& classes_;
  HostedClusterRequest request_;
};

}  // namespace

std::string_view phase_name(Phase phase) {
  for (const auto& [known, name] : kPhases) {
    if (known == phase) return name;
  }
  return "";
}

Phase phase_of_name(std::string_view name) {
  for (const auto& [phase, known] : kPhases) {
    if (known == name) return phase;
  }
  return Phase::Pending;
}

std::optional<Time> HostedClusterRequest::deadline() const {
  if (!schedule_deadline) return std::nullopt;
  return created + *schedule_deadline;
}

std::vector<api::Label> HostedClusterRequest::labels_with_group() const {
  std::vector<api::Label> labels = facts.labels;
  std::erase_if(labels, [](const api::Label& label) { return label.key == kGroupLabel; });
  labels.push_back({.key = std::string(kGroupLabel), .value = group});
  std::ranges::sort(labels);
  return labels;
}

HostedClusterRequest read_request(const Value& object, const SizeClasses& classes) {
  return Reader(object, classes).read();
}

std::vector<std::size_t> decision_order(const std::vector<const HostedClusterRequest*>& requests) {
  using Rank = std::tuple<std::int64_t, Time, std::string_view>;
  const auto rank = [&](std::size_t index) {
    const HostedClusterRequest& request = *requests[index];
    return Rank(-std::int64_t{request.priority}, request.created, request.facts.uid);
  };
  using Group = std::pair<std::string_view, std::string_view>;
  std::map<Group, Rank> first;  // Of each group.
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i]->group.empty()) continue;
    const Group group(requests[i]->facts.object_namespace, requests[i]->group);
    const auto [known, is_new] = first.emplace(group, rank(i));
    if (!is_new) known->second = std::min(known->second, rank(i));
  }
  std::vector<std::pair<std::pair<Rank, Rank>, std::size_t>> order;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto leader = requests[i]->group.empty()
                            ? rank(i)
                            : first.at({requests[i]->facts.object_namespace, requests[i]->group});
    order.emplace_back(std::pair(leader, rank(i)), i);
  }
  std::ranges::sort(order);
  std::vector<std::size_t> indices;
  for (const auto& entry : order) indices.push_back(entry.second);
  return indices;
}

}  // namespace berth::hosting
