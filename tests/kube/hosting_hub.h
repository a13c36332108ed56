// A hub with hosting clusters as HyperShift's add-on shows them, requests for hosted clusters, and
// Berth's controllers: what the tests of hosting begin with.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/group_version.h"
#include "json/value.h"
#include "kube/blocking_api.h"
#include "kube/child.h"
#include "kube/server.h"

namespace berth::kube {

struct HostWish {
  std::string name;
  std::string region = "eu";  // Its label `region`.
  int in_flight_max = 1000;
  std::string allocatable = "{}";  // Of the ManagedCluster; YAML.
};

class HostingHub {
 public:
  // A server with the definitions of all kinds. Fails the test if that cannot be had.
  static std::unique_ptr<HostingHub> start();

  // The controllers of these names, with the rights that they have in a cluster.
  void run(const std::string& controllers = "hosting");
  void kill_controllers() { controllers_.kill(); }

  Server& server() { return *server_; }
  Child& controllers() { return controllers_; }
  BlockingApi& api() { return *api_; }

  // --- What the hosts say -----------------------------------------------------------------------

  // A cluster that reports no hosted clusters through a live add-on, with a ledger.
  void add_host(const HostWish& wish);
  void set_count(const std::string& host, int count);
  void set_full(const std::string& host, std::string_view full);
  void set_agent(const std::string& host, std::string_view available);  // "True" and so on.

  // --- What tenants say; all in the namespace tenant --------------------------------------------

  void create(std::string_view yaml);  // Any objects; statuses are written, too.

  // A request for a hosted cluster of that name; `spec` are further fields as YAML.
  void request(const std::string& name, const std::string& spec = "");
  void request_many(int first, int count, const std::string& spec = "");  // "r7" and so on.
  void change_request(const std::string& name, std::string_view patch);   // A merge patch; YAML.
  void delete_request(const std::string& name);

  // --- What came of it ---------------------------------------------------------------------------

  json::Value find(const api::Gvr& resource, const std::string& ns, const std::string& name);
  json::Value request_object(const std::string& name);  // Null: it is gone.
  std::string status(const std::string& name, std::string_view field);

  // "False InvalidRequest the message", or "none".
  std::string condition(const std::string& name, std::string_view type);

  std::map<std::string, int> by_host();  // Requests; those without a host under "".
  std::map<std::string, int> claims();   // In all ledgers.

  // Waits until so many requests have a host.
  bool assigns(int count);
  bool becomes(const std::string& name, std::string_view field, std::string_view value);

  // The value in hosting-capacity; none: nullopt.
  std::optional<std::int64_t> capacity(const std::string& host, std::string_view score);

  json::Value work_of(const std::string& name);  // The ManifestWork of a request; null: none.

 private:
  HostingHub() = default;

  void patch_status(const api::Gvr& resource, const std::string& ns, const std::string& name,
                    const json::Value& status);

  std::unique_ptr<Server> server_;
  std::unique_ptr<BlockingApi> api_;
  Child controllers_;
};

api::Gvr hosting_resource(std::string_view plural);

// HyperShift's two kinds, with whatever fields: for a cluster that hosts.
extern const std::string_view kHyperShiftDefinitions;

}  // namespace berth::kube
