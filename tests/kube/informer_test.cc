// Caches that follow a real server through restarts, cut streams and rotated certificates.

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "client/errors.h"
#include "client/informer_service.h"
#include "kube/blocking_api.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using client::Delta;
using client::InformerService;
using client::ResourcePath;
using json::Value;

const ResourcePath kConfigMaps = {.resource = {.version = "v1", .resource = "configmaps"},
                                  .ns = "default"};

Value named(std::string name) {
  return Value::object({{"apiVersion", "v1"},
                        {"kind", "ConfigMap"},
                        {"metadata", Value::object({{"name", std::move(name)}})}});
}

// The embedded hub puts this one into every namespace itself.
constexpr std::string_view kPublished = "kube-root-ca.crt";

// Whoever waits for an informer has more patience than it has itself while its server starts.
constexpr client::BackoffPolicy kBackoff = {.max = 1s};

// An informer on the loop of an Api, with everything it told.
class Follower {
 public:
  Follower(BlockingApi& api, client::StartMode mode) : api_(api) {
    api_.on_loop([&] {
      informer_ = std::make_unique<InformerService>(
          api_.env(), api_.api(),
          client::InformerSpec{.collection = kConfigMaps,
                               .reflector = {.start = mode, .backoff = kBackoff}});
      informer_->add_handler([this](const Delta& delta) { hear(delta); });
      informer_->start();
    });
  }
  ~Follower() {
    api_.on_loop([&] { informer_.reset(); });
  }

  bool sees(const std::set<std::string>& names) {
    return api_.eventually(
        [&] { return informer_->has_synced() && names_in_store() == names && told_ == names; });
  }

  int doubles() const { return doubles_; }

 private:
  std::set<std::string> names_in_store() const {
    std::set<std::string> names;
    for (const auto& object : informer_->store().objects()) names.emplace(object->name());
    names.erase(std::string(kPublished));
    return names;
  }

  // What the deltas add up to must be what the store holds, without an addition twice.
  void hear(const Delta& delta) {
    const std::string name(delta.object().name());
    if (name == kPublished) return;
    if (delta.type == Delta::Type::Added && !told_.insert(name).second) ++doubles_;
    if (delta.type == Delta::Type::Deleted && told_.erase(name) == 0) ++doubles_;
    if (delta.type == Delta::Type::Updated && !told_.contains(name)) ++doubles_;
  }

  BlockingApi& api_;
  std::unique_ptr<InformerService> informer_;
  std::set<std::string> told_;
  int doubles_ = 0;
};

class Informers : public ::testing::TestWithParam<client::StartMode> {
 protected:
  void SetUp() override {
    auto started = Server::start();
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
    api_ = std::make_unique<BlockingApi>(server_->kubeconfig(),
                                         client::ApiOptions{.rate = {.per_second = 0}});
  }

  void create(const std::string& name) {
    const auto created = api_->create(kConfigMaps, named(name));
    ASSERT_TRUE(created.ok()) << created.error().message;
  }

  void remove(const std::string& name) {
    ResourcePath path = kConfigMaps;
    path.name = name;
    ASSERT_TRUE(api_->remove(path).ok());
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<BlockingApi> api_;
};

TEST_P(Informers, SurviveAKilledServer) {
  create("a");
  create("b");
  Follower follower(*api_, GetParam());
  ASSERT_TRUE(follower.sees({"a", "b"}));
  remove("a");
  create("c");
  ASSERT_TRUE(follower.sees({"b", "c"}));

  server_->process().kill();
  ASSERT_TRUE(server_->restart().ok());
  create("d");
  remove("b");
  EXPECT_TRUE(follower.sees({"c", "d"}));
  EXPECT_EQ(follower.doubles(), 0);
}

TEST_P(Informers, NoticeAServerThatFellSilentAndComeBack) {
  create("a");
  // Silence is told from death by a ping, here after a second instead of half a minute. How long
  // its answer may take is left as it is: a server that is slow is none that fell silent.
  BlockingApi impatient(server_->kubeconfig(), {.http = {.timeouts = {.ping_after = 1s}}});
  Follower follower(impatient, GetParam());
  ASSERT_TRUE(follower.sees({"a"}));
  server_->process().send(SIGSTOP);
  EXPECT_TRUE(impatient.eventually([&] { return impatient.api().connections() == 0; }));
  server_->process().send(SIGCONT);
  create("b");
  EXPECT_TRUE(follower.sees({"a", "b"}));
  EXPECT_EQ(follower.doubles(), 0);
}

// Hears how a watch ends.
class EndListener final : public client::WatchListener {
 public:
  void on_opened() override {}
  void on_events(std::vector<client::WatchEvent> events) override {
    for (const client::WatchEvent& event : events) {
      if (event.type != client::WatchEvent::Type::Error) continue;
      error = client::error_of_status(event.object);
    }
  }
  void on_closed(const Status& why) override {
    closed = true;
    if (!why.ok()) error = why.error();
  }

  std::optional<Error> error;  // In an event of the stream, or instead of it.
  bool closed = false;
};

// The error with which one watch from that version ends.
std::optional<Error> watch_error(BlockingApi& api, const std::string& version) {
  EndListener listener;
  api.on_loop([&] {
    api.api().watch(kConfigMaps, {.resource_version = version}, {.listener = &listener});
  });
  EXPECT_TRUE(api.eventually([&] { return listener.closed; }));
  return listener.error;
}

// An object is gone and another one new while the server is down, and no history is left that tells
// of it: the version of the cache is answered with 410.
void catch_up_after_compaction(Server& server, BlockingApi& api, client::StartMode mode) {
  const auto first = api.create(kConfigMaps, named("a"));
  ASSERT_TRUE(first.ok() && api.create(kConfigMaps, named("b")).ok());
  const std::string version(first->find_path({"metadata", "resourceVersion"})->string_or_empty());
  Follower follower(api, mode);
  ASSERT_TRUE(follower.sees({"a", "b"}));

  server.process().kill();
  const Status forgotten = server.forget_config_map("a");
  ASSERT_TRUE(forgotten.ok()) << forgotten.error().message;
  ASSERT_TRUE(server.restart().ok());

  // Until then it may be told of its lost connection, or of a server that is not quite there.
  std::optional<Error> error;
  EXPECT_TRUE(wait_until([&] {
    error = watch_error(api, version);
    return error && client::is_expired(*error);
  })) << (error ? error->message : "no error");
  EXPECT_TRUE(follower.sees({"b"}));
  ASSERT_TRUE(api.create(kConfigMaps, named("c")).ok());
  EXPECT_TRUE(follower.sees({"b", "c"}));
  EXPECT_EQ(follower.doubles(), 0);
}

TEST_P(Informers, CatchUpWhenTheirVersionIsTooOld) {
  catch_up_after_compaction(*server_, *api_, GetParam());
}

class UncachedInformers : public ::testing::TestWithParam<client::StartMode> {};

// Here the 410 comes from etcd and not from the server's own cache.
TEST_P(UncachedInformers, CatchUpWhenEtcdHasForgottenTheirVersion) {
  auto started = Server::start({.flags = {"--watch-cache=false"}});
  ASSERT_TRUE(started.ok()) << started.error().message;
  BlockingApi api((*started)->kubeconfig(), {.rate = {.per_second = 0}});
  catch_up_after_compaction(**started, api, GetParam());
}

constexpr client::StartMode kModes[] = {client::StartMode::WatchList, client::StartMode::List};

std::string mode_name(const ::testing::TestParamInfo<client::StartMode>& mode) {
  return mode.param == client::StartMode::WatchList ? "WatchList" : "ListThenWatch";
}

INSTANTIATE_TEST_SUITE_P(BothWays, Informers, ::testing::ValuesIn(kModes), mode_name);
INSTANTIATE_TEST_SUITE_P(BothWays, UncachedInformers, ::testing::ValuesIn(kModes), mode_name);

// The old certificate runs out while a watch is open; files with a new one are there in time.
TEST(Rotation, AWatchGoesOnWithTheNewCertificate) {
  constexpr std::chrono::seconds kLife(40);  // Until then the new one has to be in use.
  auto started = Server::start();
  ASSERT_TRUE(started.ok()) << started.error().message;
  Server& server = **started;
  const auto kubeconfig =
      server.kubeconfig_for({.name = "rotating", .certificate_seconds = kLife.count()});
  const auto old_one_ends = std::chrono::steady_clock::now() + kLife + 1s;
  BlockingApi admin(server.kubeconfig());
  BlockingApi api(*kubeconfig, {.credentials = {.files_interval = 1s}});
  Follower follower(api, client::StartMode::WatchList);
  ASSERT_TRUE(follower.sees({}));

  ASSERT_TRUE(server.kubeconfig_for({.name = "rotating", .certificate_seconds = 3600}).ok());
  ASSERT_TRUE(admin.create(kConfigMaps, named("before")).ok());
  EXPECT_TRUE(follower.sees({"before"}));
  std::this_thread::sleep_until(old_one_ends);
  ASSERT_TRUE(admin.create(kConfigMaps, named("after")).ok());
  EXPECT_TRUE(follower.sees({"before", "after"}));
  EXPECT_TRUE(api.get({.resource = kConfigMaps.resource, .ns = "default", .name = "after"}).ok());
  EXPECT_EQ(follower.doubles(), 0);
}

}  // namespace
}  // namespace berth::kube
