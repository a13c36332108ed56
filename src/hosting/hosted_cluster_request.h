// HostedClusterRequest: somebody wants a hosted cluster. What it needs, where it may be, and what
// has come of it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/fields.h"
#include "api/label_selector.h"
#include "base/time.h"
#include "hosting/amounts.h"
#include "hosting/payload.h"
#include "json/value.h"

namespace berth::hosting {

enum class Phase : std::uint8_t {
  Pending,       // No host yet.
  Reserved,      // A host, and room on it.
  Delivering,    // The work is on its way.
  Provisioning,  // The hosted cluster is on its host and starts.
  Ready,
  Deleting,
  Failed,  // Nothing more is done until somebody edits it.
};

std::string_view phase_name(Phase phase);
Phase phase_of_name(std::string_view name);  // Pending for anything else.

// By what hosts are told apart: each is its own place, or all with one value of a label or claim.
struct Topology {
  enum class Type : std::uint8_t { Cluster, Label, Claim };

  Type type = Type::Cluster;
  std::string key = {};

  bool operator==(const Topology&) const = default;
};

// Whom a request does not want to share a place with.
struct AntiAffinity {
  // Over labels of requests in the same namespace, spec.group among them as kGroupLabel. Absent:
  // those of the same group.
  std::optional<api::LabelSelector> requests = std::nullopt;
  Topology topology = {};
  bool is_required = false;
  std::int32_t weight = 0;  // 1 to 100 for each that is there already, if not required.
};

// How evenly the requests of one namespace and group lie over the places.
struct SpreadTerm {
  Topology topology = {};
  std::int32_t max_skew = 1;
  bool is_required = true;  // whenUnsatisfiable: DoNotSchedule.
};

enum class Strategy : std::uint8_t {
  Spread,  // To the emptiest host.
  Pack,    // To the fullest that is below its threshold.
};

enum class Reassign : std::uint8_t { Never, BeforeDelivery, OnHostLostManual };
enum class OnDelete : std::uint8_t { Delete, Orphan };

struct HostedClusterRequest {
  api::ObjectFacts facts = {};
  Time created = {};

  std::optional<std::string> placement = std::nullopt;  // In the same namespace.
  api::LabelSelector cluster_labels = {};               // Without a placement.
  api::LabelSelector cluster_claims = {};
  Amounts size = kBaseline;
  std::int32_t priority = 0;
  std::string group = {};
  std::vector<AntiAffinity> anti_affinities = {};
  std::vector<SpreadTerm> spreads = {};
  Strategy strategy = Strategy::Spread;
  Reassign reassign = Reassign::Never;
  OnDelete on_delete = OnDelete::Delete;
  std::optional<Duration> schedule_deadline = std::nullopt;

  Identity identity = {};  // As far as the payload can be read.

  // What is wrong with it and what to do about that; empty: nothing.
  std::string problem = {};

  // Of the status.
  Phase phase = Phase::Pending;
  std::string host = {};
  std::string infra_id =
      {};  // Of the hosted cluster that the host is for; none other is put there.
  std::string work_uid = {};  // The work that was found to be the right one to fill.
  std::int64_t attempts = 0;  // How often a host was assigned.
  bool is_reassigning = false;

  bool has_finalizer = false;
  bool is_fenced = false;

  std::optional<Time> deadline() const;  // For getting a host.

  // What nobody else may use: the infraID that it has a host for, or else the one it asks for.
  const std::string& held_infra_id() const {
    return infra_id.empty() ? identity.infra_id : infra_id;
  }

  // Its labels as selectors of other requests see them: with the group.
  std::vector<api::Label> labels_with_group() const;
};

HostedClusterRequest read_request(const json::Value& object,
                                  const SizeClasses& classes = default_size_classes());

// Highest priority first, then the oldest, then by uid; those of one namespace and group stand
// together where the first of them stands. Indices into the requests.
std::vector<std::size_t> decision_order(const std::vector<const HostedClusterRequest*>& requests);

}  // namespace berth::hosting
