// Where the kinds that hosting reads and writes are served.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "client/resource.h"
#include "control/commit.h"
#include "control/followed_service.h"
#include "env/env.h"

namespace berth::hosting {

enum class HostingResource : std::uint8_t {
  Requests,
  Ledgers,
  Clusters,
  Scores,
  AddOns,   // ManagedClusterAddOn
  Configs,  // AddOnDeploymentConfig
  Decisions,
  Works,
};

inline constexpr std::array kHostingResources = {
    HostingResource::Requests,  HostingResource::Ledgers, HostingResource::Clusters,
    HostingResource::Scores,    HostingResource::AddOns,  HostingResource::Configs,
    HostingResource::Decisions, HostingResource::Works};

client::Gvr resource_of(HostingResource kind);

using HostingFollowed = control::Followed<HostingResource>;
std::vector<std::pair<HostingResource, client::Gvr>> hosting_resources();

// One change, with the version that it made.
class VersionedCommit final : public control::WriteSequence {
 public:
  static Result<std::shared_ptr<VersionedCommit>> of(control::Change change);

  const std::optional<control::Write>& write() const override { return commit_.write(); }
  Status on_answer(Result<json::Value> answer) override;
  const std::string& version() const { return version_; }  // Empty: nothing was written.

 private:
  explicit VersionedCommit(control::Commit commit) : commit_(std::move(commit)) {}

  control::Commit commit_;
  std::string version_;
};

// Runs the task once, when the cache shows that version; or after a while, because a server that
// was set back never does.
void when_shown(const env::Env& env, client::InformerService& informer, const std::string& version,
                env::Task task);

}  // namespace berth::hosting
