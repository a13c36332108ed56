// HubProgram: the embedded hub put together: a store on its own thread, servers on all I/O threads,
// and the controllers beside them as ordinary clients.

#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/audit_log.h"
#include "app/controller_program.h"
#include "app/hub_door.h"
#include "app/hub_keys.h"
#include "app/hub_seat.h"
#include "base/result.h"
#include "env/network.h"
#include "http/server_service.h"
#include "runtime/system.h"
#include "store/backup_service.h"
#include "store/durable_store_service.h"
#include "upkeep/store_feed_service.h"
#include "upkeep/upkeep_service.h"

namespace berth::app {

struct HubSettings {
  std::string directory;
  env::Address listen;
  HubKeyOptions keys;
  std::string token_file = {};
  std::string audit_file = {};  // Empty: no audit log.
  std::set<std::string> controllers = {};
  std::set<std::string> clusters = {};  // Logical ones that it carries, at URL/clusters/NAME.
  std::string host = {};
  std::string kubeconfig_name = "kubeconfig";  // The administrator's, in the directory.
  Duration watch_history = store::HistoryBounds().age;
  std::size_t requests_per_user = apiserver::ApiLimits().requests_per_user;
  http::ServerOptions http = {};
};

// Loops of the system: one for the store, one for the controllers, the others serve.
inline constexpr std::size_t kHubLoopsBeside = 2;

// Where a logical cluster of that hub is.
std::string cluster_url(const std::string& hub_url, const std::string& cluster);

// Used on the main thread, except for `failed`, which is called on any.
class HubProgram {
 public:
  using Failed = std::function<void(const Error&)>;

  HubProgram(runtime::System& system, HubSettings settings, Failed failed);
  ~HubProgram();

  // Serves when it returns.
  Status start();

  // In good order: nothing new, what is under way may end. Blocks.
  void stop();

  // Opens the audit log anew and looks for another certificate of the operator's. Between start()
  // and stop(), on the loop of the first server.
  void reload();

  const std::string& url() const { return door_->url(); }
  std::uint16_t port() const { return door_->address().port; }
  std::string kubeconfig_path() const {
    return settings_.directory + "/" + settings_.kubeconfig_name;
  }
  const HubKeys& keys() const { return *keys_; }

  // Between start() and stop(). For those who look after its clusters; all others are clients.
  store::Store& store() { return *store_; }

  // For those inside the process, who are clients like all others, with all rights: on the hub, or
  // in one of its logical clusters.
  Result<client::ClientConfig> inner_client(const std::string& user);
  Result<client::ClientConfig> inner_cluster_client(const std::string& cluster,
                                                    const std::string& user);

 private:
  std::size_t io_loops() const { return system_.loops() - kHubLoopsBeside; }
  env::Env& store_env() { return system_.env(io_loops()); }
  env::Env& controllers_env() { return system_.env(io_loops() + 1); }

  Status open_store();
  Status make_facts();
  Facts cluster_facts(const std::string& cluster) const;
  Status make_servers();
  Status install_bootstrap();
  Status open_door();
  std::vector<env::Seat> server_seats();
  client::ClientConfig client_of(const env::TlsIdentity& identity, http::Url url) const;
  Status start_controllers();
  upkeep::UpkeepSettings upkeep_settings();
  void add_backup_route(HubSeat& seat);

  runtime::System& system_;
  HubSettings settings_;
  Failed failed_;
  std::unique_ptr<HubKeys> keys_;
  std::unique_ptr<store::DurableStore> store_;
  Facts facts_;
  std::vector<std::unique_ptr<HubSeat>> seats_;
  std::unique_ptr<HubDoor> door_;            // On the loop of the first server.
  std::unique_ptr<upkeep::StoreFeed> feed_;  // On the controllers' loop, like those that follow.
  std::unique_ptr<upkeep::Upkeep> upkeep_;
  std::unique_ptr<ControllerProgram> controllers_;
  std::unique_ptr<AuditLog> audit_;        // On the controllers' loop.
  std::unique_ptr<store::Backup> backup_;  // The one under way, on the same loop.
};

}  // namespace berth::app
