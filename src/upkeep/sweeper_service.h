// Empties collections: asks what is there, has it deleted, and asks what is left.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/api_service.h"
#include "client/discovery.h"
#include "control/committer_service.h"
#include "env/scope.h"
#include "upkeep/content.h"

namespace berth::upkeep {

class Sweeper {
 public:
  using Swept = std::move_only_function<void(Result<Content>)>;

  // What it means when the server does not know the collection.
  enum class Unserved : std::uint8_t { IsEmpty, IsAFailure };

  // The Api outlives the sweeper. When the sweeper dies, callbacks are dropped.
  Sweeper(client::Api& api, control::MayWrite may_write)
      : api_(api), may_write_(std::move(may_write)) {}

  // One pass over all objects of the resource in the namespace, or in all for "". Dependents are
  // left to the garbage collection. More than a page needs more than one pass.
  struct Target {
    client::ResourceInfo resource;
    std::string ns = {};
    Unserved unserved = Unserved::IsEmpty;
  };
  void sweep(Target target, Swept swept);

 private:
  struct Pass {
    Target target;
    Swept swept;
    std::vector<client::ResourcePath> collections = {};  // Still to be deleted as a whole.
    std::vector<client::ResourcePath> objects = {};      // Still to be deleted one by one.
    std::vector<std::string> uids = {};                  // Of those.
  };
  using PassPtr = std::shared_ptr<Pass>;

  void list(const PassPtr& pass, std::move_only_function<void(Result<json::Value>)> listed);
  void plan(const PassPtr& pass, const json::Value& page);
  void remove_next(const PassPtr& pass);
  void on_removed(const PassPtr& pass, const Status& status);
  void report(const PassPtr& pass);

  client::Api& api_;
  control::MayWrite may_write_;
  env::Scope scope_;
};

}  // namespace berth::upkeep
