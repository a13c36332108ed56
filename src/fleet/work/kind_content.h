// What of a manifest is written over an object that exists: for most kinds all of it, for some only
// what the server and others do not fill in themselves. The rules are OCM's.

#pragma once

#include "json/value.h"

namespace berth::fleet {

// The object with the manifest's content: its metadata and, unless the manifest has one, its status
// stay.
json::Value with_content_of(const json::Value& live, const json::Value& manifest);

}  // namespace berth::fleet
