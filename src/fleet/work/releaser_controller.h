// Takes back what a work has applied: deletes what only it owns, lets go of what others own too.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/api_service.h"
#include "control/committer_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/work/object_merge.h"
#include "fleet/work/resource_meta.h"

namespace berth::fleet {

struct Released {
  AppliedResources pending = {};           // On their way, or their fate is not known.
  std::vector<std::string> problems = {};  // Of those whose fate is not known.
};

class Releaser {
 public:
  using Done = std::move_only_function<void(Released)>;

  // The Api outlives this. `done` runs later, on the loop; not after the releaser's death.
  Releaser(const env::Env& env, client::Api& api, control::MayWrite may_write)
      : env_(env), api_(api), may_write_(std::move(may_write)) {}

  // `owner` refers to the AppliedManifestWork in whose record the resources are.
  void release(AppliedResources resources, json::Value owner, Done done);

 private:
  struct Job {
    AppliedResources left;  // The last one is next.
    json::Value owner;
    Done done;
    Released released = {};
  };
  using JobPtr = std::shared_ptr<Job>;

  void next(const JobPtr& job);
  void look(const JobPtr& job, const AppliedResource& resource);
  void drop_owner(const JobPtr& job, const AppliedResource& resource, const json::Value& live);
  void remove(const JobPtr& job, const AppliedResource& resource, const json::Value& live);
  void keep(const JobPtr& job, const AppliedResource& resource, std::string problem);

  env::Env env_;
  client::Api& api_;
  control::MayWrite may_write_;
  env::Scope scope_;
};

}  // namespace berth::fleet
