// Tested by hosting_controller_test.cc.
#include "hosting/requests_controller.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/errors.h"
#include "control/remembered_writes.h"
#include "hosting/ledger_plan.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

using Kind = Step::Kind;

constexpr std::size_t kInWorkMax = 64;
constexpr Duration kTellEvery = std::chrono::seconds(30);
constexpr Duration kNapMax = std::chrono::minutes(10);  // The calendar may be set meanwhile.

client::Gvr secrets_resource() { return {"", "v1", "secrets"}; }

std::string uid_of_work(const json::Value& work) {
  return std::string(api::Metadata(work).labels().find(kRequestUidLabel).value_or(""));
}

// All of a request or work that is written here, but for the time at which a condition changed.
json::Value written_in(const json::Value& object, HostingResource kind) {
  json::Value written = json::Value::array(
      {api::field(api::field(object, "metadata"), "finalizers"), api::field(object, "spec")});
  if (kind == HostingResource::Works) return written;
  json::Value status = api::field(object, "status");
  if (json::Value* conditions = status.find("conditions")) {
    for (json::Value& condition : conditions->elements()) condition.erase("lastTransitionTime");
  }
  written.push_back(std::move(status));
  return written;
}

std::string undone_key(const std::string& uid, HostingResource kind) {
  return uid + (kind == HostingResource::Works ? " work" : " request");
}

bool is_everyday(const Error& error) {
  return client::is_stale_write(error) || client::is_conflict(error) ||
         client::is_already_exists(error) || client::is_not_found(error) ||
         client::network_failure(error) || client::is_too_many_requests(error);
}

}  // namespace

RequestsController::RequestsController(const env::Env& env, client::Api& api,
                                       control::Committer& committer,
                                       control::RecorderService& recorder,
                                       const HostingFollowed& followed, Situation& situation,
                                       Hooks hooks)
    : env_(env),
      api_(api),
      committer_(committer),
      recorder_(recorder),
      followed_(followed),
      situation_(situation),
      hooks_(std::move(hooks)),
      reconciler_(env, "hosting-requests", kInWorkMax,
                  [this](const std::string& uid) { work(uid); }) {}

void RequestsController::tell_refusal(const std::string& uid) {
  Told& told = told_[uid];
  const Instant now = env_.clock.monotonic();
  const std::string_view refusal = situation_.refusal(uid);
  if (told.text == refusal || (!told.text.empty() && now < told.next)) return;
  told = {.text = std::string(refusal), .next = now + kTellEvery};
  reconciler_.add(uid);
}

void RequestsController::forget(const std::string& uid) {
  gone_.erase(uid);
  told_.erase(uid);
  for (const auto kind : {HostingResource::Requests, HostingResource::Works}) {
    undone_.forget(undone_key(uid, kind));
  }
}

void RequestsController::on_work(const client::ObjectKey& key) {
  if (const auto known = owners_.find(key); known != owners_.end()) {
    const auto works = works_.find(known->second);
    works->second.erase(key);
    if (works->second.empty()) works_.erase(works);
    reconciler_.add(known->second);
    owners_.erase(known);
  }
  const client::ObjectPtr work = followed_.store(HostingResource::Works).find(key);
  if (!work) return;
  const std::string uid = uid_of_work(work->body());
  if (uid.empty()) return;
  owners_[key] = uid;
  works_[uid].insert(key);
  reconciler_.add(uid);
}

std::optional<WorkState> RequestsController::find_work(const std::string& host,
                                                       std::string_view uid) const {
  const auto works = works_.find(uid);
  if (works == works_.end()) return std::nullopt;
  for (const client::ObjectKey& key : works->second) {
    if (key.ns != host) continue;
    const client::ObjectPtr work = followed_.store(HostingResource::Works).find(key);
    if (work) return read_work(work->body());
  }
  return std::nullopt;
}

bool RequestsController::is_gone(const HostedClusterRequest& request) const {
  const auto known = gone_.find(request.facts.uid);
  return known != gone_.end() && known->second == proof_of(request);
}

void RequestsController::work(const std::string& uid) {
  const HostedClusterRequest* request = situation_.find(uid);
  const client::ObjectPtr object =
      request ? followed_.store(HostingResource::Requests)
                    .find({request->facts.object_namespace, request->facts.name})
              : nullptr;
  if (!object || object->uid() != uid) return clear_shells(uid);
  run(uid, object, nullptr);
}

// Whoever acted on an old picture of a request that is gone has left a shell. It goes once it is so
// old that no request can be about to appear for it; what is filled is never touched.
void RequestsController::clear_shells(const std::string& uid) {
  const auto works = works_.find(uid);
  if (works == works_.end()) return reconciler_.finish(uid);
  const Time now = env_.clock.now();
  for (const client::ObjectKey& key : works->second) {
    const client::ObjectPtr work = followed_.store(HostingResource::Works).find(key);
    if (!work) continue;
    const WorkState state = read_work(work->body());
    const auto made = api::Metadata(work->body()).creation_time();
    if (state.is_filled || state.is_deleting || !made) continue;
    const Time end = *made + kOwnerlessClaimLife;
    if (now >= end) {
      return commit(uid, {.resource = resource_of(HostingResource::Works), .before = work->body()},
                    {}, work);
    }
    reconciler_.add_after(uid,
                          std::clamp<Duration>(end - now, std::chrono::milliseconds(1), kNapMax));
  }
  reconciler_.finish(uid);
}

void RequestsController::run(const std::string& uid, const client::ObjectPtr& object,
                             const Secrets* secrets) {
  if (!situation_.find(uid)) return reconciler_.finish(uid);
  // Of the very version that is written to: what the situation knows may be a moment older.
  const HostedClusterRequest request = hooks_.read(object->body());
  const Host* host = situation_.find_host(request.host);
  RequestView view{.object = object->body(),
                   .request = request,
                   .claims = situation_.claims_of(uid),
                   .host_is_available = host && host->is_available && !host->is_deleting,
                   .secrets = secrets,
                   .is_gone = is_gone(request),
                   .rival_with_host = [&] { return rival_with_host(request); },
                   .now = env_.clock.now()};
  if (const HostedClusterRequest* rival = situation_.rival_of(uid, view.now)) {
    view.rival = rival->facts.object_namespace + "/" + rival->facts.name;
  }
  if (const auto told = told_.find(uid); told != told_.end()) view.refusal = told->second.text;
  std::vector<client::ObjectPtr> held;
  const auto& works = followed_.store(HostingResource::Works);
  // Whoever has the name has it, whatever its labels say.
  held.push_back(works.find({request.host, work_name(uid)}));
  if (held.back()) view.work = &held.back()->body();
  if (const auto all = works_.find(uid); all != works_.end()) {
    for (const client::ObjectKey& key : all->second) {
      if (key.ns == request.host) continue;
      held.push_back(works.find(key));
      if (held.back()) view.strays.push_back(&held.back()->body());
    }
  }
  carry_out(uid, object, next_step(view));
}

// In the cache itself: that has everything which was written before what it shows of this request,
// while the situation may still have to hear of some of it.
std::string RequestsController::rival_with_host(const HostedClusterRequest& request) const {
  for (const client::ObjectPtr& other : followed_.store(HostingResource::Requests).objects()) {
    if (other->uid() == request.facts.uid) continue;
    const json::Value& status = api::field(other->body(), "status");
    if (api::field(status, "infraID").string_or_empty() != request.infra_id) continue;
    if (!api::field(status, "hostingCluster").string_or_empty().empty()) return other->key().text();
  }
  return "";
}

void RequestsController::carry_out(const std::string& uid, const client::ObjectPtr& object,
                                   Step step) {
  if (step.recheck) {
    reconciler_.add_after(uid, std::clamp<Duration>(*step.recheck - env_.clock.now(),
                                                    std::chrono::milliseconds(1), kNapMax));
  }
  const client::Gvr works = resource_of(HostingResource::Works);
  switch (step.kind) {
    case Kind::Wait:
      return reconciler_.finish(uid);
    case Kind::WriteRequest:
      return commit(uid,
                    {.resource = resource_of(HostingResource::Requests),
                     .before = object->body(),
                     .after = std::move(step.after)},
                    step, object);
    case Kind::CreateWork:
      return commit(uid, {.resource = works, .after = std::move(step.after)}, step, object);
    case Kind::WriteWork:
      return commit(uid, {.resource = works, .before = *step.work, .after = std::move(step.after)},
                    step, object);
    case Kind::DeleteWork:
      return commit(uid, {.resource = works, .before = *step.work}, step, object);
    case Kind::ReadSecrets:
      return read_secrets(uid, object);
    case Kind::ProveGone:
      return prove_gone(uid);
  }
}

void RequestsController::commit(const std::string& uid, control::Change change, const Step& step,
                                const client::ObjectPtr& object) {
  const auto kind =
      step.kind == Kind::WriteRequest ? HostingResource::Requests : HostingResource::Works;
  json::Value content = change.after ? written_in(*change.after, kind) : json::Value();
  const Instant now = env_.clock.monotonic();
  if (const Duration rest = undone_.rest(undone_key(uid, kind), content, now);
      change.after && rest > Duration::zero()) {
    reconciler_.add_after(uid, rest);
    return reconciler_.finish(uid);
  }
  auto sequence = control::sequence_of(std::move(change));
  if (!sequence.ok()) return reconciler_.finish(uid, failure(sequence.error()));
  const auto writes = std::make_shared<control::RememberedWrites>(*std::move(sequence));
  committer_.submit(
      writes, scope_.guard([this, uid, object, kind, content = std::move(content),
                            event = step.event, note = step.note, writes](const Status& status) {
        if (status.ok() && !content.is_null()) {
          undone_.note(undone_key(uid, kind), content, env_.clock.monotonic());
        }
        if (status.ok() && !event.empty()) {
          recorder_.record({.regarding = control::object_reference(object->body()),
                            .reason = event,
                            .action = event,
                            .note = note});
        }
        // What the hub does not take as it stands, it never will: whoever asked has to know.
        if (!status.ok() && client::is_invalid(status.error())) {
          recorder_.record({.regarding = control::object_reference(object->body()),
                            .type = control::EventType::Warning,
                            .reason = "Refused",
                            .action = "Deliver",
                            .note = status.error().message});
        }
        const std::string version = writes->version_of(resource_of(kind));
        if (!status.ok() || version.empty()) return on_committed(uid, status);
        // No second step on the picture before this one.
        when_shown(env_, followed_.informer(kind), version,
                   scope_.guard([this, uid] { on_committed(uid, {}); }));
      }));
}

void RequestsController::on_committed(const std::string& uid, const Status& status) {
  if (!status.ok() && !is_everyday(status.error())) {
    env_.log.warn("hosting.write_failed", {{"request", uid}, {"error", status.error().message}});
  }
  reconciler_.finish(uid, status);
  if (status.ok()) reconciler_.add(uid);
}

// Never kept: they are read when they are needed, and go from here into the work.
void RequestsController::read_secrets(const std::string& uid, const client::ObjectPtr& object) {
  const auto payload = read_payload(object->body());
  if (!payload.ok()) return reconciler_.finish(uid);
  read_next(uid, object, payload->secrets, std::make_shared<Secrets>());
}

void RequestsController::read_next(const std::string& uid, const client::ObjectPtr& object,
                                   std::vector<std::string> names, std::shared_ptr<Secrets> found) {
  if (names.empty()) return run(uid, object, found.get());
  const std::string name = names.back();
  names.pop_back();
  api_.get({.resource = secrets_resource(), .ns = std::string(object->ns()), .name = name},
           scope_.guard([this, uid, object, names = std::move(names), found = std::move(found),
                         name](Result<json::Value> answer) mutable {
             if (!answer.ok() && !client::is_not_found(answer.error())) {
               return on_committed(uid, failure(answer.error()));
             }
             if (answer.ok()) found->emplace(name, *std::move(answer));
             read_next(uid, object, std::move(names), std::move(found));
           }));
}

void RequestsController::prove_gone(const std::string& uid) {
  const HostedClusterRequest* request = situation_.find(uid);
  if (!request) return reconciler_.finish(uid);
  api_.get({.resource = resource_of(HostingResource::Works),
            .ns = request->host,
            .name = work_name(uid)},
           scope_.guard([this, uid, proof = proof_of(*request)](const Result<json::Value>& answer) {
             on_asked(uid, proof, answer);
           }));
}

void RequestsController::on_asked(const std::string& uid, const Proof& proof,
                                  const Result<json::Value>& answer) {
  if (!answer.ok() && !client::is_not_found(answer.error())) {
    return on_committed(uid, failure(answer.error()));
  }
  if (answer.ok() && uid_of_work(*answer) == uid) {
    // The cache has not heard of it yet; when it has, this is called again.
    return reconciler_.finish(uid, failure(Code::Conflict, "the work is still there"));
  }
  gone_.insert_or_assign(uid, proof);
  const HostedClusterRequest* request = situation_.find(uid);
  if (request) hooks_.ledger_is_due(request->host);
  on_committed(uid, {});
}

}  // namespace berth::hosting
