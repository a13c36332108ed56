// Tested by scheduler_service_test.cc.
#include "nodes/teller_service.h"

#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/kinds/pod.h"
#include "api/metadata.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "client/errors.h"
#include "nodes/cluster_feed_service.h"

namespace berth::nodes {
namespace {

using json::Value;

constexpr std::string_view kPodScheduled = "PodScheduled";
constexpr const char* kNodeEvents = "berth-scheduler";  // Who speaks about nodes.

// Longer ones are refused by the server; what is said first matters most.
constexpr std::size_t kNoteMax = 1024;

// A burst of decisions must not lose its events.
constexpr control::RecorderLimits kRecorderLimits = {.queue_max = 30'000};

Value reference_of(const PodName& pod) {
  return Value::object({{"apiVersion", "v1"},
                        {"kind", "Pod"},
                        {"namespace", pod.key.ns},
                        {"name", pod.key.name},
                        {"uid", pod.uid}});
}

std::string shortened(std::string text) {
  if (text.size() > kNoteMax) text = text.substr(0, kNoteMax - 3) + "...";
  return text;
}

}  // namespace

Teller::Teller(const env::Env& env, client::Api& api, client::Api& events,
               control::MayWrite may_write, std::string instance)
    : env_(env),
      api_(api),
      events_(events),
      may_write_(std::move(may_write)),
      instance_(std::move(instance)) {}

control::RecorderService& Teller::recorder(const std::string& scheduler) {
  auto& found = recorders_[scheduler];
  if (!found) {
    found = std::make_unique<control::RecorderService>(
        env_, events_,
        control::EventRecorderOptions{.controller = scheduler,
                                      .instance = fmt::format("{}-{}", scheduler, instance_)},
        kRecorderLimits);
  }
  return *found;
}

void Teller::see(const Value& pod) {
  const std::string uid(api::Metadata(pod).uid());
  if (api::Pod::from_json(pod).is_bound()) return forget(uid);
  for (const Value& condition : api::elements_field(api::field(pod, "status"), "conditions")) {
    if (api::field(condition, "type").string_or_empty() != kPodScheduled) continue;
    told_.insert_or_assign(uid, Condition{.status = api::text_field(condition, "status"),
                                          .reason = api::text_field(condition, "reason"),
                                          .message = api::text_field(condition, "message")});
  }
}

void Teller::forget(std::string_view uid) {
  if (const auto known = told_.find(uid); known != told_.end()) told_.erase(known);
}

void Teller::tell_bound(const BindPod& bound) {
  std::string note =
      fmt::format("Successfully assigned {} to {}", bound.pod.key.text(), bound.node);
  if (!bound.unweighed.empty()) {
    note += fmt::format("; not weighed: {}", join(bound.unweighed, ", "));
  }
  recorder(bound.pod.scheduler)
      .record({.regarding = reference_of(bound.pod),
               .reason = "Scheduled",
               .action = "Binding",
               .note = shortened(std::move(note))});
}

void Teller::tell_refused(const RefusePod& refused) {
  recorder(refused.pod.scheduler)
      .record({.regarding = reference_of(refused.pod),
               .type = control::EventType::Warning,
               .reason = "FailedScheduling",
               .action = "Scheduling",
               .note = shortened(refused.message)});
  write(refused.pod, {.status = "False", .reason = "Unschedulable", .message = refused.message});
}

void Teller::tell_gated(const GatedPod& gated) {
  write(gated.pod, {.status = "False", .reason = "SchedulingGated", .message = gated.message});
}

void Teller::tell_failed(const PodName& pod, const Error& error) {
  recorder(pod.scheduler)
      .record({.regarding = reference_of(pod),
               .type = control::EventType::Warning,
               .reason = "FailedScheduling",
               .action = "Binding",
               .note = shortened("binding failed: " + error.message)});
  write(pod, {.status = "False", .reason = "SchedulerError", .message = error.message});
}

void Teller::tell_node(const Value& node, const std::vector<std::string>& problems) {
  Value reference = Value::object({{"apiVersion", "v1"},
                                   {"kind", "Node"},
                                   {"name", api::Metadata(node).name()},
                                   {"uid", api::Metadata(node).uid()}});
  recorder(kNodeEvents)
      .record({.regarding = std::move(reference),
               .type = control::EventType::Warning,
               .reason = "InvalidReservation",
               .action = "Reading",
               .note = shortened(join(problems, "; "))});
}

// The server merges conditions by their type; when this one began to be False is left as it was.
void Teller::write(const PodName& pod, Condition condition) {
  const auto known = told_.find(pod.uid);
  const bool was_so = known != told_.end() && known->second.status == condition.status;
  if ((was_so && known->second == condition) || !may_write_()) return;
  Value written = Value::object({{"type", kPodScheduled},
                                 {"status", condition.status},
                                 {"reason", condition.reason},
                                 {"message", condition.message}});
  if (!was_so) written["lastTransitionTime"] = format_seconds(env_.clock.now());
  Value patch = Value::object({{"metadata", Value::object({{"uid", pod.uid}})}});
  patch["status"]["conditions"] = Value::array({std::move(written)});
  told_.insert_or_assign(pod.uid, std::move(condition));
  ++in_flight_;
  api_.patch({.resource = pods_resource(),
              .ns = pod.key.ns,
              .name = pod.key.name,
              .subresource = "status"},
             patch, {.type = client::PatchType::Strategic},
             scope_.guard([this, pod](const Result<Value>& answer) {
               --in_flight_;
               if (answer.ok()) return;
               forget(pod.uid);  // Said again after the next try.
               const bool is_gone =
                   client::is_not_found(answer.error()) || client::is_conflict(answer.error());
               if (is_gone) return;
               env_.log.warn("scheduler.condition_failed",
                             {{"pod", pod.key.text()}, {"error", answer.error().message}});
             }));
}

}  // namespace berth::nodes
