// What a request asks for, read from its method and path alone: the question that authorization
// answers and by which the verbs are chosen.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/message.h"
#include "http/url.h"

namespace berth::apiserver {

struct RequestInfo {
  std::string path = {};     // Decoded, as in non-resource rules: "/healthz".
  bool is_resource = false;  // Below /api/V or /apis/G/V.
  std::string verb = {};     // "get", "list", "watch", ...; of other paths the method, lower case.
  std::string group = {};    // Empty: the core group.
  std::string version = {};
  std::string ns = {};        // The namespace; empty: none or all.
  std::string resource = {};  // Plural.
  std::string subresource = {};
  std::string name = {};
  std::vector<std::string> rest = {};  // Segments after the subresource: nothing that we serve.

  bool operator==(const RequestInfo&) const = default;
};

// Fails on paths that no client sends: empty, "." or ".." segments, NUL bytes. The query decides
// between list and watch, and a field selector for one metadata.name gives list, watch and
// deletecollection that name: so those who may see only one object can list and watch it.
Result<RequestInfo> read_request_info(http::Method method, std::string_view target);

}  // namespace berth::apiserver
