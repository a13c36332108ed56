// Collects garbage: what was owned goes when its last owner goes, in the background, before its
// owner, or not at all, as whoever deleted the owner wanted.
//
// The graph says where to look. Before anything is deleted, the object and the owners that seem to
// be missing are asked for at the hub, and the deletion holds only for what was seen.

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "client/api_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "upkeep/garbage.h"
#include "upkeep/object_feed_service.h"
#include "upkeep/owner_graph.h"
#include "upkeep/served_service.h"

namespace berth::upkeep {

class GarbageController {
 public:
  // All that is borrowed outlives the controller.
  GarbageController(const env::Env& env, client::Api& api, ObjectFeed& feed, Served& served,
                    const control::MayWrite& may_write);

  bool has_synced() const { return started_; }
  bool is_idle() const { return reconciler_.is_idle(); }
  const OwnerGraph& graph() const { return graph_; }

 private:
  struct Collection {
    ResourceId id;
    Instant since;
    std::unique_ptr<FollowedKind> followed;
  };
  // An object that is looked at, and what is known of its owners so far.
  struct Look {
    ObjectId id;
    json::Value object;
    std::vector<OwnerState> owners = {};
  };
  using LookPtr = std::shared_ptr<Look>;

  void on_served();
  void follow(const client::ResourceInfo& info);
  void enqueue(const OwnerGraph::Affected& affected);
  void start_when_settled();
  bool is_settled() const;

  void work(const ObjectId& id);
  void begin(const ObjectId& id, Result<json::Value> live);
  void look_on(const LookPtr& look);
  OwnerState known_state(const Look& look, const json::Value& reference);
  void ask(const LookPtr& look, const json::Value& reference, const client::ResourceInfo& info);
  void conclude(const LookPtr& look);
  void remove(const LookPtr& look, Cascade cascade);
  void end_foreground(const LookPtr& look);
  void orphan(const LookPtr& look, std::vector<Dependent> dependents);
  void release(const LookPtr& look, const Dependent& dependent, env::Task next);
  void write(const ObjectId& id, const json::Value& before, json::Value after);
  void finish(const ObjectId& id, const Status& status);

  const client::ResourceInfo* find_kind(const json::Value& reference) const;
  client::ResourcePath path_of(const ObjectId& id) const;
  std::string text_of(const ObjectId& id) const;

  env::Env env_;
  client::Api& api_;
  ObjectFeed& feed_;
  Served& served_;
  control::MayWrite may_write_;
  control::Committer committer_;
  control::Reconciler<ObjectId> reconciler_;
  OwnerGraph graph_;
  std::vector<client::ResourceInfo> infos_;  // By ResourceId; ids are never used again.
  std::map<client::Gvr, Collection> collections_;
  std::set<ObjectId> undecided_;  // Some owner cannot be asked for, as things are served now.
  std::set<std::string> absent_;  // "namespace/uid" of owners that the hub said are gone.
  bool started_ = false;
  env::Counter& deleted_;
  env::Timer patience_ = {};
  env::Scope scope_;
};

}  // namespace berth::upkeep
