#include "placement/writing/plan_commit.h"

#include <utility>

#include "client/errors.h"
#include "json/text_of.h"
#include "placement/fleet/watched_kinds.h"

namespace berth::placement {
namespace {

using json::Value;

std::string metadata_text(const Value& object, std::string_view name) {
  return std::string(text_at(object, {"metadata", name}));
}

}  // namespace

PlanCommit::PlanCommit(api::ObjectKey key, std::vector<PlannedWrite> writes)
    : key_(std::move(key)), writes_(std::move(writes)) {
  prepare();
}

client::ResourcePath PlanCommit::path_of(const PlannedWrite& write) const {
  const bool is_placement = write.kind == PlannedWrite::Kind::PatchPlacementStatus;
  const bool is_status = is_placement || write.kind == PlannedWrite::Kind::PatchDecisionStatus;
  const bool is_create = write.kind == PlannedWrite::Kind::CreateDecision;
  return {.resource = resource_of(is_placement ? Watched::Placements : Watched::Decisions),
          .ns = key_.ns,
          .name = is_create ? "" : write.name,
          .subresource = is_status ? "status" : ""};
}

void PlanCommit::prepare() {
  request_ = std::nullopt;
  if (next_ == writes_.size()) return;
  PlannedWrite& write = writes_[next_];
  if (write.follows_previous) {
    for (const char* name : {"uid", "resourceVersion"}) {
      write.body["metadata"][name] = metadata_text(previous_, name);
    }
  }
  client::ResourcePath path = path_of(write);
  switch (write.kind) {
    case PlannedWrite::Kind::CreateDecision:
      request_ = control::CreateWrite{.collection = std::move(path), .object = write.body};
      return;
    case PlannedWrite::Kind::DeleteDecision: {
      request_ = control::DeleteWrite{
          .path = std::move(path),
          .options = {.uid = metadata_text(write.body, "uid"),
                      .resource_version = metadata_text(write.body, "resourceVersion")}};
      return;
    }
    case PlannedWrite::Kind::PatchDecisionStatus:
    case PlannedWrite::Kind::PatchDecisionLabels:
    case PlannedWrite::Kind::PatchPlacementStatus:
      request_ = control::PatchWrite{.path = std::move(path), .patch = write.body};
      return;
  }
}

Status PlanCommit::on_answer(Result<Value> answer) {
  PlannedWrite& write = writes_[next_];
  const bool is_delete = write.kind == PlannedWrite::Kind::DeleteDecision;
  if (!answer.ok()) {
    if (!is_delete || !client::is_not_found(answer.error())) return failure(answer.error());
    answer = Value::object();
    write.notices.clear();  // Somebody else did it.
  }
  const bool is_create = write.kind == PlannedWrite::Kind::CreateDecision;
  const Value decision = reference_to(is_create ? *answer : write.body, write.name);
  for (Notice& notice : write.notices) news_.push_back({std::move(notice), decision});
  remember(write, *answer);
  previous_ = *std::move(answer);
  ++next_;
  prepare();
  return {};
}

void PlanCommit::remember(const PlannedWrite& write, const Value& answer) {
  const std::string version = metadata_text(answer, "resourceVersion");
  if (write.kind == PlannedWrite::Kind::PatchPlacementStatus) {
    versions_.placement = version;
  } else if (write.kind == PlannedWrite::Kind::DeleteDecision &&
             !answer.find_path({"metadata", "deletionTimestamp"})) {
    decisions_[write.name] = {.version = metadata_text(write.body, "resourceVersion"),
                              .is_gone = true};
  } else {  // A deleted one that has finalizers stays for a while, in a new version.
    versions_.decisions = version;
    decisions_[write.name] = {.version = version};
  }
}

PlanCommit::Sight PlanCommit::compare(const std::string& decision, std::string_view version) const {
  const auto written = decisions_.find(decision);
  if (written == decisions_.end()) return Sight::News;
  const bool is_gone = written->second.is_gone;
  if (version == written->second.version) return is_gone ? Sight::NotGoneYet : Sight::AsWritten;
  return is_gone && version.empty() ? Sight::AsWritten : Sight::News;
}

Value PlanCommit::reference_to(const Value& decision, const std::string& name) const {
  return Value::object({{"apiVersion", "cluster.open-cluster-management.io/v1beta1"},
                        {"kind", "PlacementDecision"},
                        {"namespace", key_.ns},
                        {"name", name},
                        {"uid", metadata_text(decision, "uid")},
                        {"resourceVersion", metadata_text(decision, "resourceVersion")}});
}

}  // namespace berth::placement
