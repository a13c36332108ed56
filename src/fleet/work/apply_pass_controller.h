// One pass over one work: its manifests applied in order, what it no longer wants taken back, and
// what came of it written down on the cluster and on the hub.
//
//   resolve kinds -> record what is about to be made -> each manifest: may the executor? read,
//   decide, write -> release what is no longer wanted -> record what is there -> status on the hub
//
// That the record comes before the objects is what lets an agent die at any moment without leaving
// anything behind that nobody remembers.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "client/discovery_service.h"
#include "client/object.h"
#include "control/committer_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/work/applier_controller.h"
#include "fleet/work/executor_controller.h"
#include "fleet/work/live_objects_controller.h"
#include "fleet/work/manifest_work.h"
#include "fleet/work/releaser_controller.h"
#include "fleet/work/work_status.h"

namespace berth::fleet {

// What passes work with; everything outlives them.
struct WorkTools {
  env::Env env;
  client::Api& hub;
  client::Api& cluster;
  client::DiscoveryService& discovery;
  LiveObjects& live;
  ExecutorChecks& executors;
  Applier& applier;
  Releaser& releaser;
  Random& random;
  const control::MayWrite& may_write;
};

// What is known of a manifest from the pass before; it spares reading what has not changed.
struct ManifestMemory {
  std::uint64_t wish = 0;  // A hash of all that the outcome depends on besides the object.
  std::optional<Fingerprint> settled = std::nullopt;
  ManifestReport report;
  std::string uid = {};
  Instant looked{};
};
using WorkMemory = std::map<ResourceIdentifier, ManifestMemory>;

struct PassResult {
  Status status = {};                            // An error: come again soon.
  std::optional<Duration> again = std::nullopt;  // Come again then.
};

class ApplyPass {
 public:
  using Done = std::move_only_function<void(PassResult)>;

  // The memory outlives the pass. `done` runs once, later, on the loop.
  ApplyPass(const WorkTools& tools, WorkMemory& memory, client::ObjectPtr work, json::Value record,
            Done done);

  void start();

 private:
  struct Item {
    const json::Value* manifest;
    std::optional<Error> problem = std::nullopt;  // Why it cannot even be looked at.
    ManifestReport report;
    std::optional<std::string> uid = std::nullopt;  // "": not there; nullopt: not known.
    bool is_apply_conflict = false;
    bool is_refused = false;
  };
  enum class Tables : std::uint8_t { Kept, Fresh };

  void resolve(Tables tables);
  bool resolve_with(const client::Discovery& table);
  void record_intents();
  bool is_recalled();
  void check_record();
  void next_manifest();
  bool recall(Item& item);
  void check_executor(Item& item);
  void apply(Item& item, std::optional<Error> refused);
  void on_applied(Item& item, ManifestOutcome outcome, const ManifestTask& task);
  void remember(const Item& item, const ManifestOutcome& outcome);
  void prune();
  void record_results(Released released);
  void write_status();
  void finish(const Status& status);
  void patch(client::Api& api, client::ResourcePath path, const json::Value& before,
             const json::Value& after, std::move_only_function<void(Result<json::Value>)> then);

  std::set<LiveObject> watched_objects() const;
  std::uint64_t wish_of(const Item& item) const;
  ManifestTask task_of(const Item& item) const;
  bool is_frozen(const Item& item) const;
  std::optional<Duration> pause();

  WorkTools tools_;
  WorkMemory& memory_;
  client::ObjectPtr work_object_;
  json::Value record_;  // The AppliedManifestWork.
  Done done_;
  std::string watcher_;  // The name of the record.
  ManifestWork work_;
  std::vector<Item> items_;
  std::vector<std::size_t> order_;
  std::size_t next_ = 0;
  AppliedResources leaving_;  // No longer wanted, still there.
  std::vector<std::string> problems_;
  env::Scope scope_;
};

}  // namespace berth::fleet
