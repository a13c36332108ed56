// Rendering: how stored objects look to one client: in its version, and whole, in part or as rows.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/requests/negotiation.h"
#include "apiserver/resource.h"
#include "apiserver/tables/row_printer.h"
#include "apiserver/tables/table.h"
#include "apiserver/watch/watch_stream.h"
#include "http/body.h"
#include "json/value.h"
#include "store/entry.h"

namespace berth::apiserver {

struct ListMetadata {
  store::Revision revision = 0;
  std::string continue_token = {};
  std::optional<std::int64_t> remaining_items = std::nullopt;
};

class Rendering {
 public:
  Rendering(std::shared_ptr<const Resource> resource, AnswerForm form, IncludeObject include,
            Time now);

  // Whether stored texts go out as they are.
  bool is_verbatim() const;

  // One object.
  std::string object(std::string_view stored) const;

  // A list of the right kind.
  std::string list(const std::vector<store::EntryPtr>& entries, const ListMetadata& metadata) const;

  // The same for the client to take, without a copy where texts go out as they are.
  http::Body list_body(std::vector<store::EntryPtr> entries, const ListMetadata& metadata) const;

  // For a watch; ages are told as of the rendering's time.
  std::unique_ptr<EventForm> event_form() const;

 private:
  friend class RenderedEvents;

  std::string in_version(std::string_view stored) const;
  std::string partial(std::string_view stored) const;
  std::string row_table(std::string_view stored, TableHeader header) const;
  std::string list_head(const ListMetadata& metadata) const;

  std::shared_ptr<const Resource> resource_;
  AnswerForm form_;
  IncludeObject include_;
  Time now_;
  std::shared_ptr<const RowPrinter> printer_;  // Of a Table.
};

}  // namespace berth::apiserver
