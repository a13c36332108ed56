// Where an agent keeps what it must not lose: a Secret of its cluster, or a folder.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "client/api_service.h"
#include "env/disk.h"
#include "env/loop.h"
#include "env/scope.h"
#include "fleet/registration/hub_identity.h"
#include "json/value.h"

namespace berth::fleet {

// Callbacks run later, on the loop, and not after the store's death.
class SecretStore {
 public:
  using Loaded = std::move_only_function<void(Result<HubSecret>)>;
  using Saved = std::move_only_function<void(const Status&)>;

  virtual ~SecretStore() = default;

  // Nothing stored yet is an empty secret.
  virtual void load(Loaded loaded) = 0;

  // Replaces what was loaded last. Fails with Conflict when somebody else has changed it since.
  virtual void save(HubSecret secret, Saved saved) = 0;
};

// In OCM's Secret, which its own agents understand too. The namespace is made if it is missing.
class KubeSecretStore final : public SecretStore {
 public:
  struct Place {
    std::string ns = std::string(kAgentNamespace);
    std::string name = std::string(kHubSecret);
  };

  // The Api outlives the store.
  KubeSecretStore(client::Api& api, Place place) : api_(api), place_(std::move(place)) {}

  void load(Loaded loaded) override;
  void save(HubSecret secret, Saved saved) override;

 private:
  void create(const json::Value& object, Saved saved);

  client::Api& api_;
  Place place_;
  json::Value object_ = {};  // As it was loaded; null: there was none.
  env::Scope scope_;
};

// One file for each key, for agents that run outside their cluster. One process at a time.
class FolderSecretStore final : public SecretStore {
 public:
  // Makes the folder, readable by its owner only. Conflict: another process uses it.
  static Result<std::unique_ptr<FolderSecretStore>> open(env::Disk& disk, env::Loop& loop,
                                                         std::string folder);

  void load(Loaded loaded) override;
  void save(HubSecret secret, Saved saved) override;

 private:
  FolderSecretStore(env::Disk& disk, env::Loop& loop, std::string folder,
                    std::unique_ptr<env::DiskLock> lock)
      : disk_(disk), loop_(loop), folder_(std::move(folder)), lock_(std::move(lock)) {}

  Result<HubSecret> read() const;
  Status write(const HubSecret& secret);

  env::Disk& disk_;
  env::Loop& loop_;
  std::string folder_;
  std::unique_ptr<env::DiskLock> lock_;
  HubSecret stored_ = {};
  env::Scope scope_;
};

}  // namespace berth::fleet
