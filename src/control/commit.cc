#include "control/commit.h"

#include <deque>
#include <string_view>
#include <utility>

#include "api/metadata.h"
#include "client/errors.h"
#include "client/patch_builder.h"

namespace berth::control {
namespace {

using json::Value;

Value without_status(Value object) {
  object.erase("status");
  return object;
}

// `object` with the status of `other`.
Value with_status_of(Value object, const Value& other) {
  if (const Value* status = other.find("status")) {
    object["status"] = *status;
  } else {
    object.erase("status");
  }
  return object;
}

bool has_status(const Value& object) {
  const Value* status = object.find("status");
  return status && !status->is_null();
}

}  // namespace

Result<Commit> Commit::of(Change change) {
  if (!change.before && !change.after)
    return failure(Code::Invalid, "a change of nothing into nothing");
  Commit commit(std::move(change));
  RETURN_IF_ERROR(commit.begin());
  return commit;
}

Status Commit::begin() {
  if (!change_.after) {
    const Value& doomed = *change_.before;
    const api::Metadata metadata(doomed);
    write_ = DeleteWrite{.path = path_of(doomed, ""),
                         .options = {.uid = std::string(metadata.uid()),
                                     .resource_version = std::string(metadata.resource_version())}};
    return {};
  }
  if (!change_.before) {
    client::ResourcePath collection = path_of(*change_.after, "");
    collection.name.clear();
    const bool all_at_once = change_.status == StatusWrites::WithTheRest;
    status_pending_ = !all_at_once && has_status(*change_.after);
    write_ = CreateWrite{.collection = std::move(collection),
                         .object = all_at_once ? *change_.after : without_status(*change_.after)};
    return {};
  }
  return patch_main();
}

Status Commit::patch_main() {
  const Value& before = *change_.before;
  const Value& after = *change_.after;
  const bool all_at_once = change_.status == StatusWrites::WithTheRest;
  ASSIGN_OR_RETURN(
      std::optional<Value> patch,
      client::merge_patch_for(before, all_at_once ? after : with_status_of(after, before),
                              client::Precondition::UidAndVersion));
  if (!patch) return patch_status();
  status_pending_ = !all_at_once;
  write_ = PatchWrite{.path = path_of(before, ""), .patch = std::move(*patch)};
  return {};
}

Status Commit::patch_status() {
  if (change_.status == StatusWrites::WithTheRest) return {};
  const Value& before = *change_.before;
  ASSIGN_OR_RETURN(std::optional<Value> patch,
                   client::merge_patch_for(before, with_status_of(before, *change_.after),
                                           client::Precondition::UidAndVersion));
  if (patch) write_ = PatchWrite{.path = path_of(before, "status"), .patch = std::move(*patch)};
  return {};
}

Status Commit::on_answer(Result<Value> answer) {
  const bool deleted = std::holds_alternative<DeleteWrite>(*write_);
  write_.reset();
  if (!answer.ok()) {
    if (deleted && client::is_not_found(answer.error())) return {};
    return failure(std::move(answer).error());
  }
  if (!std::exchange(status_pending_, false)) return {};
  change_.before = std::move(*answer);
  return patch_status();
}

client::ResourcePath Commit::path_of(const Value& object, std::string subresource) const {
  const api::Metadata metadata(object);
  return {.resource = change_.resource,
          .ns = std::string(metadata.namespace_name()),
          .name = std::string(metadata.name()),
          .subresource = std::move(subresource)};
}

namespace {

class CommitSequence final : public WriteSequence {
 public:
  explicit CommitSequence(std::deque<Commit> commits) : commits_(std::move(commits)) { skip(); }

  const std::optional<Write>& write() const override {
    return commits_.empty() ? nothing_ : commits_.front().write();
  }

  Status on_answer(Result<Value> answer) override {
    RETURN_IF_ERROR(commits_.front().on_answer(std::move(answer)));
    skip();
    return {};
  }

 private:
  void skip() {
    while (!commits_.empty() && !commits_.front().write()) commits_.pop_front();
  }

  std::deque<Commit> commits_;
  std::optional<Write> nothing_ = std::nullopt;
};

}  // namespace

Result<std::unique_ptr<WriteSequence>> sequence_of(std::vector<Change> changes) {
  std::deque<Commit> commits;
  for (Change& change : changes) {
    ASSIGN_OR_RETURN(Commit commit, Commit::of(std::move(change)));
    commits.push_back(std::move(commit));
  }
  return std::make_unique<CommitSequence>(std::move(commits));
}

Result<std::unique_ptr<WriteSequence>> sequence_of(Change change) {
  std::vector<Change> changes;
  changes.push_back(std::move(change));
  return sequence_of(std::move(changes));
}

}  // namespace berth::control
