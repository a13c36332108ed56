// hub_watches SERVER TOKEN WATCHES CREATES: how fast does an API server tell many watches of what
// is created? bench/hub/run asks both servers.
//
// Conditions: all watches are of ConfigMaps of the namespace kube-public, on as few connections of
// HTTP/2 as the server lets them be; creates of 1 KB, 16 in flight, begin when all watches are
// open. Events are counted, not parsed, so that the client costs little: it shares the machine.
// Prints the events in a second, from the first create to the last event, and the milliseconds.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "client/transport_service.h"
#include "http/url.h"
#include "runtime/system.h"

namespace berth::bench {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kCollection = "/api/v1/namespaces/kube-public/configmaps";
constexpr int kInFlight = 16;
constexpr auto kPatience = 5min;

[[noreturn]] void give_up(std::string_view why) {
  std::fputs(fmt::format("hub_watches: {}\n", why).c_str(), stderr);
  std::exit(1);
}

struct Settings {
  http::Url server;
  std::string token;
  std::int64_t watches = 0;
  std::int64_t creates = 0;
};

// Whatever fails ends the program: a figure of less than all would mean nothing.
class Sink : public client::ResponseSink {
 public:
  void on_head(const http::ResponseHead& head) override {
    if (head.status >= 300) give_up(fmt::format("the server answered {}", head.status));
  }
  void on_failure(const http::StreamFailure& failure) override { give_up(failure.error.message); }
};

class Load {
 public:
  Load(env::Env& env, Settings settings)
      : settings_(std::move(settings)),
        transport_({env.clock, env.loop, env.network, env.log},
                   {.route = {.server = {.host = settings_.server.host,
                                         .port = settings_.server.port_or_default()},
                              .tls = env::TlsClient{.trust = env::TlsTrust::Anything,
                                                    .protocols = {"h2"}}}}) {
    for (std::int64_t i = 0; i < settings_.watches; ++i) {
      watches_.push_back(std::make_unique<Watch>(*this));
      transport_.send(request("?watch=1", http::RequestKind::Watch), *watches_.back());
    }
  }

  void create_all() {
    for (int i = 0; i < kInFlight; ++i) create_next();
  }

  std::int64_t open() const { return open_; }
  std::int64_t events() const { return events_; }

 private:
  class Watch final : public Sink {
   public:
    explicit Watch(Load& load) : load_(load) {}

    void on_head(const http::ResponseHead& head) override {
      Sink::on_head(head);
      ++load_.open_;
    }
    void on_body(std::string_view bytes) override {
      load_.events_ += std::ranges::count(bytes, '\n');
    }
    void on_end() override { give_up("a watch has ended"); }

   private:
    Load& load_;
  };

  class Create final : public Sink {
   public:
    explicit Create(Load& load) : load_(load) {}

    void on_body(std::string_view) override {}
    void on_end() override { load_.create_next(); }

   private:
    Load& load_;
  };

  http::Request request(std::string_view query, http::RequestKind kind) const {
    http::Request request{.head = {.target = std::string(kCollection) + std::string(query),
                                   .authority = settings_.server.authority()},
                          .kind = kind};
    request.head.headers.add("authorization", "Bearer " + settings_.token);
    request.head.headers.add("accept", "application/json");
    return request;
  }

  void create_next() {
    if (created_ == settings_.creates) return;
    ++created_;
    http::Request creation = request("", http::RequestKind::Short);
    creation.head.method = http::Method::Post;
    creation.head.headers.add("content-type", "application/json");
    creation.body = http::Body(
        fmt::format(R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"generateName":"w-"}},)"
                    R"("data":{{"text":"{:x<880}"}}}})",
                    ""));
    creates_.push_back(std::make_unique<Create>(*this));
    transport_.send(std::move(creation), *creates_.back());
  }

  Settings settings_;
  std::vector<std::unique_ptr<Watch>> watches_;
  std::vector<std::unique_ptr<Create>> creates_;
  std::int64_t created_ = 0;
  std::atomic<std::int64_t> open_ = 0;
  std::atomic<std::int64_t> events_ = 0;
  client::Transport transport_;
};

void wait_until(std::string_view what, const auto& condition) {
  const auto deadline = Clock::now() + kPatience;
  while (!condition()) {
    if (Clock::now() > deadline) give_up(fmt::format("{} took too long", what));
    std::this_thread::sleep_for(1ms);
  }
}

void run(const Settings& settings) {
  runtime::raise_descriptor_limit();
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  std::unique_ptr<Load> load;
  runtime::run_on(env.loop, [&] { load = std::make_unique<Load>(env, settings); });
  wait_until("opening", [&] { return load->open() == settings.watches; });
  std::this_thread::sleep_for(1s);  // What there was before is told first.
  const std::int64_t before = load->events();
  const std::int64_t all = settings.watches * settings.creates;
  const auto began = Clock::now();
  runtime::run_on(env.loop, [&] { load->create_all(); });
  wait_until("telling", [&] { return load->events() - before >= all; });
  const std::chrono::duration<double> took = Clock::now() - began;
  fmt::print("{:.0f} {:.0f}\n", static_cast<double>(all) / took.count(), took.count() * 1000);
  runtime::run_on(env.loop, [&] { load.reset(); });
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth;
  const auto number = [&](int at) { return parse_int64(argv[at]).value_or(0); };
  if (argc != 5) bench::give_up("SERVER TOKEN WATCHES CREATES");
  const auto server = http::parse_url(argv[1]);
  if (!server.ok() || number(3) < 1 || number(4) < 1) bench::give_up("bad arguments");
  bench::run({.server = *server, .token = argv[2], .watches = number(3), .creates = number(4)});
}
