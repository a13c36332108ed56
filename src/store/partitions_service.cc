#include "store/partitions_service.h"

#include <utility>
#include <vector>

#include "base/check.h"
#include "store/partition.h"

namespace berth::store {

class Partitions::Partition final : public Store {
 public:
  Partition(Partitions& whole, const std::string& name)
      : whole_(whole), view_(name), position_(whole.position_) {}

  void write(EntryWrite write, env::Loop& answer_on, Done done) override {
    write.key.table = view_.whole_name(write.key.table);
    whole_.store_.write(std::move(write), answer_on, std::move(done));
  }

  SnapshotPtr snapshot() const override { return view_.of(whole_.store_.snapshot(), floor_); }

  void follow(env::Loop& loop, Follower follower) override {
    CHECK(&loop == &whole_.loop_);
    auto following = std::make_shared<Following>(Following{.follower = std::move(follower)});
    followers_.push_back(following);
    if (!whole_.has_begun_) return;
    loop.post(whole_.scope_.guard([this, following] { tell(*following, beginning()); }));
  }

  // The store has told from where on everything is known.
  void begin(Revision position) {
    position_ = position;
    floor_ = position;
    for (const auto& following : followers_) tell(*following, beginning());
  }

  void take(std::vector<EntryChange> changes) {
    const Revision newest = changes.back().revision;
    const auto batch =
        std::make_shared<const Batch>(Batch{.after = position_, .changes = std::move(changes)});
    position_ = newest;
    for (const auto& following : followers_) {
      if (following->has_begun) following->follower(batch);
    }
  }

 private:
  struct Following {
    Follower follower;
    bool has_begun = false;
  };

  BatchPtr beginning() const {
    return std::make_shared<const Batch>(Batch{.after = position_, .changes = {}});
  }

  static void tell(Following& following, const BatchPtr& beginning) {
    following.has_begun = true;
    following.follower(beginning);
  }

  Partitions& whole_;
  mutable PartitionView view_;  // Of one loop only, so this is a mere cache.
  Revision position_;
  Revision floor_ = position_;
  std::vector<std::shared_ptr<Following>> followers_;
};

Partitions::Partitions(env::Loop& loop, Store& store) : loop_(loop), store_(store) {
  store_.follow(loop_, scope_.guard([this](const BatchPtr& batch) { on_batch(batch); }));
}

Partitions::~Partitions() = default;

Store& Partitions::of(const std::string& name) {
  auto& partition = partitions_[name];
  if (!partition) partition = std::make_unique<Partition>(*this, name);
  return *partition;
}

void Partitions::on_batch(const BatchPtr& batch) {
  if (!std::exchange(has_begun_, true)) {
    position_ = batch->after;
    for (const auto& [name, partition] : partitions_) partition->begin(position_);
  }
  if (batch->changes.empty()) return;
  position_ = batch->changes.back().revision;
  std::map<std::string_view, std::vector<EntryChange>> parts;
  for (const EntryChange& change : batch->changes) {
    const auto [partition, table] = partitioned(change.key.table);
    if (!partitions_.contains(partition)) continue;
    EntryChange own = change;
    own.key.table = table;
    parts[partition].push_back(std::move(own));
  }
  for (auto& [name, changes] : parts) partitions_.find(name)->second->take(std::move(changes));
}

}  // namespace berth::store
