#include "apiserver/verbs/read.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apiserver/requests/continue_token.h"
#include "http/gzip.h"
#include "http/gzip_body.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;

// Watches that do not say how long end after half an hour to an hour, not all at once.
constexpr Duration kWatchLengthMin = 30min;

constexpr std::size_t kGzipBytesMin = 128 * 1024;

std::unexpected<Refusal> version_too_large(store::Revision wanted, store::Revision current) {
  return refuse(Error{
      .code = Code::Timeout,
      .message = fmt::format("Too large resource version: {}, current: {}", wanted, current),
      .causes = {{.reason = "ResourceVersionTooLarge", .message = "Too large resource version"}},
      .retry_after = 1s});
}

struct ListFrame {
  store::SnapshotPtr snapshot;
  std::string from;                // The first name to look at.
  store::Revision shown_revision;  // All pages show that of the first.
};

// The client may go on with what is newest, if it can live with two moments in one list.
std::unexpected<Refusal> expired_list(const ContinueToken& token, std::string_view prefix) {
  Refusal refusal(Error{
      .code = Code::Expired,
      .message =
          "The provided continue parameter is too old to display a consistent list result. You can "
          "start a new list without the continue parameter, or use the continue token in this "
          "response to retrieve the remainder of the results. Continuing with the provided token "
          "results in an inconsistent list - objects that were created, modified, or deleted "
          "between the time the first chunk was returned and now may show up in the list."});
  refusal.continue_token = encode_continue({.revision = -1, .start = token.start}, prefix);
  return refuse(std::move(refusal));
}

Attempt<ListFrame> continued_frame(const Call& call, const ListOptions& options,
                                   const Selection& selection) {
  if (options.version && *options.version != 0) {
    return refuse(Code::BadRequest,
                  "specifying resource version is not allowed when using continue");
  }
  ASSIGN_OR_RETURN(const ContinueToken token,
                   decode_continue(options.continue_token, selection.prefix));
  if (token.revision < 0) {
    return ListFrame{.snapshot = call.view.snapshot,
                     .from = token.start,
                     .shown_revision = call.view.snapshot->revision()};
  }
  const auto revision = static_cast<store::Revision>(token.revision);
  store::SnapshotPtr snapshot = call.view.snapshot_at(revision);
  if (!snapshot) return expired_list(token, selection.prefix);
  return ListFrame{
      .snapshot = std::move(snapshot), .from = token.start, .shown_revision = revision};
}

Attempt<ListFrame> list_frame(const Call& call, const ListOptions& options,
                              const Selection& selection) {
  if (!options.continue_token.empty()) return continued_frame(call, options, selection);
  const store::Revision current = call.view.snapshot->revision();
  const store::Revision wanted = options.version.value_or(0);
  if (wanted > current) return version_too_large(wanted, current);
  // With a limit, a version means just that one, unless the client says otherwise.
  const bool is_exact = options.match == VersionMatch::Exact ||
                        (options.match == VersionMatch::Unset && options.limit > 0 && wanted > 0);
  ListFrame frame{.snapshot = call.view.snapshot,
                  .from = selection.name.empty() ? selection.prefix : selection.name,
                  .shown_revision = current};
  if (!is_exact) return frame;
  frame.snapshot = call.view.snapshot_at(wanted);
  frame.shown_revision = wanted;
  if (!frame.snapshot) {
    return refuse(Code::Expired,
                  fmt::format("The resourceVersion for the provided list is too old: {}", wanted));
  }
  return frame;
}

// How many follow, where names alone tell.
std::int64_t count_from(const store::Table& table, const Selection& selection,
                        std::string_view from) {
  std::size_t end = table.size();
  if (!selection.prefix.empty()) {
    std::string after =
        selection.prefix;  // "NAMESPACE/": what follows it begins with the next one.
    ++after.back();
    end = table.rank(after);
  }
  return static_cast<std::int64_t>(end - table.rank(from));
}

// Long lists shrink tenfold, which pays on every wire but the shortest.
Response list_response(const Call& call, http::Body body) {
  const std::optional<std::uint64_t> length = body.length();  // Unknown: it is long.
  const bool is_packed = (!length || *length > kGzipBytesMin) &&
                         http::accepts_gzip(call.request.headers.find("accept-encoding"));
  Response response = json_response(200, std::string());
  if (!is_packed) {
    response.body = std::move(body);
    return response;
  }
  std::unique_ptr<http::BodySource> packed = std::make_unique<http::GzipBody>(std::move(body));
  response.body = http::Body(std::move(packed));
  response.headers.add("content-encoding", "gzip");
  response.headers.add("vary", "Accept-Encoding");
  return response;
}

store::Revision start_revision(const Call& call, const ListOptions& options) {
  return options.version.value_or(0) == 0 ? call.view.snapshot->revision() : *options.version;
}

}  // namespace

Page select_entries(const store::Table& table, const Selection& selection, std::string_view from,
                    std::size_t limit) {
  Page page;
  json::Parser parser;
  table.visit(from, [&](std::string_view name, const store::EntryPtr& entry) {
    if (!selection.covers(name)) return false;
    if (selection.looks_inside()) {
      const auto object = parser.parse(entry->text);
      if (!object.ok() || !selection.matches(*object)) return true;
    }
    if (page.entries.size() == limit) {
      page.next = name;
      return false;
    }
    page.entries.push_back(entry);
    return true;
  });
  return page;
}

Attempt<Outcome> get_object(const Call& call) {
  ASSIGN_OR_RETURN(const auto version, read_version(call.request.query));
  const store::Revision current = call.view.snapshot->revision();
  if (version.value_or(0) > current) return version_too_large(*version, current);
  ASSIGN_OR_RETURN(const Rendering rendering, call.rendering());
  const store::EntryPtr entry = call.find();
  if (!entry) return refuse(no_such_object(*call.resource, call.name()));
  return object_response(200, rendering, entry);
}

Attempt<Outcome> list_objects(const Call& call) {
  ASSIGN_OR_RETURN(const ListOptions options, read_list_options(call.request.query, ListUse::List));
  ASSIGN_OR_RETURN(const Rendering rendering, call.rendering());
  ASSIGN_OR_RETURN(const Selection selection, call.selection(options));
  ASSIGN_OR_RETURN(const ListFrame frame, list_frame(call, options, selection));

  const store::Table& table = frame.snapshot->table(call.resource->table);
  const std::size_t limit = options.limit > 0 ? static_cast<std::size_t>(options.limit)
                                              : std::numeric_limits<std::size_t>::max();
  Page page = select_entries(table, selection, frame.from, limit);
  ListMetadata metadata{.revision = frame.shown_revision};
  if (!page.next.empty()) {
    metadata.continue_token = encode_continue(
        {.revision = static_cast<std::int64_t>(frame.shown_revision), .start = page.next},
        selection.prefix);
    if (!selection.looks_inside()) {
      metadata.remaining_items = count_from(table, selection, page.next);
    }
  }
  return list_response(call, rendering.list_body(std::move(page.entries), metadata));
}

Attempt<Outcome> watch_objects(const Call& call) {
  ASSIGN_OR_RETURN(const ListOptions options,
                   read_list_options(call.request.query, ListUse::Watch));
  ASSIGN_OR_RETURN(const Rendering rendering, call.rendering());
  ASSIGN_OR_RETURN(const Selection selection, call.selection(options));

  WatchPlan plan{.table = call.resource->table,
                 .selection = selection,
                 .form = rendering.event_form(),
                 .from = start_revision(call, options),
                 .wants_bookmarks = options.wants_bookmarks};
  const bool is_from_anywhere = options.version.value_or(0) == 0;
  const bool sends_initial = options.sends_initial.value_or(is_from_anywhere);
  if (sends_initial) {
    const store::Revision current = call.view.snapshot->revision();
    if (options.version.value_or(0) > current) return version_too_large(*options.version, current);
    plan.initial = call.view.snapshot;
    plan.from = current;
    plan.marks_initial_end = options.sends_initial == true && options.wants_bookmarks;
  }
  plan.length = options.timeout.value_or(kWatchLengthMin +
                                         std::chrono::seconds(call.view.random.below(1800)));
  return plan;
}

}  // namespace berth::apiserver
