// StoreFeed: an ObjectFeed by the store of a hub in the same process. A hub that looks after itself
// needs no watch on every kind for it, and one with a thousand clusters not forty thousand.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/loop.h"
#include "env/scope.h"
#include "json/parse.h"
#include "store/store_service.h"
#include "upkeep/object_feed_service.h"

namespace berth::upkeep {

// Lives on the loop, and so do its listeners. Only tells: whether something is gone is asked of the
// API server all the same.
class StoreFeed final : public ObjectFeed {
 public:
  // The store outlives it.
  StoreFeed(env::Loop& loop, store::Store& store);

  // What is followed dies before the feed.
  std::unique_ptr<FollowedKind> follow(const client::ResourceInfo& kind,
                                       FeedListener listener) override;

 private:
  class Kind;

  void on_batch(const store::Batch& batch);
  void begin(Kind& kind);
  json::Value read(const store::Entry& entry);

  env::Loop& loop_;
  store::Store& store_;
  json::Parser parser_;
  std::map<std::string, std::vector<Kind*>, std::less<>> kinds_;  // By table.
  env::Scope scope_;
};

}  // namespace berth::upkeep
