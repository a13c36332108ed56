// Tested by garbage_controller_test.cc.
#include "upkeep/watched_feed_service.h"

#include <utility>

#include "client/follower_service.h"

namespace berth::upkeep {
namespace {

client::FollowerSpec spec_of(const client::ResourceInfo& kind) {
  return {
      .collection = {.resource = kind.gvr},
      .projection = client::Projection::only({"metadata.ownerReferences", "metadata.finalizers"})};
}

class WatchedKind final : public FollowedKind {
 public:
  WatchedKind(const env::Env& env, client::Api& api, const client::ResourceInfo& kind,
              FeedListener listener)
      : listener_(std::move(listener)),
        follower_(
            env, api, spec_of(kind),
            {.on_state =
                 [this](const std::vector<client::ObjectPtr>& objects) {
                   std::vector<const json::Value*> bodies;
                   for (const auto& object : objects) bodies.push_back(&object->body());
                   listener_.on_state(bodies);
                 },
             .on_put = [this](const client::Object& o) { listener_.on_put(o.body()); },
             .on_removed = [this](const client::Object& o) { listener_.on_removed(o.body()); }}) {}

  bool has_synced() const override { return follower_.has_synced(); }

 private:
  FeedListener listener_;
  client::Follower follower_;
};

}  // namespace

std::unique_ptr<FollowedKind> WatchedFeed::follow(const client::ResourceInfo& kind,
                                                  FeedListener listener) {
  return std::make_unique<WatchedKind>(env_, api_, kind, std::move(listener));
}

}  // namespace berth::upkeep
