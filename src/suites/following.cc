#include "suites/following.h"

#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "client/testing/follower_service.h"

namespace berth::suites {
namespace {

using namespace std::chrono_literals;
using client::Incident;
using client::StartMode;
using client::testing::Follower;
using client::testing::model_config;
using client::testing::model_tls;
using client::testing::ModelServer;
using client::testing::ModelServerOptions;
using client::testing::ModelStore;

const std::string kFolder = "/pki";
const std::string kAuthorities = kFolder + "/ca.crt";
const std::string kCertificate = kFolder + "/tls.crt";
const std::string kKey = kFolder + "/tls.key";

// Its certificate is also its authority's: the simulator asks for no more.
std::string pem_of(int generation) {
  return fmt::format("-----BEGIN CERTIFICATE-----\ngeneration {}\n-----END CERTIFICATE-----\n",
                     generation);
}

// As somebody from outside replaces a file: whole, and durable.
void replace_file(sim::MachineDisk& disk, const std::string& path, const std::string& text) {
  disk.link(path, std::make_shared<sim::Inode>(
                      sim::Inode{.cached = text, .durable = text, .pending = {}}));
  disk.sync_names(sim::parent_of(path));
}

// A server whose store changes for a while, and a follower. Both may be killed at any time, and
// with https both have certificates that are replaced.
class Following final : public sim::Workload {
 public:
  explicit Following(FollowingMistakes mistakes) : mistakes_(mistakes) {}

  void start(sim::World& world) override {
    world_ = &world;
    random_ = world.random().stream("workload");
    scheme_ = random_->chance(0.5) ? "https" : "http";
    mode_ = random_->chance(0.5) ? StartMode::WatchList : StartMode::List;
    const bool initial_events = random_->chance(0.8);
    for (int i = 0; i < 20; ++i) mutate();
    world.add_node("server").start([this, initial_events](std::span<env::Env> loops) {
      auto server = std::make_shared<ModelServer>(
          loops[0], store_,
          ModelServerOptions{.tls = server_tls(),
                             .initial_events = initial_events,
                             .bug = mistakes_.server,
                             .trouble = [this] { return draw_trouble(); }});
      server_ = server;
      return server;
    });
    sim::Node& client = world.add_node("client");
    client.disk().make_directory(kFolder);
    show_certificates();
    if (scheme_ == "https") {
      world.rotate_certificates = [this] {
        ++generation_;
        show_certificates();
      };
    }
    client.start([this](std::span<env::Env> loops) {
      auto follower = std::make_shared<Follower>(loops[0], client_config(), mode_);
      follower_ = follower;
      return follower;
    });
    plan_mutation();
  }

  Status check() override {
    const auto follower = follower_.lock();
    if (!follower) return {};
    if (follower->informer().count(Incident::EventOutOfOrder) > 0) {
      return failure(Code::InternalError, "a watch sent events out of order");
    }
    if (follower->informer().count(Incident::ServerWasReset) > 0) {
      return failure(Code::InternalError, "the server showed an older state than before");
    }
    if (follower->problem().empty()) return {};
    return failure(Code::InternalError, follower->problem());
  }

  Status settled() override {
    const auto follower = follower_.lock();
    if (world_->now() < kBusy) return failure(Code::Timeout, "still changing");
    if (!follower) return failure(Code::Timeout, "no client");
    if (!follower->informer().has_synced(follower->handler())) {
      return failure(Code::Timeout, "not synced: " + follower->informer().trouble());
    }
    if (follower->copy().size() != store_.state().size()) {
      return failure(
          Code::Timeout,
          fmt::format("the copy has {} objects instead of {}, at version {} of {}; it waits for {}",
                      follower->copy().size(), store_.state().size(),
                      follower->informer().last_version(), store_.revision(),
                      follower->informer().waits_for()));
    }
    for (const auto& [name, body] : store_.state()) {
      const auto copied = follower->copy().find(name);
      if (copied == follower->copy().end() || copied->second->body() != body ||
          follower->informer().store().find({"default", name}) != copied->second) {
        return failure(Code::Timeout, name + " differs");
      }
    }
    return {};
  }

 private:
  static constexpr Duration kBusy = 40s;

  // Everybody trusts the newest two generations; the client shows the newest one, the server the
  // one before. So whoever has missed one rotation still gets on, and whoever has missed two must
  // look at its files.
  std::string trusted() const { return pem_of(generation_ - 1) + pem_of(generation_); }

  std::optional<env::TlsServer> server_tls() const {
    auto tls = model_tls(scheme_);
    if (!tls) return tls;
    const std::string shown = pem_of(generation_ - 1);
    tls->identity = {.certificates_pem = shown, .key_pem = shown};
    tls->client_certificate = env::ClientCertificate::Require;
    tls->client_authorities_pem = trusted();
    return tls;
  }

  client::ClientConfig client_config() const {
    client::ClientConfig config = model_config(scheme_);
    config.tls = {.certificate_authority = {.path = kAuthorities},
                  .client_certificate = {.path = kCertificate},
                  .client_key = {.path = kKey}};
    if (mistakes_.client_reads_certificates_once) {
      config.tls = {.certificate_authority = {.data = trusted()},
                    .client_certificate = {.data = pem_of(generation_)},
                    .client_key = {.data = pem_of(generation_)}};
    }
    return config;
  }

  void show_certificates() {
    sim::MachineDisk& disk = world_->node("client").disk();
    replace_file(disk, kAuthorities, trusted());
    replace_file(disk, kKey, pem_of(generation_));
    replace_file(disk, kCertificate, pem_of(generation_));
    if (const auto server = server_.lock()) server->replace_tls(*server_tls());
  }

  void mutate() {
    const std::string name = "object-" + std::to_string(random_->below(12));
    random_->chance(0.3) ? store_.erase(name) : store_.put(name);
    if (random_->chance(0.05)) store_.compact(store_.revision() - random_->between(0, 20));
  }

  void plan_mutation() {
    const Duration gap = std::chrono::milliseconds(random_->between(1, 300));
    world_->schedule().add(world_->now() + gap, [this] {
      mutate();
      if (world_->now() < kBusy) plan_mutation();
    });
  }

  int draw_trouble() {
    const int troubles[] = {429, 500, 503, 401, 404, 410};
    if (world_->now() > kBusy || !random_->chance(0.1)) return 0;
    return troubles[random_->below(std::size(troubles))];
  }

  FollowingMistakes mistakes_;
  sim::World* world_ = nullptr;
  std::optional<Random> random_;
  std::string scheme_;
  StartMode mode_ = StartMode::WatchList;
  int generation_ = 1;
  ModelStore store_;
  std::weak_ptr<ModelServer> server_;
  std::weak_ptr<Follower> follower_;
};

}  // namespace

sim::Suite following_suite(FollowingMistakes mistakes) {
  return {.name = "informer",
          .make = [mistakes] { return std::make_unique<Following>(mistakes); },
          .faults = {"bad-network", "clock-errors", "clogs", "cut-streams", "kills", "partitions",
                     "pauses", "power-losses", "rotations"},
          .faulty = 40s,
          // A server that lost its power says nothing, and the simulated network has no keep-alive:
          // over HTTP/1.1 only the end of the watch, up to 10 minutes away, brings it to light.
          .settles_within = 15min};
}

}  // namespace berth::suites
