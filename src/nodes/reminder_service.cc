// Tested by extender_service_test.cc.
#include "nodes/reminder_service.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/rfc3339.h"
#include "client/errors.h"
#include "nodes/cluster_feed_service.h"
#include "nodes/extending.h"

namespace berth::nodes {
namespace {

using json::Value;

// More than that wait for kube-scheduler's own rounds.
constexpr std::size_t kRefusedMax = 10'000;

// Changes come in groups; all of a group are looked at together.
constexpr Duration kGather = std::chrono::milliseconds(100);
constexpr Duration kAfterFailure = std::chrono::seconds(1);

}  // namespace

Reminder::Reminder(const env::Env& env, client::Api& api, const Snapshot& snapshot)
    : env_(env),
      api_(api),
      snapshot_(snapshot),
      reminders_(env_.metrics.counter({"berth_extender_reminders_total",
                                       "Refused pods that were told that room is free now."})) {}

void Reminder::note(const PendingPod& pod, std::vector<std::string> nodes) {
  const std::string& uid = pod.facts.uid;
  if (refused_.size() >= kRefusedMax && !refused_.contains(uid)) return;
  refused_.insert_or_assign(uid, Refused{.pod = pod, .nodes = std::move(nodes)});
}

void Reminder::forget(std::string_view uid) {
  if (const auto known = refused_.find(uid); known != refused_.end()) refused_.erase(known);
}

void Reminder::on_changed() {
  if (!refused_.empty()) arm(kGather);
}

void Reminder::arm(Duration delay) {
  if (std::exchange(is_armed_, true)) return;
  timer_ = env::after(env_.loop, env_.clock, delay, scope_.guard([this] {
    is_armed_ = false;
    look();
  }));
}

void Reminder::look() {
  for (auto next = refused_.begin(); next != refused_.end();) {
    const auto one = next++;
    const Cycle cycle = Cycle::of(snapshot_, one->second.pod);
    const auto free = std::ranges::find_if(one->second.nodes, [&](const std::string& name) {
      const auto node = snapshot_.find_node(name);
      return node && hold_objection(cycle, *node).empty();
    });
    if (free == one->second.nodes.end()) continue;
    const std::string node = *free;
    const Refused refused = std::move(refused_.extract(one).mapped());
    remind(refused, node);
  }
}

// With the moment in the message: a condition that is as it was would be no change.
void Reminder::remind(const Refused& refused, const std::string& node) {
  reminders_.increment();
  const PodFacts& pod = refused.pod.facts;
  const Time now = env_.clock.now();
  Value patch = Value::object({{"metadata", Value::object({{"uid", pod.uid}})}});
  patch["status"]["conditions"] = Value::array(
      {Value::object({{"type", kRoomReleased},
                      {"status", "True"},
                      {"reason", "NotHeld"},
                      {"message", fmt::format("{} is not kept from this pod any more, since {}",
                                              node, format_micros(now))},
                      {"lastTransitionTime", format_seconds(now)}})});
  api_.patch({.resource = pods_resource(),
              .ns = pod.key.ns,
              .name = pod.key.name,
              .subresource = "status"},
             patch, {.type = client::PatchType::Strategic},
             scope_.guard([this, refused](const Result<Value>& answer) {
               if (answer.ok() || client::is_not_found(answer.error()) ||
                   client::is_conflict(answer.error())) {
                 return;
               }
               env_.log.warn("extender.reminder_failed", {{"pod", refused.pod.facts.key.text()},
                                                          {"error", answer.error().message}});
               // Unless it was asked about meanwhile.
               refused_.try_emplace(refused.pod.facts.uid, refused);
               arm(kAfterFailure);
             }));
}

}  // namespace berth::nodes
