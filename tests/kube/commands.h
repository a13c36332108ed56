// kubectl and berth, run as a user runs them.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "kube/child.h"
#include "kube/server.h"

namespace berth::kube {

// What kubectl prints; the error carries what it complained about. `input` is for -f -.
Result<std::string> kubectl(const Server& server, const std::vector<std::string>& arguments,
                            const std::string& input = "");

// The same, again and again, until it prints that; the last answer if it never does.
std::string kubectl_until(const Server& server, const std::vector<std::string>& arguments,
                          const std::string& expected);

// What berth prints on both of its outputs, and an error if it fails.
Result<std::string> berth(const Server& server, const std::vector<std::string>& arguments);

// Berth's controllers in a process of their own, without addresses to listen on.
Result<Child> start_controllers(const Server& server, std::vector<std::string> flags = {});
std::filesystem::path controllers_log(const Server& server);

}  // namespace berth::kube
