// The hash by which everybody tells whether a configuration has changed: byte for byte as OCM
// computes it, because hashes of both sides meet in statuses and in annotations of works.

#pragma once

#include <string>

#include "json/value.h"

namespace berth::fleet {

// SHA-256 in hexadecimal of the object without apiVersion, kind, metadata and status, printed as Go
// prints a map: members sorted, <, > and & escaped, numbers in their canonical form.
std::string spec_hash(const json::Value& object);

}  // namespace berth::fleet
