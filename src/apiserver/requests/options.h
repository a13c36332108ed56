// The options of a request: what its query, and of a deletion its body, say.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_selector.h"
#include "api/label_selector.h"
#include "apiserver/refusal.h"
#include "base/time.h"
#include "http/url.h"
#include "json/value.h"

namespace berth::apiserver {

using Query = std::vector<http::QueryItem>;

std::optional<std::string_view> find_option(const Query& query, std::string_view name);

enum class VersionMatch : std::uint8_t { Unset, Exact, NotOlderThan };

struct ListOptions {
  api::LabelSelector labels = {};
  api::FieldSelector fields = {};
  std::int64_t limit = 0;  // 0: everything.
  std::string continue_token = {};
  std::optional<std::uint64_t> version = std::nullopt;  // resourceVersion, if it says one.
  VersionMatch match = VersionMatch::Unset;

  // Of a watch.
  bool wants_bookmarks = false;
  std::optional<bool> sends_initial = std::nullopt;
  std::optional<Duration> timeout = std::nullopt;
};

enum class ListUse : std::uint8_t { List, Watch };
Attempt<ListOptions> read_list_options(const Query& query, ListUse use);

// resourceVersion of a get: nothing that is not a number.
Attempt<std::optional<std::uint64_t>> read_version(const Query& query);

enum class FieldValidation : std::uint8_t { Ignore, Warn, Strict };

struct WriteOptions {
  bool is_dry_run = false;
  std::string manager = {};  // fieldManager; empty: told by the user agent.
  FieldValidation validation = FieldValidation::Warn;
  std::optional<bool> force = std::nullopt;
  bool is_applied = false;  // The object comes from an apply: its owners are already told.
};

// `kind` is CreateOptions, UpdateOptions or PatchOptions: who complains.
Attempt<WriteOptions> read_write_options(const Query& query, std::string_view kind);

enum class Propagation : std::uint8_t { Unset, Orphan, Background, Foreground };

struct DeleteOptions {
  bool is_dry_run = false;
  std::optional<std::int64_t> grace_seconds = std::nullopt;
  std::optional<std::string> uid = std::nullopt;
  std::optional<std::string> version = std::nullopt;
  Propagation propagation = Propagation::Unset;
};

// The body, if there is one, counts; the query only without a body.
Attempt<DeleteOptions> read_delete_options(const json::Value* body, const Query& query);

// `timeout=` of requests other than watches: Go's way to write durations; what is absent, zero or
// above the maximum is the maximum.
Attempt<Duration> read_timeout(const Query& query, Duration maximum);

}  // namespace berth::apiserver
