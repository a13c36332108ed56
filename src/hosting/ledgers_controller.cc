// Tested by hosting_controller_test.cc.
#include "hosting/ledgers_controller.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "client/errors.h"
#include "hosting/capacity.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

constexpr std::size_t kInWorkMax = 64;
constexpr Duration kNapMax = std::chrono::minutes(10);  // The calendar may be set meanwhile.

bool is_everyday(const Error& error) {
  return client::is_stale_write(error) || client::is_conflict(error) ||
         client::is_already_exists(error) || client::is_not_found(error);
}

// All of a ledger that is written here.
json::Value written_in(const json::Value& ledger) {
  const json::Value& status = api::field(ledger, "status");
  return json::Value::array({api::field(status, "claims"), api::field(status, "load")});
}

}  // namespace

LedgersController::LedgersController(const env::Env& env, client::Api& api,
                                     control::Committer& committer, const HostingFollowed& followed,
                                     Situation& situation, Hooks hooks)
    : env_(env),
      api_(api),
      committer_(committer),
      followed_(followed),
      situation_(situation),
      hooks_(std::move(hooks)),
      reconciler_(env, "hosting-ledgers", kInWorkMax,
                  [this](const std::string& host) { work(host, {}); }) {}

void LedgersController::work(const std::string& host, Answers answers) {
  const Host* known = situation_.find_host(host);
  const client::ObjectPtr ledger = followed_.store(HostingResource::Ledgers)
                                       .find({.ns = host, .name = std::string(kLedgerName)});
  if (!known || !ledger) {
    const bool wants_one = known && !ledger && known->is_hosting && !known->is_deleting;
    undone_.forget(host);
    return wants_one ? create(host) : finish(host, {});
  }
  // What is written holds for the claims of this very version; the situation hears of it in a
  // moment, and then this is called again.
  if (read_ledger(ledger->body()) != known->ledger) return reconciler_.finish(host);
  const Time now = env_.clock.now();
  if (answers.ledger_version != ledger->resource_version()) {
    answers = {.ledger_version = std::string(ledger->resource_version())};
  }
  LedgerPlan planned = plan(*known, answers, now);
  if (!planned.doubtful.empty()) {
    return ask(host, std::move(planned.doubtful), std::move(answers));
  }
  look_again(host, planned.recheck);
  Situation::Additions additions = situation_.additions(host, planned.claims, now);
  for (Claim& claim : additions.claims) planned.claims.push_back(std::move(claim));
  if (!additions.dropped.empty()) hooks_.claims_changed();
  Host next = *known;
  next.ledger.claims = planned.claims;
  next.weigh(now);
  json::Value summary = load_summary(next, now);
  const json::Value& told = api::field(api::field(ledger->body(), "status"), "load");
  const bool is_same = planned.claims == known->ledger.claims;
  if (is_same && !is_summary_due(host, told, summary)) return finish(host, {});
  json::Value after = with_claims(ledger->body(), planned.claims);
  after["status"]["load"] = std::move(summary);
  const Duration rest = undone_.rest(host, written_in(after), env_.clock.monotonic());
  if (rest > Duration::zero()) {
    reconciler_.add_after(host, rest);
    return finish(host, {});
  }
  submit(host, {.resource = resource_of(HostingResource::Ledgers),
                .before = ledger->body(),
                .after = std::move(after)});
}

LedgerPlan LedgersController::plan(const Host& host, const Answers& answers, Time now) const {
  const auto owner = [&](std::string_view uid) {
    ClaimOwner known = hooks_.owner(host.name, uid);
    const auto answer = answers.is_assigned.find(uid);
    if (answer != answers.is_assigned.end()) known.is_confirmed = answer->second;
    return known;
  };
  return plan_ledger({.host = host.name,
                      .claims = host.ledger.claims,
                      .owner = owner,
                      .assigned = situation_.assigned_to(host.name),
                      .now = now});
}

void LedgersController::ask(const std::string& host, std::vector<std::string> uids,
                            Answers answers) {
  if (uids.empty()) return work(host, std::move(answers));
  const std::string uid = std::move(uids.back());
  uids.pop_back();
  const HostedClusterRequest* request = situation_.find(uid);
  if (!request) return ask(host, std::move(uids), std::move(answers));
  api_.get({.resource = resource_of(HostingResource::Requests),
            .ns = request->facts.object_namespace,
            .name = request->facts.name},
           scope_.guard([this, host, uid, uids = std::move(uids), answers = std::move(answers),
                         known = *request](const Result<json::Value>& answer) mutable {
             if (!answer.ok() && !client::is_not_found(answer.error())) {
               return finish(host, failure(answer.error()));
             }
             answers.is_assigned[uid] = answer.ok() && has_assignment(*answer, known);
             ask(host, std::move(uids), std::move(answers));
           }));
}

// Amounts change with every pod; they are not worth a write each time.
bool LedgersController::is_summary_due(const std::string& host, const json::Value& before,
                                       const json::Value& after) {
  constexpr Duration kAmountsEvery = std::chrono::minutes(1);
  if (differ_in_counts(before, after)) return true;
  if (before == after) return false;
  const Instant now = env_.clock.monotonic();
  const auto [last, is_new] = summarised_.emplace(host, now);
  if (!is_new && now - last->second < kAmountsEvery) return false;
  last->second = now;
  return true;
}

void LedgersController::create(const std::string& host) {
  submit(host, {.resource = resource_of(HostingResource::Ledgers), .after = new_ledger(host)});
}

void LedgersController::submit(const std::string& host, control::Change change) {
  const json::Value written = written_in(*change.after);
  auto sequence = control::sequence_of(std::move(change));
  if (!sequence.ok()) return finish(host, failure(sequence.error()));
  const auto writes = std::make_shared<control::RememberedWrites>(*std::move(sequence));
  committer_.submit(writes, scope_.guard([this, host, written, writes](const Status& status) {
    if (status.ok()) undone_.note(host, written, env_.clock.monotonic());
    on_committed(host, *writes, status);
  }));
}

void LedgersController::on_committed(const std::string& host,
                                     const control::RememberedWrites& writes,
                                     const Status& status) {
  if (!status.ok()) {
    if (!is_everyday(status.error())) {
      env_.log.warn("hosting.ledger_failed", {{"host", host}, {"error", status.error().message}});
    }
    return finish(host, status);
  }
  // No second write on the picture before this one.
  when_shown(env_, followed_.informer(HostingResource::Ledgers),
             writes.version_of(resource_of(HostingResource::Ledgers)),
             scope_.guard([this, host] { finish(host, {}); }));
}

void LedgersController::finish(const std::string& host, const Status& status) {
  if (!situation_.settle(host, env_.clock.now()).empty()) hooks_.claims_changed();
  reconciler_.finish(host, status);
}

void LedgersController::look_again(const std::string& host, std::optional<Time> when) {
  if (!when) return;
  reconciler_.add_after(
      host, std::clamp<Duration>(*when - env_.clock.now(), std::chrono::milliseconds(1), kNapMax));
}

}  // namespace berth::hosting
