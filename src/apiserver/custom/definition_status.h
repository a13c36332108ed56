// What the server writes into the status of a CustomResourceDefinition: the names that it gets, the
// versions that objects may be stored in, and whether it is served.

#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "apiserver/custom/definition.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

// What others of the same group are called.
struct NamesInUse {
  std::set<std::string, std::less<>> resources = {};  // Plural, singular and short names.
  std::set<std::string, std::less<>> kinds = {};      // Kinds and kinds of lists.

  void add(const DefinitionNames& names);
};

// Of all definitions but the one of that name. Built-in resources of the group are the caller's.
NamesInUse names_in_use(const Definition& definition, std::span<const Definition> all);

// The object with its status and with the finalizer that keeps it until its objects are gone.
// Names that are taken stay as they were accepted before; a definition that has been established
// stays so. A definition without conflicts is established at once: its resources are served from
// the same write on. The same input gives an equal object, so nothing is written twice.
json::Value with_definition_status(json::Value object, const NamesInUse& in_use, Time now);

}  // namespace berth::apiserver
