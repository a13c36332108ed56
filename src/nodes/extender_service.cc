#include "nodes/extender_service.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/kinds/fields.h"
#include "api/kinds/pod.h"
#include "api/metadata.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::nodes {
namespace {

using json::Value;

constexpr std::size_t kAskedMax = 10'000;
constexpr Duration kNapMax = std::chrono::minutes(1);  // The calendar may be set meanwhile.

void send(http::Answer& answer, const Value& document) {
  http::ResponseHead head{.status = 200};
  head.headers.add("content-type", "application/json");
  answer.send(std::move(head), http::Body(json::print(document)));
}

Value bind_result(std::string_view error) { return Value::object({{"Error", error}}); }

}  // namespace

ExtenderService::ExtenderService(const env::Env& env, client::Api& api)
    : env_(env),
      api_(api),
      scheduling_({.profiles = {}}),
      binder_(
          env, api, [] { return true; },
          [this](const std::string& uid) { return scheduling_.is_binding(uid); }),
      questions_(env_.metrics.counter(
          {"berth_extender_questions_total", "What kube-scheduler has asked."})),
      refusals_(env_.metrics.counter(
          {"berth_extender_refused_nodes_total", "Nodes that were refused for a hold."})),
      reminder_(env, api, scheduling_.snapshot()),
      feed_(env, api, scheduling_, feed_hooks()) {
  arm_expiry();
}

ClusterFeed::Hooks ExtenderService::feed_hooks() {
  return {.changed = [this] { reminder_.on_changed(); },
          .saw_pod =
              [this](const Value& pod) {
                if (api::Pod::from_json(pod).is_bound()) {
                  reminder_.forget(api::Metadata(pod).uid());
                }
              },
          .lost_pod = [this](std::string_view uid) { reminder_.forget(uid); }};
}

control::Route ExtenderService::route() {
  return [this](http::ServerRequest request, http::Answer its_answer) {
    answer(request, std::move(its_answer));
  };
}

// Holds end by the clock, whoever is asked next.
void ExtenderService::arm_expiry() {
  const Now now{env_.clock.monotonic(), env_.clock.now()};
  const auto next_before = scheduling_.next_expiry();
  scheduling_.expire(now);
  if (scheduling_.next_expiry() != next_before) reminder_.on_changed();
  Duration nap = std::chrono::seconds(1);
  if (const auto next = scheduling_.next_expiry()) {
    nap = std::clamp<Duration>(*next - now.time, std::chrono::milliseconds(10), nap);
  }
  expiry_ = env::after(env_.loop, env_.clock, std::min(nap, kNapMax),
                       scope_.guard([this] { arm_expiry(); }));
}

void ExtenderService::answer(const http::ServerRequest& request, http::Answer answer) {
  questions_.increment();
  if (request.head.method != http::Method::Post) {
    return answer.send_error({Code::MethodNotAllowed, "questions are POSTed"});
  }
  if (!has_synced()) {
    return answer.send_error({Code::ServiceUnavailable, "reading the cluster"});
  }
  const auto body = json::parse(request.body);
  if (!body.ok()) return answer.send_error({Code::BadRequest, body.error().message});
  std::string_view path = request.head.target;
  path = path.substr(0, path.find('?'));
  const std::string_view verb = path.substr(path.rfind('/') + 1);
  if (verb == "bind") return bind(*body, std::move(answer));
  const auto decided = decide(verb, *body);
  if (!decided.ok()) return answer.send_error(decided.error());
  send(answer, *decided);
}

Result<Value> ExtenderService::decide(std::string_view verb, const Value& body) {
  const Snapshot& snapshot = scheduling_.snapshot();
  if (verb == "preempt") return extender_preempt(snapshot, body);
  if (verb != "filter" && verb != "prioritize") {
    return failure(Code::NotFound, "there are /filter, /prioritize, /preempt and /bind");
  }
  ASSIGN_OR_RETURN(const ExtenderArgs arguments, ExtenderArgs::from_json(body));
  if (verb == "prioritize") return extender_prioritize(snapshot, arguments);
  return filter(arguments);
}

Value ExtenderService::filter(const ExtenderArgs& arguments) {
  remember(arguments.pod);
  Value result = extender_filter(scheduling_.snapshot(), arguments);
  std::vector<std::string> refused;
  for (const json::Member& one : api::field(result, "FailedAndUnresolvableNodes").members()) {
    refused.emplace_back(one.name());
  }
  refusals_.add(static_cast<double>(refused.size()));
  if (refused.empty()) {
    reminder_.forget(arguments.pod.facts.uid);
  } else {
    reminder_.note(arguments.pod, std::move(refused));
  }
  return result;
}

// A binding names its pod only; what it needs was in the question.
void ExtenderService::remember(const PendingPod& pod) {
  const std::string& uid = pod.facts.uid;
  if (asked_about_.insert_or_assign(uid, pod).second) asked_order_.push_back(uid);
  while (asked_order_.size() > kAskedMax) {
    asked_about_.erase(asked_order_.front());
    asked_order_.pop_front();
  }
}

void ExtenderService::bind(const Value& body, http::Answer answer) {
  const std::string uid = api::text_field(body, "PodUID");
  const std::string node = api::text_field(body, "Node");
  const api::ObjectKey key{api::text_field(body, "PodNamespace"), api::text_field(body, "PodName")};
  if (key.name.empty() || node.empty()) {
    return answer.send_error({Code::BadRequest, "PodName and Node must be there"});
  }
  if (const auto known = asked_about_.find(uid); known != asked_about_.end()) {
    return bind_known(known->second, node, std::move(answer));
  }
  // Asked of another process of ours, or before this one began.
  auto shared = std::make_shared<http::Answer>(std::move(answer));
  api_.get({.resource = pods_resource(), .ns = key.ns, .name = key.name},
           scope_.guard([this, uid, node, shared](const Result<Value>& pod) {
             if (!pod.ok()) return send(*shared, bind_result(pod.error().message));
             auto facts = PodFacts::from_json(*pod);
             if (!facts.ok()) return send(*shared, bind_result(facts.error().message));
             if (!uid.empty() && facts->uid != uid) {
               return send(*shared, bind_result("the pod is another one now"));
             }
             bind_known({.facts = *std::move(facts), .wishes = PodWishes::from_json(*pod)}, node,
                        std::move(*shared));
           }));
}

void ExtenderService::bind_known(const PendingPod& pod, const std::string& node,
                                 http::Answer answer) {
  const Snapshot& snapshot = scheduling_.snapshot();
  const std::string uid = pod.facts.uid;
  if (binding_.contains(uid)) return send(answer, bind_result("the binding is under way"));
  // Somebody may have taken the reservation since kube-scheduler asked.
  const auto slot = snapshot.find_node(node);
  const std::string objection =
      slot ? hold_objection(Cycle::of(snapshot, pod), *slot) : std::string();
  if (!objection.empty()) return send(answer, bind_result(objection));
  PodFacts placed = pod.facts;
  placed.node = node;
  placed.claim = claim_of(snapshot, pod, node);
  scheduling_.assume(placed);
  binding_.insert(uid);
  auto shared = std::make_shared<http::Answer>(std::move(answer));
  binder_.bind({.pod = placed.key, .uid = uid, .node = node, .claim = placed.claim},
               scope_.guard([this, uid, shared](const Binder::Ended& ended) {
                 binding_.erase(uid);
                 const Now now{env_.clock.monotonic(), env_.clock.now()};
                 if (ended.pod) (void)scheduling_.put_pod(*ended.pod, now);
                 if (ended.status.ok()) {
                   scheduling_.on_bound(uid);
                 } else {
                   scheduling_.on_bind_failed(uid, now);
                 }
                 send(*shared, bind_result(ended.status.ok() ? "" : ended.status.error().message));
               }));
}

}  // namespace berth::nodes
