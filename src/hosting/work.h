// The ManifestWork that carries a hosted cluster to its host, and what comes back in its status.
//
// It is made in two steps. First a shell, which has only the Namespace and hurts nobody; when the
// request has noted the uid of that very shell, it is filled. Whoever acts on an old picture of the
// request gets no further than a shell.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "hosting/hosted_cluster_request.h"
#include "hosting/payload.h"
#include "json/value.h"

namespace berth::hosting {

// "hcr-" and ten digits of a hash of the uid.
std::string work_name(std::string_view request_uid);

struct WorkContent {
  const HostedClusterRequest& request;
  const Payload& payload;
};

json::Value make_shell(const WorkContent& content, std::string_view host);

// Secrets by name, as they are in the namespace of the request; all that the payload names.
using Secrets = std::map<std::string, json::Value>;

// The work with everything in it; what others put on it stays.
json::Value fill_work(json::Value work, const WorkContent& content, const Secrets& secrets);

// What a filled work was made of; secrets count by name only, so that nothing can be learned.
std::string content_hash(const WorkContent& content);

// What stays on the host when the work is deleted: everything.
json::Value as_orphaning(json::Value work);

// What a work says.
struct WorkState {
  bool is_filled = false;
  std::string content = {};             // The hash that it was filled with.
  std::int64_t request_generation = 0;  // Of which that was.
  Identity identity = {};               // Of the hosted cluster in it, if it is filled.
  bool is_deleting = false;
  bool has_agent_finalizer = false;  // The agent may have applied it.
  bool is_orphaning = false;
  bool is_applied = false;         // All of it, as it is now.
  std::string apply_problem = {};  // Why it is not.
  bool is_available = false;       // The hosted cluster says so.
  std::string reason = {};         // Of that, also if it does not.
  std::string message = {};
};

WorkState read_work(const json::Value& work);

}  // namespace berth::hosting
