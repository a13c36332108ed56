// A cluster's API server in a simulated world that binds pods as Kubernetes does: for the tests of
// whatever schedules.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "json/value.h"
#include "nodes/cluster_feed_service.h"

namespace berth::nodes::testing {

class ModelCluster {
 public:
  using ModelAnswer = client::testing::ModelAnswer;
  using ModelRequest = client::testing::ModelRequest;

  // How the next bindings fare, besides the rules.
  enum class Mishap { None, Error, Forbidden, ErrorAfterAll };

  std::unique_ptr<client::testing::ModelServer> serve(const env::Env& env) {
    return hub.serve(env,
                     {.trouble = [this] { return trouble(); },
                      .first = [this](const ModelRequest& request) { return first(request); }});
  }

  const json::Value* find_pod(const std::string& key) { return hub.find(pods_resource(), key); }

  // "" while it waits, and when there is no such pod.
  std::string node_of(const std::string& key) {
    const json::Value* pod = find_pod(key);
    return pod ? api::text_field(api::field(*pod, "spec"), "nodeName") : "";
  }

  // "Unschedulable: 0/1 nodes ..."
  std::string scheduled_condition(const std::string& key) {
    const json::Value* pod = find_pod(key);
    if (!pod) return "";
    for (const json::Value& condition :
         api::elements_field(api::field(*pod, "status"), "conditions")) {
      if (api::field(condition, "type").string_or_empty() != "PodScheduled") continue;
      return api::text_field(condition, "reason") + ": " + api::text_field(condition, "message");
    }
    return "";
  }

  // How many events of that reason there are, and the note of the last.
  std::pair<int, std::string> events(std::string_view reason) {
    std::pair<int, std::string> found;
    for (const auto& [key, event] : hub.store({"events.k8s.io", "v1", "events"}).state()) {
      if (api::field(event, "reason").string_or_empty() != reason) continue;
      ++found.first;
      found.second = api::text_field(event, "note");
    }
    return found;
  }

  // The kubelet's last word about a pod that is being deleted, or the garbage collector's.
  void erase_pod(const std::string& key) { hub.erase(pods_resource(), key); }

  void begin_deletion(const std::string& key) {
    json::Value pod = *find_pod(key);
    pod["metadata"]["deletionTimestamp"] = "2027-01-15T08:00:10Z";
    hub.put(pods_resource(), std::move(pod));
  }

  control::testing::ModelHub hub;
  Mishap mishap = Mishap::None;
  int mishaps = 0;   // How many bindings it concerns.
  int bindings = 0;  // How many have been asked for.
  std::function<int()> trouble = [] { return 0; };
  std::function<void(const std::string& pod, const std::string& node)> on_bound =
      [](const std::string&, const std::string&) {};

 private:
  static ModelAnswer status(int code, std::string_view reason, std::string_view message) {
    return {.status = code,
            .document = json::Value::object({{"kind", "Status"},
                                             {"apiVersion", "v1"},
                                             {"status", code < 300 ? "Success" : "Failure"},
                                             {"reason", reason},
                                             {"message", message},
                                             {"code", code}})};
  }

  std::optional<ModelAnswer> first(const ModelRequest& request) {
    if (!request.path.ends_with("/binding")) return std::nullopt;
    ++bindings;
    const bool goes_wrong = mishap != Mishap::None && mishaps > 0;
    if (goes_wrong) --mishaps;
    if (goes_wrong && mishap == Mishap::Error) return status(500, "InternalError", "oops");
    if (goes_wrong && mishap == Mishap::Forbidden) return status(403, "Forbidden", "not you");
    ModelAnswer answer = bind(json::parse(request.body).value());
    if (goes_wrong) return status(500, "InternalError", "oops");
    return answer;
  }

  ModelAnswer bind(const json::Value& binding) {
    const api::Metadata metadata(binding);
    const std::string key = metadata.key().text();
    const json::Value* found = find_pod(key);
    if (!found) return status(404, "NotFound", "pods \"" + key + "\" not found");
    json::Value pod = *found;
    const bool is_it = metadata.uid().empty() || metadata.uid() == api::Metadata(pod).uid();
    if (!is_it) return status(409, "Conflict", "the uid in the precondition differs");
    if (api::Metadata(pod).is_being_deleted()) return status(409, "Conflict", "is being deleted");
    if (!node_of(key).empty()) return status(409, "Conflict", "is already assigned to a node");
    const std::string node = api::text_field(api::field(binding, "target"), "name");
    pod["spec"]["nodeName"] = node;
    for (const api::Label& annotation :
         api::labels_field(api::field(binding, "metadata"), "annotations")) {
      pod["metadata"]["annotations"][annotation.key] = annotation.value;
    }
    hub.put(pods_resource(), std::move(pod));
    on_bound(key, node);
    return status(201, "", "");
  }
};

}  // namespace berth::nodes::testing
