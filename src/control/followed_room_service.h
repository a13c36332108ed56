// Follows the nodes and pods of a cluster for somebody who counts what room they leave.

#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "client/api_service.h"
#include "client/follower_service.h"
#include "env/env.h"

namespace berth::control {

// Proof in time for numbers that shall not lapse without need.
client::FollowerProof proof_within(Duration silence_max);

// All that says how much room a node has and whether it counts, and what pods ask for. Ended pods
// are not even sent.
client::FollowerSpec node_room_spec(Duration silence_max);
client::FollowerSpec pod_room_spec(Duration silence_max);

// `Counter` has put_node(Value), put_pod(Value), which may fail, remove_node(name),
// remove_pod(key), clear_nodes() and clear_pods().
template <typename Counter>
class FollowedRoom {
 public:
  // `changed` is called on the loop after each change. Starts at once. The Api and the counter
  // outlive this.
  FollowedRoom(const env::Env& env, client::Api& cluster, Counter& counter, Duration silence_max,
               env::Task changed)
      : log_(env.log),
        counter_(counter),
        changed_(std::move(changed)),
        nodes_(env, cluster, node_room_spec(silence_max), listen_to_nodes()),
        pods_(env, cluster, pod_room_spec(silence_max), listen_to_pods()) {}

  bool has_synced() const { return nodes_.has_synced() && pods_.has_synced(); }
  bool is_watching() const { return nodes_.is_watching() && pods_.is_watching(); }

  // When it was last proven that every change of both was heard of.
  std::optional<Instant> last_sign() const {
    const auto nodes = nodes_.last_sign();
    const auto pods = pods_.last_sign();
    if (!nodes || !pods) return std::nullopt;
    return std::min(*nodes, *pods);
  }

  // What keeps it from reading; "": nothing that is known.
  std::string trouble() const {
    return nodes_.trouble().empty() ? pods_.trouble() : nodes_.trouble();
  }

 private:
  client::FollowerListener listen_to_nodes() {
    return {.on_state =
                [this](const std::vector<client::ObjectPtr>& all) {
                  counter_.clear_nodes();
                  for (const auto& node : all) note(counter_.put_node(node->body()), *node);
                  changed_();
                },
            .on_put =
                [this](const client::Object& node) {
                  note(counter_.put_node(node.body()), node);
                  changed_();
                },
            .on_removed =
                [this](const client::Object& node) {
                  counter_.remove_node(node.name());
                  changed_();
                }};
  }

  client::FollowerListener listen_to_pods() {
    return {.on_state =
                [this](const std::vector<client::ObjectPtr>& all) {
                  counter_.clear_pods();
                  for (const auto& pod : all) note(counter_.put_pod(pod->body()), *pod);
                  changed_();
                },
            .on_put =
                [this](const client::Object& pod) {
                  note(counter_.put_pod(pod.body()), pod);
                  changed_();
                },
            .on_removed =
                [this](const client::Object& pod) {
                  counter_.remove_pod(pod.key());
                  changed_();
                }};
  }

  void note(const Status& status, const client::Object& object) {
    if (status.ok()) return;
    log_.warn("room.object_not_counted",
              {{"key", object.key().text()}, {"error", status.error().message}});
  }

  env::Log& log_;
  Counter& counter_;
  env::Task changed_;
  client::Follower nodes_;
  client::Follower pods_;
};

}  // namespace berth::control
