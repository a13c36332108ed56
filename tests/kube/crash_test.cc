// The hub is killed in the middle of many writes, again and again, and forgets nothing that it
// promised. The machine stays up, so this shows the order of promises and writes and the recovery;
// lost and torn writes of disks are for the store's own suite.

#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "kube/blocking_api.h"
#include "kube/history.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using client::ResourcePath;
using json::Value;

constexpr int kWriters = 24;
constexpr int kObjectsEach = 4;

// "crashes" is a namespace of its own: nobody else writes there.
ResourcePath config_map(std::string name = "") {
  return {.resource = {.version = "v1", .resource = "configmaps"},
          .ns = "crashes",
          .name = std::move(name)};
}

Value config_map_with(const std::string& name, const std::string& text) {
  Value object = Value::object({{"apiVersion", "v1"}, {"kind", "ConfigMap"}});
  object["metadata"]["name"] = name;
  object["data"]["text"] = text;
  return object;
}

std::int64_t setting(const char* variable, std::int64_t otherwise) {
  const char* said = std::getenv(variable);
  return said ? std::atoll(said) : otherwise;
}

// One object of one writer: what it was at the last answer, and a write whose answer never came.
struct Owned {
  std::optional<Value> known = std::nullopt;
  std::optional<Told> perhaps = std::nullopt;
};

// Writes to its objects, one request at a time, until an answer fails to come.
class Writer {
 public:
  // `acknowledged` runs after each answer.
  Writer(client::Api& api, History& history, int number, Random random,
         std::function<void()> acknowledged)
      : api_(api), history_(history), random_(random), acknowledged_(std::move(acknowledged)) {
    for (int i = 0; i < kObjectsEach; ++i) {
      owned_[fmt::format("w{:02}-{}", number, i)] = {};
    }
  }

  bool is_idle() const { return is_idle_; }
  const std::vector<std::string>& problems() const { return problems_; }

  void go_on() {
    is_idle_ = false;
    auto place = owned_.begin();
    std::advance(place, random_.below(owned_.size()));
    auto& [name, owned] = *place;
    if (!owned.known) return create(name, owned);
    if (random_.chance(0.3)) return remove(name, owned);
    update(name, owned);
  }

  // After a restart: each object is as it was at its last answer, or as the write left it that was
  // under way.
  void settle(const std::map<std::string, Value>& listed) {
    for (auto& [name, owned] : owned_) {
      const auto found = listed.find(name);
      std::optional<Value> now;
      if (found != listed.end()) now = found->second;
      if (!fits(owned, now)) {
        problems_.push_back(fmt::format("{} is not what was promised: {}", name,
                                        now ? told_by(*now).text : "it is not there"));
      }
      owned = {.known = std::move(now)};
    }
  }

 private:
  static bool fits(const Owned& owned, const std::optional<Value>& now) {
    if (owned.perhaps) {
      if (owned.perhaps->is_gone && !now) return true;
      if (now && told_by(*now) == *owned.perhaps) return true;
    }
    if (!owned.known || !now) return !owned.known && !now;
    return version_of(*owned.known) == version_of(*now) && told_by(*owned.known) == told_by(*now);
  }

  std::string next_text(const std::string& name) { return fmt::format("{}-{}", name, ++writes_); }

  void create(const std::string& name, Owned& owned) {
    const Value object = config_map_with(name, next_text(name));
    owned.perhaps = told_by(object);
    api_.create(config_map(), object, {},
                [this, &owned](Result<Value> answer) { written(owned, std::move(answer)); });
  }

  void update(const std::string& name, Owned& owned) {
    Value object = config_map_with(name, next_text(name));
    object["metadata"]["resourceVersion"] = std::to_string(version_of(*owned.known));
    owned.perhaps = told_by(object);
    api_.update(config_map(name), object, {},
                [this, &owned](Result<Value> answer) { written(owned, std::move(answer)); });
  }

  void remove(const std::string& name, Owned& owned) {
    const Told last = told_by(*owned.known);
    owned.perhaps = last;
    owned.perhaps->is_gone = true;
    api_.remove(config_map(name), {}, [this, &owned, last](const Result<Value>& answer) {
      if (!answer.ok()) return failed(answer.error());
      history_.acknowledge_removal(last);
      owned = {};
      answered();
    });
  }

  void written(Owned& owned, Result<Value> answer) {
    if (!answer.ok()) return failed(answer.error());
    history_.acknowledge(*answer);
    if (told_by(*answer) != *owned.perhaps) problems_.push_back("another state was answered");
    owned = {.known = std::move(*answer)};
    answered();
  }

  void answered() {
    acknowledged_();
    go_on();
  }

  // Nobody else touches its objects, so a refusal is wrong; a lost connection is what we wait for.
  void failed(const Error& error) {
    is_idle_ = true;
    const bool is_refusal = error.code == Code::Conflict || error.code == Code::NotFound ||
                            error.code == Code::AlreadyExists || error.code == Code::Invalid;
    if (is_refusal) problems_.push_back(error.message);
  }

  client::Api& api_;
  History& history_;
  Random random_;
  std::function<void()> acknowledged_;
  std::map<std::string, Owned> owned_;
  int writes_ = 0;
  bool is_idle_ = true;
  std::vector<std::string> problems_;
};

// Hands the events of a watch to the history. Opened again where it was cut.
class Watcher final : public client::WatchListener {
 public:
  explicit Watcher(History& history) : history_(history) {}

  void open(client::Api& api, std::int64_t version) {
    is_open_ = true;
    api.watch(config_map(), {.resource_version = std::to_string(version)}, {.listener = this});
  }
  bool is_open() const { return is_open_; }

  void on_opened() override {}
  void on_events(std::vector<client::WatchEvent> events) override {
    for (const client::WatchEvent& event : events) history_.event(event);
  }
  void on_closed(const Status&) override { is_open_ = false; }

 private:
  History& history_;
  bool is_open_ = false;
};

class Crashes : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = Server::start({.kind = ServerKind::EmbeddedHub});
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
    api_ = std::make_unique<BlockingApi>(
        server_->kubeconfig(),
        client::ApiOptions{.rate = {.per_second = 0}, .call = {.retry = {.attempts_max = 1}}});
    Value ns = Value::object({{"apiVersion", "v1"}, {"kind", "Namespace"}});
    ns["metadata"]["name"] = "crashes";
    ASSERT_TRUE(api_->create({.resource = {.version = "v1", .resource = "namespaces"}}, ns).ok());
    history_.begin(api_->list(config_map()).value());
    api_->on_loop([&] {
      for (int i = 0; i < kWriters; ++i) {
        writers_.push_back(std::make_unique<Writer>(api_->api(), history_, i,
                                                    random_.stream(fmt::format("writer {}", i)),
                                                    [this] { count_and_kill(); }));
      }
    });
  }

  void TearDown() override {
    if (api_) api_->on_loop([&] { writers_.clear(); });
    api_.reset();
  }

  // From inside of an answer, with the requests of all the other writers under way.
  void count_and_kill() {
    if (--answers_left_ == 0) server_->process().send(SIGKILL);
  }

  void write_until_killed() {
    api_->on_loop([&] {
      answers_left_ = random_.between(1, 400);
      watcher_.open(api_->api(), history_.last_event());
      for (auto& writer : writers_) writer->go_on();
    });
    ASSERT_TRUE(api_->eventually([&] {
      for (const auto& writer : writers_) {
        if (!writer->is_idle()) return false;
      }
      return answers_left_ <= 0 && !watcher_.is_open();
    }));
    server_->process().kill();
  }

  void settle() {
    const auto list = api_->list(config_map());
    ASSERT_TRUE(list.ok()) << list.error().message;
    std::map<std::string, Value> listed;
    for (const Value& item : list->find("items")->elements()) listed[told_by(item).name] = item;
    history_.list(*list);
    api_->on_loop([&] {
      for (auto& writer : writers_) writer->settle(listed);
    });
  }

  // A last write tells the watch where the end is; it has to be back at what the list says.
  void catch_up() {
    const auto created = api_->create(config_map(), config_map_with("end", "end"));
    ASSERT_TRUE(created.ok()) << created.error().message;
    history_.acknowledge(*created);
    history_.list(api_->list(config_map()).value());
    api_->on_loop([&] { watcher_.open(api_->api(), history_.last_event()); });
    EXPECT_TRUE(api_->eventually([&] { return history_.last_event() >= version_of(*created); }));
  }

  std::vector<std::string> problems() const {
    std::vector<std::string> all = history_.problems();
    for (const auto& writer : writers_) {
      all.insert(all.end(), writer->problems().begin(), writer->problems().end());
    }
    return all;
  }

  Random random_{static_cast<std::uint64_t>(setting("BERTH_CRASH_SEED", 1))};
  std::unique_ptr<Server> server_;
  History history_;
  Watcher watcher_{history_};
  std::unique_ptr<BlockingApi> api_;
  std::vector<std::unique_ptr<Writer>> writers_;  // On the loop only.
  std::int64_t answers_left_ = 0;
};

TEST_F(Crashes, LoseNothingThatWasAcknowledged) {
  const std::int64_t crashes = setting("BERTH_CRASHES", 20);
  for (std::int64_t i = 0; i < crashes; ++i) {
    ASSERT_NO_FATAL_FAILURE(write_until_killed());
    const Status restarted = server_->restart();
    ASSERT_TRUE(restarted.ok()) << restarted.error().message;
    ASSERT_NO_FATAL_FAILURE(settle());
    ASSERT_EQ(problems(), std::vector<std::string>()) << "after crash " << i + 1;
  }
  ASSERT_NO_FATAL_FAILURE(catch_up());
  api_->on_loop([&] { history_.check_complete(); });
  EXPECT_EQ(problems(), std::vector<std::string>());
  fmt::print("{} crashes, {} acknowledged writes\n", crashes, history_.acknowledged());
}

}  // namespace
}  // namespace berth::kube
