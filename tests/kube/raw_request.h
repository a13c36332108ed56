// Requests as no client would send them, and what the server makes of them.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "kube/server.h"

namespace berth::kube {

struct RawRequest {
  std::string method = "GET";
  std::string target = {};  // Sent byte by byte.
  std::string content_type = {};
  std::string body = {};
  std::vector<std::string> headers = {};  // Further ones: "Name: value".
};

struct RawAnswer {
  int code = 0;             // 0: the server cut the connection or the stream.
  std::string reason = {};  // Of the Status, if the body is one.
  std::string text = {};    // The body; its beginning, if it is long.
};

// As the administrator. An error if curl cannot be run.
Result<RawAnswer> send_raw(const Server& server, const RawRequest& request);

}  // namespace berth::kube
