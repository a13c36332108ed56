// The options of the API's verbs, and how they travel: as a query, or as the body of a delete.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "http/url.h"
#include "json/value.h"

namespace berth::client {

using Query = std::vector<http::QueryItem>;

struct Selection {
  std::string labels = {};  // A label selector as kubectl writes it; empty: everything.
  std::string fields = {};

  bool operator==(const Selection&) const = default;
};

struct ListOptions {
  Selection selection = {};
  // "" most recent, "0" whatever the server has at hand, a number: not older than that.
  std::string resource_version = {};
  std::string resource_version_match = {};  // "Exact" or "NotOlderThan"; empty: the default.
  std::int64_t limit = 0;                   // Of one page; 0: everything at once.
  std::string continue_token = {};          // From the page before.

  bool operator==(const ListOptions&) const = default;
};

enum class InitialEvents {
  No,   // Only what changes after resource_version.
  Yes,  // First everything there is, up to a bookmark that says so.
};

struct WatchOptions {
  Selection selection = {};
  std::string resource_version = {};
  InitialEvents initial_events = InitialEvents::No;
  Duration timeout = std::chrono::minutes(5);  // The server ends the stream after that.

  bool operator==(const WatchOptions&) const = default;
};

enum class DryRun { No, Yes };
enum class FieldValidation { ServerDefault, Ignore, Warn, Strict };

struct WriteOptions {
  DryRun dry_run = DryRun::No;
  std::string field_manager = {};  // Empty: the server takes it from the User-Agent.
  FieldValidation field_validation = FieldValidation::ServerDefault;
};

enum class PatchType { Json, Merge, Strategic, Apply };

// Only Apply knows conflicts: take fields over from other managers, or be refused.
enum class ApplyConflicts { Refuse, TakeOver };

struct PatchOptions {
  PatchType type = PatchType::Merge;
  WriteOptions write = {};
  ApplyConflicts conflicts = ApplyConflicts::Refuse;
};

enum class Propagation { ServerDefault, Background, Foreground, Orphan };

struct DeleteOptions {
  DryRun dry_run = DryRun::No;
  Propagation propagation = Propagation::ServerDefault;
  std::optional<std::int64_t> grace_period_seconds = std::nullopt;
  // Preconditions: the object to delete has this uid, this version. Empty: any.
  std::string uid = {};
  std::string resource_version = {};
};

Query query_of(const ListOptions& options);
Query query_of(const WatchOptions& options);
Query query_of(const WriteOptions& options);
Query query_of(const PatchOptions& options);

json::Value body_of(const DeleteOptions& options);

// "application/merge-patch+json" and so on.
std::string_view content_type_of(PatchType type);

}  // namespace berth::client
