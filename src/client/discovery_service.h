// What the server serves, asked when somebody needs to know and kept for a while.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/api_service.h"
#include "client/discovery.h"
#include "env/clock.h"
#include "env/scope.h"

namespace berth::client {

struct DiscoveryOptions {
  Duration age_max = std::chrono::minutes(10);
  Duration refresh_min = std::chrono::seconds(5);  // Between two looks after a miss.
};

class DiscoveryService {
 public:
  using DiscoveryPtr = std::shared_ptr<const Discovery>;
  using Found = std::move_only_function<void(Result<ResourceInfo>)>;
  using Ready = std::move_only_function<void(Result<DiscoveryPtr>)>;

  // The Api and the clock outlive the service.
  DiscoveryService(Api& api, env::Clock& clock, DiscoveryOptions options = {});
  ~DiscoveryService();

  // The current table: the kept one if it is young enough, otherwise a fresh one. May run at once.
  void table(Ready ready);

  // What a user typed (Discovery::resolve), or a kind. What is not found is looked for once more in
  // a fresh table, unless one was fetched a moment ago: a CRD may just have been made.
  void resolve(std::string name, Found found);
  void find(Gvk gvk, Found found);

  void invalidate() { table_ = nullptr; }

 private:
  using Lookup = std::function<Result<ResourceInfo>(const Discovery&)>;

  void look_up(Lookup lookup, Found found);
  void fetch(Ready ready);
  void fetch_root(std::string path);
  void on_root(const std::string& path, Result<RestAnswer> answer);
  void fetch_legacy();
  void finish(Result<DiscoveryPtr> result);

  Api& api_;
  env::Clock& clock_;
  DiscoveryOptions options_;
  DiscoveryPtr table_ = nullptr;
  std::optional<Instant> fetched_ = std::nullopt;

  // The fetch that is under way: many wait for one.
  std::vector<Ready> waiting_ = {};
  std::shared_ptr<Discovery> building_ = nullptr;
  std::vector<std::string> legacy_ = {};  // Paths still to be asked.
  bool aggregated_ = false;
  std::optional<CallId> call_ = std::nullopt;
  env::Scope scope_;
};

}  // namespace berth::client
