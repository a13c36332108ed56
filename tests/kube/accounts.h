// The accounts under which Berth runs in a cluster, with exactly the rights that `berth manifests`
// gives them. Tests run controllers and agents so: a right that is missing fails them.

#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "kube/child.h"
#include "kube/server.h"

namespace berth::kube {

struct Account {
  std::string part;  // Of `berth manifests`.
  std::string ns;
  std::string name;

  std::string user() const { return "system:serviceaccount:" + ns + ":" + name; }
};

const Account& controllers_account();
const Account& agent_account();

// Makes the account and its rights on the server and waits until they count. A kubeconfig file with
// a token of it.
Result<std::filesystem::path> install_account(const Server& server, const Account& account);

// Berth's controllers as whoever the kubeconfig says, without addresses to listen on.
Result<Child> start_controllers_with(const Server& server, const std::filesystem::path& kubeconfig,
                                     std::vector<std::string> flags);

// Something that an account may do, or did.
struct Right {
  std::string group;
  std::string resource;  // "placements/status"
  std::string verb;

  std::string text() const { return verb + " " + resource + (group.empty() ? "" : "." + group); }
  auto operator<=>(const Right&) const = default;
};

// As long as it lives, this process and those that it starts write down what accounts did.
class RightsRecord {
 public:
  RightsRecord();
  ~RightsRecord();

  RightsRecord(const RightsRecord&) = delete;
  RightsRecord& operator=(const RightsRecord&) = delete;
};

// What the account may do but, as the record says, did on none of the servers that have ended so
// far. Left out is what no request asks for by that name, and what it has only to give or to bring
// it to others.
std::set<Right> unused_rights(const Account& account);

// Makes the server write down what the accounts ask it for; further flags of the server.
std::vector<std::string> audit_flags(ServerKind kind, const std::filesystem::path& folder);

// Reads that when the server has ended. Fails the test if an account was refused anything.
void judge_requests(const std::filesystem::path& folder);

}  // namespace berth::kube
