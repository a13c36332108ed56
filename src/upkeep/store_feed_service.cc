#include "upkeep/store_feed_service.h"

#include <deque>
#include <optional>
#include <utility>

namespace berth::upkeep {

class StoreFeed::Kind final : public FollowedKind {
 public:
  Kind(StoreFeed& feed, std::string table, FeedListener listener)
      : listener_(std::move(listener)), feed_(feed), table_(std::move(table)) {
    feed_.kinds_[table_].push_back(this);
  }
  ~Kind() override {
    const auto kinds = feed_.kinds_.find(table_);
    std::erase(kinds->second, this);
    if (kinds->second.empty()) feed_.kinds_.erase(kinds);
  }

  bool has_synced() const override { return known_.has_value(); }

  const std::string& table() const { return table_; }

  void tell_state(const std::vector<const json::Value*>& objects, store::Revision revision) {
    known_ = revision;
    listener_.on_state(objects);
  }

  // Changes that are in the state already come again when their batch does.
  bool is_news(store::Revision revision) const { return known_ && revision > *known_; }

  void tell(const store::EntryChange& change, const json::Value& object) {
    change.after ? listener_.on_put(object) : listener_.on_removed(object);
  }

  template <typename Task>
  auto guard(Task task) const {
    return scope_.guard(std::move(task));
  }

 private:
  FeedListener listener_;
  StoreFeed& feed_;
  std::string table_;
  std::optional<store::Revision> known_ = std::nullopt;  // Everything up to here was told.
  env::Scope scope_;
};

StoreFeed::StoreFeed(env::Loop& loop, store::Store& store) : loop_(loop), store_(store) {
  store_.follow(loop_, scope_.guard([this](const store::BatchPtr& batch) { on_batch(*batch); }));
}

std::unique_ptr<FollowedKind> StoreFeed::follow(const client::ResourceInfo& kind,
                                                FeedListener listener) {
  auto followed = std::make_unique<Kind>(*this, kind.gvr.text(), std::move(listener));
  loop_.post(followed->guard([this, &followed = *followed] { begin(followed); }));
  return followed;
}

void StoreFeed::begin(Kind& kind) {
  const store::SnapshotPtr snapshot = store_.snapshot();
  std::deque<json::Value> objects;
  std::vector<const json::Value*> pointers;
  snapshot->table(kind.table()).visit("", [&](std::string_view, const store::EntryPtr& entry) {
    pointers.push_back(&objects.emplace_back(read(*entry)));
    return true;
  });
  kind.tell_state(pointers, snapshot->revision());
}

void StoreFeed::on_batch(const store::Batch& batch) {
  for (const store::EntryChange& change : batch.changes) {
    const auto found = kinds_.find(change.key.table);
    if (found == kinds_.end()) continue;
    const json::Value object = read(change.after ? *change.after : *change.before);
    for (Kind* kind : found->second) {
      if (kind->is_news(change.revision)) kind->tell(change, object);
    }
  }
}

// The hub has written it, so it can be read.
json::Value StoreFeed::read(const store::Entry& entry) {
  Result<json::Value> object = parser_.parse(entry.text);
  return object.ok() ? *std::move(object) : json::Value();
}

}  // namespace berth::upkeep
