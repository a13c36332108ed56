// Header fields that only Kubernetes has: impersonation out, warnings in, and who is asking.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client/kubeconfig.h"
#include "http/message.h"

namespace berth::client {

void add_impersonation(http::Headers& headers, const Impersonation& who);

// The texts of all Warning headers with code 299.
std::vector<std::string> warnings_in(const http::Headers& headers);

// "berth-agent/0.1.0 (linux/amd64) berth/abcdef0": the part before the first slash becomes the
// field manager of writes that name none.
struct Program {
  std::string name;
  std::string version;
  std::string platform = "linux/amd64";
  std::string commit = {};
};
std::string user_agent(const Program& program);

}  // namespace berth::client
