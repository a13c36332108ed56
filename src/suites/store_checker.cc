#include "suites/store_checker.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

namespace berth::suites {

void StoreChecker::blame(std::string what) {
  if (verdict_.ok()) verdict_ = failure(Code::InternalError, std::move(what));
}

void StoreChecker::saw(store::Revision revision, const std::string& name,
                       const store::Entry* entry) {
  Seen seen = {.name = name, .text = entry ? std::optional(entry->text) : std::nullopt};
  newest_ = std::max(newest_, revision);
  const auto [known, added] = changes_.try_emplace(revision, seen);
  if (!added && known->second != seen) {
    blame(fmt::format("revision {} was {} and is {}", revision, known->second.name, name));
  }
}

void StoreChecker::served(const store::Snapshot& snapshot) {
  if (snapshot.revision() < newest_) {
    blame(fmt::format("revision {} was told and the store is at {}", newest_, snapshot.revision()));
  }
  const store::Table& table = snapshot.table(table_);
  table.visit("", [&](std::string_view name, const store::EntryPtr& entry) {
    saw(entry->revision, std::string(name), entry.get());
    return true;
  });
  std::map<std::string, store::Revision> last;
  for (const auto& [revision, seen] : changes_) {
    if (revision <= snapshot.revision()) last[seen.name] = revision;
  }
  for (const auto& [name, revision] : last) {
    const store::EntryPtr entry = table.find(name);
    const bool deleted = !changes_.at(revision).text;
    // A deletion that nobody has heard of may have come after; followers will hear of it.
    const bool unheard = changes_.size() < snapshot.revision();
    const bool right = entry ? entry->revision == revision && !deleted : deleted || unheard;
    if (!right) blame(fmt::format("{} of revision {} is not in the snapshot", name, revision));
  }
  newest_ = std::max(newest_, snapshot.revision());
}

store::Revision StoreChecker::followed(const store::Batch& batch, store::Revision last) {
  if (batch.after != last) {
    blame(fmt::format("a follower that knew revision {} was told what follows {}", last,
                      batch.after));
  }
  last = batch.after;
  for (const store::EntryChange& change : batch.changes) {
    if (change.revision != last + 1) {
      blame(fmt::format("a follower heard of revision {} after {}", change.revision, last));
    }
    last = change.revision;
    saw(change.revision, change.key.name, change.after.get());
    if (change.before) saw(change.before->revision, change.key.name, change.before.get());
  }
  return last;
}

void StoreChecker::refused(const Error& why) {
  const bool of_the_disk = why.message.find("Input/output error") != std::string::npos;
  const bool of_the_files = why.code == Code::StoreReadError || why.code == Code::Invalid;
  if (of_the_files && !of_the_disk) blame("the store cannot be opened: " + why.message);
}

}  // namespace berth::suites
