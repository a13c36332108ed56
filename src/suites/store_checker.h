// StoreChecker: all that a store has told anybody, and whether it fits together. It outlives the
// store's crashes.

#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/entry.h"
#include "store/snapshot.h"

namespace berth::suites {

class StoreChecker {
 public:
  explicit StoreChecker(std::string table) : table_(std::move(table)) {}

  // Somebody was told of a change: it must stay. No entry: the object was deleted.
  void saw(store::Revision revision, const std::string& name, const store::Entry* entry);

  // A snapshot was served: it has all that was told before, and from now on must stay.
  void served(const store::Snapshot& snapshot);

  // A follower has heard of everything up to `last`, and now of this. Gives the new last.
  store::Revision followed(const store::Batch& batch, store::Revision last);

  // The store could not be opened. It may say that the disk does not answer, but nobody has damaged
  // its files.
  void refused(const Error& why);

  const Status& verdict() const { return verdict_; }  // The first thing that was wrong.
  store::Revision newest() const { return newest_; }

 private:
  struct Seen {
    std::string name;
    std::optional<std::string> text;

    bool operator==(const Seen&) const = default;
  };

  void blame(std::string what);

  std::string table_;
  std::map<store::Revision, Seen> changes_;
  store::Revision newest_ = 0;
  Status verdict_;
};

}  // namespace berth::suites
