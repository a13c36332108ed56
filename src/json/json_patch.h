// JSON Patch (RFC 6902), with the behaviour and the messages of kube-apiserver.

#pragma once

#include <cstddef>

#include "base/result.h"
#include "json/value.h"

namespace berth::json {

struct JsonPatchLimits {
  std::size_t operations_max = 10'000;
  std::size_t copied_bytes_max = 3 * 1024 * 1024;  // What "copy" may add in all, as JSON text.
};

// The document with all operations applied, or the error of the first one that fails.
//
// Where kube-apiserver differs from the RFC, this follows kube-apiserver: indices may be negative,
// "replace" of a missing member adds it, "test" of a missing member for null succeeds, "copy" of
// a missing member copies null, an absent "value" is null, and only "replace" and "test" accept
// the whole document as their path. Numbers are compared by value, as the RFC says.
//
// Codes: BadRequest for what is no patch, Invalid for one that does not apply,
// RequestEntityTooLarge beyond the limits. The result is never nested deeper than kDepthMax.
Result<Value> apply_json_patch(Value document, const Value& patch,
                               const JsonPatchLimits& limits = {});

}  // namespace berth::json
