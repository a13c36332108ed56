#include "fleet/registration/secret_store_service.h"

#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "pki/authority.h"
#include "sim/machine_disk.h"
#include "sim/node_clock.h"
#include "sim/schedule.h"
#include "sim/sim_disk.h"
#include "sim/sim_loop.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;

const Time kNow = Time::from_unix(1'800'000'000);
const AgentName kName{.cluster = "paris", .agent = "a"};
const HubEndpoint kHub{.entry = "hub", .server = "https://hub:6443"};

pki::Identity new_identity() {
  static const pki::Authority authority = pki::Authority::make("ca", kNow - 1h, 24h * 365);
  return pki::issue_client(authority, {.common_name = user_of(kName)}, {.now = kNow, .life = 24h})
      .value();
}

// A machine whose process may end at any operation of its disk.
class Folder : public ::testing::Test {
 protected:
  std::unique_ptr<FolderSecretStore> open() {
    return FolderSecretStore::open(disk_, *loop_, "identity").value();
  }

  HubSecret load(SecretStore& store) {
    std::optional<Result<HubSecret>> loaded;
    store.load([&](Result<HubSecret> secret) { loaded = std::move(secret); });
    run();
    return loaded.value().value();
  }

  Status save(SecretStore& store, HubSecret secret) {
    std::optional<Status> saved;
    store.save(std::move(secret), [&](const Status& status) { saved = status; });
    run();
    return saved.value();
  }

  void run() {
    while (schedule_.next()) schedule_.run_next();
  }

  sim::Schedule schedule_;
  sim::NodeClock clock_{{}};
  std::shared_ptr<sim::SimLoop> loop_ = std::make_shared<sim::SimLoop>(schedule_, clock_);
  sim::MachineDisk machine_{Random(1)};
  sim::SimDisk disk_{machine_, *loop_};
};

TEST_F(Folder, KeepsWhatWasSaved) {
  const auto store = open();
  EXPECT_TRUE(load(*store).empty());
  HubSecret secret{{kPendingKey, "key"}, {kAgentNameKey, "a"}};
  ASSERT_TRUE(save(*store, secret).ok());
  EXPECT_EQ(load(*store), secret);
  secret.erase(kPendingKey);
  ASSERT_TRUE(save(*store, secret).ok());
  EXPECT_EQ(load(*store), secret);
}

TEST_F(Folder, IsForOneProcess) {
  const auto store = open();
  EXPECT_FALSE(FolderSecretStore::open(disk_, *loop_, "identity").ok());
}

TEST_F(Folder, HoldsAGoodIdentityAfterALossOfPowerAtAnyMomentOfARenewal) {
  const pki::Identity first = new_identity();
  const pki::Identity second = new_identity();
  bool finished = false;
  for (std::uint64_t crash_at = 1; !finished; ++crash_at) {
    ASSERT_LT(crash_at, 200U) << "the renewal never ends";
    sim::MachineDisk machine{Random(crash_at)};
    machine.options.unsynced = sim::Unsynced::Torn;
    const auto loop = std::make_shared<sim::SimLoop>(schedule_, clock_);
    sim::SimDisk disk(machine, *loop);
    auto store = FolderSecretStore::open(disk, *loop, "identity").value();
    HubSecret secret =
        with_certificate({{kPendingKey, first.key.pem()}}, kHub, kName, first.certificate.pem());
    ASSERT_TRUE(save(*store, secret).ok());
    secret[kPendingKey] = second.key.pem();
    ASSERT_TRUE(save(*store, secret).ok());

    const std::uint64_t before = machine.operations();
    machine.on_operation = [&](std::uint64_t number, sim::DiskAct) -> std::optional<Error> {
      if (number - before == crash_at) loop->kill();
      return std::nullopt;
    };
    finished = true;
    store->save(with_certificate(secret, kHub, kName, second.certificate.pem()),
                [&finished](const Status& status) { finished = status.ok(); });
    run();
    finished = finished && machine.operations() - before < crash_at;
    machine.lose_power();
    machine.on_operation = nullptr;

    const auto revived = std::make_shared<sim::SimLoop>(schedule_, clock_);
    sim::SimDisk after(machine, *revived);
    const auto again = FolderSecretStore::open(after, *revived, "identity").value();
    const auto identity = read_identity(load(*again), kName, kNow);
    EXPECT_TRUE(identity.ok()) << "after operation " << crash_at << ": "
                               << identity.error().message;
  }
}

}  // namespace
}  // namespace berth::fleet
