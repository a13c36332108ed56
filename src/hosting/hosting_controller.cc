#include "hosting/hosting_controller.h"

#include <algorithm>
#include <utility>

#include "api/kinds/placement_decision.h"
#include "api/metadata.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

// So many decisions, then others have their turn.
constexpr std::size_t kSlice = 128;

// Between two sweeps: what changes in bursts is looked at once.
constexpr Duration kPause = std::chrono::milliseconds(20);

client::InformerSpec counts_spec() {
  return {.collection = {.resource = resource_of(HostingResource::Scores)},
          .selection = {.fields = "metadata.name=" + std::string(kCountScore)},
          .projection = client::Projection::only(
              {"metadata.managedFields[].time", "metadata.managedFields[].fieldsV1", "status"})};
}

const json::Value* body_of(const client::ObjectPtr& object) {
  return object ? &object->body() : nullptr;
}

}  // namespace

HostingController::HostingController(const env::Env& env, client::Api& api,
                                     client::Informers& informers,
                                     control::RecorderService& recorder,
                                     control::MayWrite may_write, HostingOptions options)
    : env_(env),
      options_(std::move(options)),
      committer_(env.loop, api, std::move(may_write), {.field_manager = "berth-hosting"}),
      ledgers_(env, api, committer_, followed_, situation_,
               {.owner = [this](const std::string& host,
                                std::string_view uid) { return owner_of(host, uid); },
                .claims_changed = [this] { sweep_soon(); }}),
      requests_(env, api, committer_, recorder, followed_, situation_,
                {.ledger_is_due = [this](const std::string& host) { ledgers_.add(host); },
                 .read =
                     [this](const json::Value& object) {
                       return read_request(object, options_.classes);
                     }}),
      capacity_(env, committer_, followed_, situation_),
      followed_(
          informers, hosting_resources(),
          [this](HostingResource kind, const client::ObjectKey& key) { refresh(kind, key); },
          [this] { begin_when_synced(); }),
      counts_(env, api, counts_spec()) {
  counts_handler_ = counts_.add_handler(scope_.guard([this](const client::Delta& delta) {
    if (delta.object().name() == kCountScore) refresh_host(std::string(delta.object().ns()));
    begin_when_synced();
  }));
  counts_.when_synced(scope_.guard([this] { begin_when_synced(); }));
  counts_.start();
  arm_tick();
}

bool HostingController::is_idle() const {
  return has_synced() && !sweeping_ && !sweep_is_due_ && ledgers_.is_idle() && requests_.is_idle();
}

void HostingController::begin_when_synced() {
  if (has_begun_ || !followed_.has_synced() || !counts_.has_synced(counts_handler_)) return;
  has_begun_ = true;
  env_.log.info("hosting.synced",
                {{"requests", situation_.requests()}, {"clusters", situation_.hosts().size()}});
  ledgers_.start();
  requests_.start();
  capacity_.start();
  sweep_soon();
}

void HostingController::refresh(HostingResource kind, const client::ObjectKey& key) {
  switch (kind) {
    case HostingResource::Requests:
      return refresh_request(key);
    case HostingResource::Ledgers:
      if (key.name == kLedgerName) refresh_host(key.ns);
      return;
    case HostingResource::Clusters:
      return refresh_host(key.name);
    case HostingResource::Scores:
      return;  // The counts come with their times; what we publish is nobody's news.
    case HostingResource::AddOns:
      if (key.name == kHyperShiftAddOn) refresh_host(key.ns);
      return;
    case HostingResource::Configs:
      return refresh_config(key);
    case HostingResource::Decisions:
      return refresh_selection(key);
    case HostingResource::Works:
      return refresh_work(key);
  }
}

void HostingController::refresh_request(const client::ObjectKey& key) {
  const client::ObjectPtr object = followed_.store(HostingResource::Requests).find(key);
  const HostedClusterRequest* before = situation_.find(key);
  const std::string host_before = before ? before->host : "";
  const std::string infra_before = before ? before->held_infra_id() : "";
  if (before && (!object || object->uid() != before->facts.uid)) {
    const std::string gone = before->facts.uid;
    for (const HeldClaim& held : situation_.claims_of(gone)) ledgers_.add(held.host);
    requests_.forget(gone);
    situation_.remove_request(key);
  }
  if (!host_before.empty()) ledgers_.add(host_before);
  for (const std::string& other : situation_.sharing_infra_id(infra_before)) requests_.add(other);
  if (!object) return sweep_soon();
  HostedClusterRequest request = read_request(object->body(), options_.classes);
  const std::string uid = request.facts.uid;
  const std::string host = request.host;
  const std::string infra = request.held_infra_id();
  situation_.put_request(std::move(request));
  for (const std::string& other : situation_.sharing_infra_id(infra)) requests_.add(other);
  if (!host.empty()) ledgers_.add(host);
  for (const HeldClaim& held : situation_.claims_of(uid)) ledgers_.add(held.host);
  requests_.add(uid);
  if (host.empty()) sweep_soon();
}

void HostingController::refresh_host(const std::string& name) {
  const client::ObjectPtr cluster =
      followed_.store(HostingResource::Clusters).find({.ns = "", .name = name});
  const Host* before = situation_.find_host(name);
  const bool was_available = before && before->is_available && !before->is_deleting;
  Situation::Uids touched;
  bool is_available = false;
  if (cluster) {
    const auto find = [&](HostingResource kind, std::string_view object) {
      return followed_.store(kind).find({.ns = name, .name = std::string(object)});
    };
    const client::ObjectPtr ledger = find(HostingResource::Ledgers, kLedgerName);
    const client::ObjectPtr score =
        counts_.store().find({.ns = name, .name = std::string(kCountScore)});
    const client::ObjectPtr add_on = find(HostingResource::AddOns, kHyperShiftAddOn);
    client::ObjectPtr config;
    if (add_on) {
      const auto key = api::ObjectKey::parse(deployment_config_of(add_on->body()));
      if (key.ok()) config = followed_.store(HostingResource::Configs).find(*key);
    }
    const Time now = env_.clock.now();
    Host host = read_host({.cluster = cluster->body(),
                           .ledger = body_of(ledger),
                           .score = body_of(score),
                           .add_on = body_of(add_on),
                           .deployment_config = body_of(config)},
                          now);
    is_available = host.is_available && !host.is_deleting;
    touched = situation_.put_host(std::move(host), now);
  } else {
    touched = situation_.remove_host(name);
  }
  for (const std::string& uid : touched) requests_.add(uid);
  if (was_available != is_available) {
    for (const std::string& uid : situation_.assigned_to(name)) requests_.add(uid);
  }
  ledgers_.add(name);
  capacity_.add(name);
  sweep_soon();
}

void HostingController::refresh_config(const client::ObjectKey& key) {
  for (const client::ObjectPtr& add_on : followed_.store(HostingResource::AddOns).objects()) {
    if (add_on->name() != kHyperShiftAddOn) continue;
    if (deployment_config_of(add_on->body()) == key.text()) refresh_host(std::string(add_on->ns()));
  }
}

void HostingController::refresh_selection(const client::ObjectKey& decision) {
  const client::ObjectPtr object = followed_.store(HostingResource::Decisions).find(decision);
  std::set<client::ObjectKey> placements;
  if (const auto known = placement_of_.extract(decision)) placements.insert(known.mapped());
  if (object) {
    const auto read = api::read_placement_decision(object->body());
    const client::ObjectKey placement{decision.ns, std::string(read.placement())};
    placement_of_.emplace(decision, placement);
    placements.insert(placement);
  }
  for (const client::ObjectKey& placement : placements) {
    Selection clusters;
    for (const client::ObjectPtr& each :
         followed_.store(HostingResource::Decisions).in_namespace(placement.ns)) {
      const auto read = api::read_placement_decision(each->body());
      if (read.placement() != placement.name) continue;
      for (const auto& chosen : read.decisions) clusters.insert(chosen.cluster);
    }
    situation_.put_selection(placement, std::move(clusters));
  }
  sweep_soon();
}

void HostingController::refresh_work(const client::ObjectKey& key) {
  requests_.on_work(key);
  if (situation_.find_host(key.ns)) ledgers_.add(key.ns);
}

ClaimOwner HostingController::owner_of(const std::string& host, std::string_view uid) const {
  ClaimOwner owner{.request = situation_.find(uid), .work = requests_.find_work(host, uid)};
  if (owner.request && owner.request->facts.is_deleting && owner.request->host == host) {
    owner.is_gone = requests_.is_gone(*owner.request);
  }
  return owner;
}

// --- Sweeps --------------------------------------------------------------------------------------

void HostingController::sweep_soon() {
  if (!has_synced() || std::exchange(sweep_is_due_, true) || sweeping_) return;
  pause_ = env::after(env_.loop, env_.clock, kPause, scope_.guard([this] { begin_sweep(); }));
}

void HostingController::begin_sweep() {
  sweep_is_due_ = false;
  sweeping_ = true;
  waiting_ = situation_.waiting(env_.clock.now());
  std::ranges::reverse(waiting_);
  continue_sweep();
}

void HostingController::continue_sweep() {
  const Time now = env_.clock.now();
  for (std::size_t i = 0; i < kSlice && !waiting_.empty(); ++i) {
    const std::string uid = std::move(waiting_.back());
    waiting_.pop_back();
    if (!situation_.is_waiting(uid, now)) continue;
    ++decisions_;
    const Situation::Assignment assignment = situation_.assign(uid, now);
    if (assignment.host.empty()) {
      requests_.tell_refusal(uid);
    } else {
      ledgers_.add(assignment.host);
    }
  }
  if (!waiting_.empty()) {
    return env_.loop.post(scope_.guard([this] { continue_sweep(); }));
  }
  sweeping_ = false;
  if (std::exchange(sweep_is_due_, false)) sweep_soon();
}

// Reports grow old and deadlines pass without any event.
void HostingController::on_tick() {
  if (has_synced()) {
    for (const client::ObjectPtr& cluster : followed_.store(HostingResource::Clusters).objects()) {
      refresh_host(std::string(cluster->name()));
    }
  }
  arm_tick();
}

void HostingController::arm_tick() {
  tick_ = env::after(env_.loop, env_.clock, options_.tick, scope_.guard([this] { on_tick(); }));
}

}  // namespace berth::hosting
