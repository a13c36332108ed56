// Tested by scheduler_service_test.cc.
#include "nodes/binder_service.h"

#include <algorithm>
#include <utility>

#include "api/kinds/pod.h"
#include "api/metadata.h"
#include "base/check.h"
#include "base/error.h"
#include "client/errors.h"
#include "nodes/cluster_feed_service.h"
#include "nodes/pod_facts.h"

namespace berth::nodes {
namespace {

using json::Value;

constexpr Duration kDelayFirst = std::chrono::seconds(1);
constexpr Duration kDelayMax = std::chrono::seconds(10);

// A server that says so often that something is wrong with it will not bind this one.
constexpr int kServerErrorsMax = 5;

bool is_server_error(const Error& error) { return http_status(error.code) >= 500; }

}  // namespace

Value Binding::to_json() const {
  Value object = Value::object({{"apiVersion", "v1"}, {"kind", "Binding"}});
  object["metadata"] = Value::object({{"name", pod.name}, {"namespace", pod.ns}, {"uid", uid}});
  if (!claim.empty()) object["metadata"]["annotations"][kClaimAnnotation] = claim;
  object["target"] = Value::object({{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}});
  return object;
}

Binder::Binder(const env::Env& env, client::Api& api, control::MayWrite may_write,
               std::function<bool(const std::string&)> is_open)
    : env_(env), api_(api), may_write_(std::move(may_write)), is_open_(std::move(is_open)) {}

void Binder::bind(Binding binding, Done done) {
  const std::string uid = binding.uid;
  const bool is_new =
      running_.emplace(uid, Run{.binding = std::move(binding), .done = std::move(done)}).second;
  CHECK(is_new);
  send(uid);
}

void Binder::send(const std::string& uid) {
  Run& run = running_.find(uid)->second;
  if (!may_write_()) {
    running_.erase(uid);
    return;
  }
  ++run.attempts;
  const api::ObjectKey& pod = run.binding.pod;
  api_.create(
      {.resource = pods_resource(), .ns = pod.ns, .name = pod.name, .subresource = "binding"},
      run.binding.to_json(), {},
      scope_.guard([this, uid](const Result<Value>& answer) { on_answer(uid, answer); }));
}

void Binder::on_answer(const std::string& uid, const Result<Value>& answer) {
  if (answer.ok()) return finish(uid, {});
  const Error& error = answer.error();
  const Run& run = running_.find(uid)->second;
  if (client::is_conflict(error)) return look(uid, error);
  if (client::network_failure(error)) return try_later(uid);
  if (is_server_error(error)) {
    return run.attempts < kServerErrorsMax ? try_later(uid) : look(uid, error);
  }
  finish(uid, {.status = failure(error)});
}

// It may be bound already: by a try of ours whose answer was lost, or by somebody else.
void Binder::look(const std::string& uid, const Error& refusal) {
  const api::ObjectKey& key = running_.find(uid)->second.binding.pod;
  api_.get({.resource = pods_resource(), .ns = key.ns, .name = key.name},
           scope_.guard([this, uid, refusal](Result<Value> pod) {
             if (!pod.ok() && client::network_failure(pod.error())) return try_later(uid);
             const bool is_it = pod.ok() && api::Metadata(*pod).uid() == uid;
             const bool is_ours = is_it && api::Pod::from_json(*pod).node_name ==
                                               running_.find(uid)->second.binding.node;
             Ended ended{.status = is_ours ? Status() : Status(failure(refusal))};
             if (is_it) ended.pod = *std::move(pod);
             finish(uid, ended);
           }));
}

void Binder::try_later(const std::string& uid) {
  Run& run = running_.find(uid)->second;
  Duration delay = kDelayFirst;
  for (int i = 1; i < run.attempts && delay < kDelayMax; ++i) delay *= 2;
  run.timer =
      env::after(env_.loop, env_.clock, std::min(delay, kDelayMax), scope_.guard([this, uid] {
        // Whoever has heard of it knows where it is.
        is_open_(uid) ? send(uid) : finish(uid, {});
      }));
}

void Binder::finish(const std::string& uid, const Ended& ended) {
  auto run = running_.extract(uid);
  run.mapped().done(ended);
}

}  // namespace berth::nodes
