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

// The same for what has to succeed: if it does not, the test fails, and nothing is printed.
std::string checked_kubectl(const Server& server, const std::vector<std::string>& arguments,
                            const std::string& input = "");
void apply_yaml(const Server& server, const std::string& yaml);

// A cluster that the hub has accepted, and its namespace. Labels are YAML, too.
void make_cluster(const Server& server, const std::string& name, const std::string& labels = "{}");

// What kubectl prints, again and again, until it prints that; the last answer if it never does.
std::string kubectl_until(const Server& server, const std::vector<std::string>& arguments,
                          const std::string& expected);

// What `make TARGET` prints when it works on the hub that this server is; in the checkout.
Result<std::string> make(const Server& server, const std::string& target);

// What Helm prints on both of its outputs, and an error if it fails. Its own files are the
// server's.
Result<std::string> helm(const Server& server, const std::vector<std::string>& arguments);

// What berth prints on both of its outputs, and an error if it fails.
Result<std::string> berth(const Server& server, std::vector<std::string> arguments);

// The same for commands that are no clients of the server.
Result<std::string> berth_alone(const Server& server, const std::vector<std::string>& arguments);

// Berth's controllers in a process of their own, without addresses to listen on.
Result<Child> start_controllers(const Server& server, std::vector<std::string> flags = {});
std::filesystem::path controllers_log(const Server& server);

}  // namespace berth::kube
