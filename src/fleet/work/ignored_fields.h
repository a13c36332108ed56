// Server-side apply that leaves some fields to others.

#pragma once

#include <string>
#include <vector>

#include "fleet/work/manifest_work.h"
#include "json/value.h"

namespace berth::fleet {

// The manifest without the fields that are left to others as soon as the object exists. A path that
// cannot be read, or leads nowhere, takes nothing away.
json::Value without_ignored(json::Value manifest, const std::vector<IgnoredFields>& ignored);

// Tells one version of a manifest from another.
std::string content_hash(const json::Value& manifest);

// Without each metadata.creationTimestamp that is null, templates included: a server that sees one
// applied counts a new generation although nothing has changed (kubernetes/kubernetes#67610).
json::Value without_empty_times(json::Value object);

}  // namespace berth::fleet
