// What the store holds: texts of JSON objects under keys, each with the revision that wrote it.

#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::store {

// Revisions count commits: the first is 1, there are no gaps, none is used twice.
using Revision = std::uint64_t;

// Tables keep resources apart ("pods", "placements.cluster.open-cluster-management.io"); the name
// inside is "NAMESPACE/NAME" or "NAME". Both are compared byte by byte.
struct Key {
  std::string table;
  std::string name;

  auto operator<=>(const Key&) const = default;
};

// One version of an object, immutable and shared by all who read it. The text is the whole JSON
// object with its resourceVersion inside.
struct Entry {
  std::string text;
  std::uint32_t version_at = 0;  // Where the digits of the resourceVersion begin in the text.
  Revision revision = 0;
};
using EntryPtr = std::shared_ptr<const Entry>;

// A text that lacks only its resourceVersion, which the commit knows: the digits go in at
// `version_at`, where the text has `"resourceVersion":""`, between the quotes.
struct Draft {
  std::string text;
  std::uint32_t version_at = 0;
};
Entry completed(const Draft& draft, Revision revision);

// The same object with another resourceVersion: how a deletion is told to those who watch.
std::string text_at(const Entry& entry, Revision revision);

struct EntryChange {
  Revision revision = 0;
  Key key;
  EntryPtr before = nullptr;  // Null: it was created.
  EntryPtr after = nullptr;   // Null: it was deleted.
};

// What one commit made durable, in the order of revisions.
struct Batch {
  // The revision that the first change follows. With nothing from before it tells from where on
  // everything is known: whoever asks for changes since an earlier revision asks too late.
  Revision after = 0;
  std::vector<EntryChange> changes;
};
using BatchPtr = std::shared_ptr<const Batch>;

struct EntryWrite {
  Key key;
  // The revision of the entry that is replaced or deleted; 0: there must be none. Absent: whatever
  // there is.
  std::optional<Revision> expected = std::nullopt;
  std::optional<Draft> draft = std::nullopt;  // Absent: the entry is deleted.
};

struct Written {
  Revision revision = 0;
  EntryPtr entry = nullptr;  // What is there now; after a deletion, what was there.
};

}  // namespace berth::store
