#include "hosting/request_step.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"
#include "hosting/names.h"
#include "hosting/request_status.h"

namespace berth::hosting {
namespace {

using api::ConditionStatus;
using json::Value;
using Kind = Step::Kind;

constexpr std::string_view kDuplicate = "DuplicateInfraID";

Value with_finalizers(const Value& object, bool has_ours) {
  Value after = object;
  Value list = Value::array();
  for (const std::string_view finalizer : api::Metadata(object).finalizers()) {
    if (finalizer != kFinalizer) list.push_back(finalizer);
  }
  if (has_ours) list.push_back(kFinalizer);
  after["metadata"]["finalizers"] = std::move(list);
  return after;
}

Value without_finalizers(const Value& object) {
  Value after = object;
  after["metadata"]["finalizers"] = Value::array();
  return after;
}

class Stepping {
 public:
  explicit Stepping(const RequestView& view) : view_(view), request_(view.request) {
    if (view.work) work_ = read_work(*view.work);
  }

  Step run() {
    if (const auto stray = stray_to_delete()) return *stray;
    if (request_.facts.is_deleting) return deletion();
    if (!request_.has_finalizer) {
      return {.kind = Kind::WriteRequest, .after = with_finalizers(view_.object, true)};
    }
    if (request_.host.empty()) return assignment();
    if (request_.is_reassigning) return reassignment();
    if (should_move()) {
      return begin_reassignment(
          "HostUnavailable",
          fmt::format("{} is not available, and another host is looked for", request_.host));
    }
    return delivery();
  }

 private:
  RequestStatus status() const { return {view_.object, view_.now}; }

  // The write if it would change anything, and otherwise what comes then.
  static Step write_or(RequestStatus status, Step otherwise) {
    if (!status.has_changed()) return otherwise;
    return {.kind = Kind::WriteRequest, .after = status.take()};
  }

  // A shell that somebody left in another namespace, acting on an old picture.
  std::optional<Step> stray_to_delete() const {
    for (const Value* stray : view_.strays) {
      const WorkState state = read_work(*stray);
      if (state.is_filled || state.is_deleting) continue;
      return Step{.kind = Kind::DeleteWork, .work = stray};
    }
    return std::nullopt;
  }

  // --- To a host -------------------------------------------------------------------------------

  Step assignment() const {
    const HeldClaim* claim = claim_to_adopt();
    if (claim && view_.rival.empty()) return adopt(*claim);
    if (!request_.problem.empty()) {
      return write_or(
          status()
              .phase(Phase::Pending)
              .message(request_.problem)
              .set("Scheduled", ConditionStatus::False, "InvalidRequest", request_.problem),
          {});
    }
    const auto deadline = request_.deadline();
    if (deadline && view_.now >= *deadline) {
      const std::string text = fmt::format(
          "no host was found within {}: {}. Raise or remove spec.policy.scheduleDeadline to go on",
          api::text_field(policy(), "scheduleDeadline"),
          !view_.rival.empty()    ? duplicate_text(view_.rival)
          : view_.refusal.empty() ? "nothing was tried"
                                  : view_.refusal);
      return write_or(failed("DeadlineExceeded", text), {});
    }
    if (!view_.rival.empty()) {
      const std::string text = duplicate_text(view_.rival);
      return write_or(status()
                          .phase(Phase::Pending)
                          .message(text)
                          .set("Scheduled", ConditionStatus::False, kDuplicate, text),
                      {.recheck = deadline});
    }
    if (view_.refusal.empty() && request_.phase != Phase::Failed) return {.recheck = deadline};
    return write_or(status()
                        .phase(Phase::Pending)
                        .message(view_.refusal)
                        .set("Scheduled", ConditionStatus::False, "Unschedulable", view_.refusal),
                    {.recheck = deadline});
  }

  std::string duplicate_text(std::string_view rival) const {
    return fmt::format(
        "infraID {} is that of HostedClusterRequest {}, and there must not be two hosted clusters "
        "of one infraID: give this one another infraID, or delete one of the two",
        request_.held_infra_id(), rival);
  }

  const Value& policy() const { return api::field(api::field(view_.object, "spec"), "policy"); }

  RequestStatus failed(std::string_view reason, std::string_view text) const {
    RequestStatus written = status();
    // Once it has failed, the words stay: what was tried last changes all the time.
    if (request_.phase == Phase::Failed) return written;
    return written.phase(Phase::Failed)
        .message(text)
        .set("Scheduled", ConditionStatus::False, reason, text);
  }

  // Of several, which only two leaders can have made, the oldest.
  const HeldClaim* claim_to_adopt() const {
    const HeldClaim* oldest = nullptr;
    for (const HeldClaim& held : view_.claims) {
      if (held.claim.attempt <= request_.attempts) continue;
      if (!oldest || held.claim.since < oldest->claim.since) oldest = &held;
    }
    return oldest;
  }

  Step adopt(const HeldClaim& held) const {
    const std::string text = fmt::format("assigned to {}", held.host);
    RequestStatus written = status();
    written.phase(Phase::Reserved)
        .message("")
        .field("hostingCluster", held.host)
        .field("infraID", request_.identity.infra_id)
        .field("workName", work_name(request_.facts.uid))
        .field("workUID", "")
        .field("attempts", held.claim.attempt)
        .set("Scheduled", ConditionStatus::True, "Assigned", text)
        .set("CapacityReserved", ConditionStatus::True, "Claimed",
             "the ledger of " + held.host + " has a claim of " + to_string(held.claim.size))
        .set("Delivered", ConditionStatus::False, "NotYet", "");
    if (request_.is_reassigning) written.clear("Reassigning");
    return {.kind = Kind::WriteRequest, .after = written.take(), .event = "Assigned", .note = text};
  }

  // --- To the host itself ----------------------------------------------------------------------

  bool has_claim_there() const {
    return std::ranges::any_of(view_.claims,
                               [&](const HeldClaim& held) { return held.host == request_.host; });
  }

  Step delivery() const {
    if (!has_claim_there()) return {};  // The ledger is told, and tells us.
    const auto payload = read_payload(view_.object);
    if (!payload.ok()) return refuse_edit("InvalidRequest", payload.error().message);
    const WorkContent content{.request = request_, .payload = *payload};
    if (!view_.work) {
      return {.kind = Kind::CreateWork, .after = make_shell(content, request_.host)};
    }
    if (!is_ours()) {
      return refuse_edit("NameTaken", fmt::format("ManifestWork {}/{} belongs to somebody else: "
                                                  "delete it",
                                                  request_.host, work_name(request_.facts.uid)));
    }
    if (work_.is_deleting) return tell_work_is_deleted();
    if (!work_.is_filled) return fill(content);
    if (work_.request_generation > request_.facts.generation) return {};  // Our picture is old.
    if (work_.identity != payload->identity) return refuse_identity(work_.identity);
    if (work_.content != content_hash(content)) return put_content(content);
    return follow();
  }

  bool is_ours() const {
    return api::Metadata(*view_.work).labels().find(kRequestUidLabel) == request_.facts.uid;
  }

  // What was delivered stays as it is.
  Step refuse_edit(std::string_view reason, std::string_view text) const {
    return write_or(status().message(text).set("Delivered", ConditionStatus::False, reason, text),
                    {});
  }

  Step refuse_identity(const Identity& identity) const {
    return refuse_edit("IdentityChanged",
                       fmt::format("the hosted cluster is {} with infraID {}, and that cannot "
                                   "change: restore it in spec.payload, or delete the request "
                                   "and make another",
                                   identity.key(), identity.infra_id));
  }

  Step tell_work_is_deleted() const {
    const std::string_view text =
        "somebody has deleted the work; it is made again when its end is known";
    return write_or(
        status().message(text).set("Delivered", ConditionStatus::False, "WorkDeleted", text), {});
  }

  // The request names this very shell before anything is put into it, and the infraID that it
  // stands for: then whoever wants the same one sees that it is taken.
  Step fill(const WorkContent& content) const {
    const std::string_view uid = api::Metadata(*view_.work).uid();
    Identity wanted = content.payload.identity;
    if (!request_.infra_id.empty() && request_.infra_id != wanted.infra_id) {
      wanted.infra_id = request_.infra_id;
      return refuse_identity(wanted);
    }
    if (request_.work_uid != uid || request_.infra_id.empty()) {
      return {.kind = Kind::WriteRequest,
              .after = status()
                           .phase(Phase::Delivering)
                           .message("")
                           .field("workUID", uid)
                           .field("infraID", wanted.infra_id)
                           .set("Delivered", ConditionStatus::False, "Delivering", "")
                           .take()};
    }
    const std::string rival = view_.rival_with_host();
    if (!rival.empty()) return begin_reassignment(kDuplicate, duplicate_text(rival));
    return put_content(content);
  }

  Step put_content(const WorkContent& content) const {
    if (content.payload.secrets.empty()) return write_content(content, {});
    if (!view_.secrets) return {.kind = Kind::ReadSecrets};
    std::vector<std::string> missing;
    for (const std::string& name : content.payload.secrets) {
      if (!view_.secrets->contains(name)) missing.push_back(name);
    }
    if (missing.empty()) return write_content(content, *view_.secrets);
    const std::string text = fmt::format("there is no Secret {} in namespace {}: create it",
                                         join(missing, ", "), request_.facts.object_namespace);
    constexpr Duration kSecretsAgain = std::chrono::seconds(10);
    return write_or(
        status().message(text).set("Delivered", ConditionStatus::False, "SecretMissing", text),
        {.recheck = view_.now + kSecretsAgain});
  }

  Step write_content(const WorkContent& content, const Secrets& secrets) const {
    return {
        .kind = Kind::WriteWork,
        .after = fill_work(*view_.work, content, secrets),
        .work = view_.work,
        .event = work_.is_filled ? "Updated" : "Delivering",
        .note = fmt::format("ManifestWork {}/{}", request_.host, work_name(request_.facts.uid))};
  }

  // As the host reports it.
  Step follow() const {
    RequestStatus written = status();
    const bool is_there =
        work_.is_applied || request_.phase == Phase::Provisioning || request_.phase == Phase::Ready;
    const bool is_ready = is_there && work_.is_available;
    Phase phase = is_there ? Phase::Provisioning : Phase::Delivering;
    if (is_ready) phase = Phase::Ready;
    std::string text = work_.message;
    if (!work_.apply_problem.empty()) text = work_.apply_problem;
    if (!view_.host_is_available) text = request_.host + " is not available";
    written.phase(phase).message(is_ready ? "" : text);
    if (work_.is_applied) {
      written.set("Delivered", ConditionStatus::True, "Applied", "");
    } else if (!work_.apply_problem.empty()) {
      written.set("Delivered", ConditionStatus::False, "NotApplied", work_.apply_problem);
    } else {
      written.set("Delivered", ConditionStatus::False, "Delivering", "");
    }
    if (is_there && !view_.host_is_available) {
      written.set("Available", ConditionStatus::Unknown, "HostUnreachable", text);
    } else if (is_there) {
      written.set("Available", is_ready ? ConditionStatus::True : ConditionStatus::False,
                  work_.reason.empty() ? (is_ready ? "AsExpected" : "Provisioning") : work_.reason,
                  work_.message);
    }
    Step step = write_or(std::move(written), {});
    if (step.kind == Kind::WriteRequest && phase != request_.phase && phase != Phase::Delivering) {
      step.event = phase_name(phase);
      step.note = "on " + request_.host;
    }
    return step;
  }

  // --- To another host -------------------------------------------------------------------------

  bool may_have_begun() const {
    return work_.is_filled && (work_.has_agent_finalizer || work_.is_applied);
  }

  bool is_given_up() const {
    return request_.reassign == Reassign::OnHostLostManual && request_.is_fenced;
  }

  bool should_move() const {
    if (view_.host_is_available || request_.reassign == Reassign::Never) return false;
    return is_given_up() || !may_have_begun();
  }

  Step begin_reassignment(std::string_view reason, const std::string& text) const {
    return {
        .kind = Kind::WriteRequest,
        .after =
            status().message(text).set("Reassigning", ConditionStatus::True, reason, text).take(),
        .event = "Reassigning",
        .note = text};
  }

  Step reassignment() const {
    if (view_.work) {
      if (!may_have_begun() || is_given_up()) {
        // This version of it is not filled, or no agent has touched it: so it never was applied.
        if (!work_.is_deleting) {
          return {.kind = Kind::DeleteWork, .work = view_.work};
        }
        if (!work_.is_filled) return leave_host();
        if (is_given_up()) {
          return {.kind = Kind::WriteWork,
                  .after = without_finalizers(*view_.work),
                  .work = view_.work};
        }
        return {};
      }
      if (work_.is_deleting) return {};
      // Too late: the agent was faster.
      return {.kind = Kind::WriteRequest,
              .after = status().clear("Reassigning").message("").take()};
    }
    if (!view_.is_gone) return {.kind = Kind::ProveGone};
    return leave_host();
  }

  Step leave_host() const {
    return {.kind = Kind::WriteRequest,
            .after = status()
                         .phase(Phase::Pending)
                         .field("hostingCluster", "")
                         .field("infraID", "")
                         .field("workUID", "")
                         .set("Scheduled", ConditionStatus::False, "Reassigning",
                              request_.host + " was left")
                         .set("CapacityReserved", ConditionStatus::False, "Reassigning", "")
                         .take()};
  }

  // --- Away ------------------------------------------------------------------------------------

  Step deletion() const {
    if (!request_.has_finalizer) return {};
    if (request_.host.empty()) return let_go();
    if (!view_.work || !is_ours()) {
      if (!view_.is_gone) return {.kind = Kind::ProveGone};
      return let_go();
    }
    if (!work_.is_deleting) {
      if (request_.on_delete == OnDelete::Orphan && work_.is_filled && !work_.is_orphaning) {
        return {.kind = Kind::WriteWork, .after = as_orphaning(*view_.work), .work = view_.work};
      }
      return {.kind = Kind::DeleteWork, .work = view_.work};
    }
    if (request_.is_fenced && !view_.host_is_available) {
      return {.kind = Kind::WriteWork,
              .after = without_finalizers(*view_.work),
              .work = view_.work,
              .event = "Fenced",
              .note = "nothing is left on " + request_.host + ", says an operator"};
    }
    const std::string text =
        view_.host_is_available
            ? fmt::format("{} is deleting the hosted cluster", request_.host)
            : fmt::format(
                  "{} cannot be reached, so nobody knows what is left there. If it is gone "
                  "for ever, annotate this request with {}=true",
                  request_.host, kFencedAnnotation);
    return write_or(status()
                        .phase(Phase::Deleting)
                        .message(text)
                        .set("Available", ConditionStatus::False,
                             view_.host_is_available ? "Deleting" : "HostUnreachable", text),
                    {});
  }

  // Ledgers give the room back when they see that nothing is left.
  Step let_go() const {
    if (!view_.claims.empty()) return {};
    return {.kind = Kind::WriteRequest, .after = with_finalizers(view_.object, false)};
  }

  const RequestView& view_;
  const HostedClusterRequest& request_;
  WorkState work_ = {};
};

}  // namespace

Step next_step(const RequestView& view) { return Stepping(view).run(); }

bool wants_host(const HostedClusterRequest& request, Time now) {
  const auto deadline = request.deadline();
  return request.host.empty() && request.problem.empty() && request.has_finalizer &&
         !request.facts.is_deleting && (!deadline || now < *deadline);
}

}  // namespace berth::hosting
