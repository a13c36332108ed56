// WatchedFeed: an ObjectFeed of any API server, by a watch on each kind.

#pragma once

#include "client/api_service.h"
#include "env/env.h"
#include "upkeep/object_feed_service.h"

namespace berth::upkeep {

class WatchedFeed final : public ObjectFeed {
 public:
  // The Api outlives the feed and whoever is followed.
  WatchedFeed(const env::Env& env, client::Api& api) : env_(env), api_(api) {}

  std::unique_ptr<FollowedKind> follow(const client::ResourceInfo& kind,
                                       FeedListener listener) override;

 private:
  env::Env env_;
  client::Api& api_;
};

}  // namespace berth::upkeep
