// Brings one object into the state that its manifest asks for: read, decide, write, and again if
// somebody else was faster.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "client/api_service.h"
#include "control/committer_service.h"
#include "env/scope.h"
#include "fleet/work/desired_object.h"
#include "fleet/work/resource_meta.h"
#include "json/value.h"

namespace berth::fleet {

struct ManifestTask {
  ResourceMeta meta;
  json::Value manifest;
  UpdateStrategy update;
  OwnerWish owner;
  std::optional<Fingerprint> settled = std::nullopt;
};

struct ManifestOutcome {
  Status applied = {};
  bool is_apply_conflict = false;  // Of server-side apply: trying again does not help.
  Result<json::Value> live = failure(Code::Unknown, "not looked for");  // Afterwards.
  std::optional<Fingerprint> settled = std::nullopt;
};

class Applier {
 public:
  using Done = std::move_only_function<void(ManifestOutcome)>;

  // The Api outlives this. `done` runs later, on the loop; not after the applier's death.
  Applier(client::Api& api, control::MayWrite may_write)
      : api_(api), may_write_(std::move(may_write)) {}

  void apply(ManifestTask task, Done done);

 private:
  struct Job {
    ManifestTask task;
    Done done;
    int attempts = 0;
    std::optional<json::Value> live = std::nullopt;
  };
  using JobPtr = std::shared_ptr<Job>;

  void look(const JobPtr& job);
  void act(const JobPtr& job);
  void create(const JobPtr& job, const CreateObject& deed);
  void replace(const JobPtr& job, const ReplaceObject& deed);
  void patch_owners(const JobPtr& job, const json::Value& patch);
  void apply_object(const JobPtr& job, const ApplyObject& deed);
  void on_written(const JobPtr& job, Result<json::Value> answer);
  void fail(const JobPtr& job, const Error& error);
  void finish(const JobPtr& job, ManifestOutcome outcome);
  static client::ResourcePath path_of(const ResourceMeta& meta);

  client::Api& api_;
  control::MayWrite may_write_;
  env::Scope scope_;
};

}  // namespace berth::fleet
