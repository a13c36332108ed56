// What all writes have in common: from a proposed object to the entry in the store.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apiserver/objects/shaping.h"
#include "apiserver/strategies/strategy.h"
#include "apiserver/verbs/call.h"

namespace berth::apiserver {

// An object of the store, parsed.
struct Current {
  store::EntryPtr entry;
  json::Value object;
};
Attempt<Current> read_current(const store::EntryPtr& entry);

// The body of a create or update, checked to be about what the path says, shaped to its kind, in
// the form of the store.
Attempt<Proposal> read_proposal(const Call& call, const WriteOptions& options);

// Body and path must name the same namespace and, where the path has one, the same name.
Attempt<void> check_place(const Call& call, json::Value& object);

// Who is written down as the owner of what changes.
std::string manager_of(const ApiRequest& request, const WriteOptions& options);

// The new object as it will be: born, named, defaulted, checked, admitted. Then written, unless it
// is only a trial.
Attempt<Outcome> create_from(const Call& call, const WriteOptions& options, Proposal proposal,
                             const Rendering& rendering);

// The changed object, the same way. `subresource` writes change their part only.
Attempt<Outcome> update_to(const Call& call, const WriteOptions& options, const Current& current,
                           Proposal proposal, const Rendering& rendering);

// 200 or 201 with the object that a write has left.
Response written_response(int status, const Rendering& rendering, const store::Written& written,
                          const std::vector<std::string>& warnings);

// The same for a trial: the object as it would be.
Response trial_response(int status, const Rendering& rendering, const json::Value& object,
                        const std::vector<std::string>& warnings);

}  // namespace berth::apiserver
