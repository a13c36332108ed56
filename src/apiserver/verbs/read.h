// The verbs that only look: get, list and watch.

#pragma once

#include "apiserver/verbs/call.h"

namespace berth::apiserver {

Attempt<Outcome> get_object(const Call& call);
Attempt<Outcome> list_objects(const Call& call);
Attempt<Outcome> watch_objects(const Call& call);

// Of a table, those that are selected, from `from` on.
struct Page {
  std::vector<store::EntryPtr> entries = {};
  std::string next = {};  // The name to go on with; empty: there are no more.
};
Page select_entries(const store::Table& table, const Selection& selection, std::string_view from,
                    std::size_t limit);

}  // namespace berth::apiserver
