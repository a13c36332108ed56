// Machines that send each other lines over the simulated network.
//
//   node NAME                     a machine that listens, and says what it hears
//   connect FROM TO               opens a stream
//   send FROM TO TEXT             over that stream
//   finish FROM TO                no more from FROM
//   cut A B | crash NAME | power-loss NAME | restart NAME
//   block FROM TO | clog FROM TO for=5s | heal
//   latency LEAST MOST            the delay of everything that is sent from now on
//   advance 1s                    lets time pass and prints what happened, with the time

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "env/env.h"
#include "env/scope.h"
#include "sim/world.h"
#include "suites.h"

namespace berth::scenarios {
namespace {

constexpr std::uint16_t kPort = 1;

// What all machines tell the reader.
class Story {
 public:
  explicit Story(sim::World& world) : world_(world) {}
  void tell(const std::string& line) {
    const double seconds = std::chrono::duration<double>(world_.now()).count();
    text_ += fmt::format("{:.4f}s  {}\n", seconds, line);
  }
  std::string take() { return std::exchange(text_, {}); }

 private:
  sim::World& world_;
  std::string text_;
};

// One end of a stream: tells all it hears.
class Line final : public env::StreamHandler {
 public:
  Line(std::string at, std::string with, std::unique_ptr<env::Stream> stream, Story& story)
      : at_(std::move(at)), with_(std::move(with)), stream_(std::move(stream)), story_(story) {
    stream_->start(*this);
  }
  env::Stream& stream() { return *stream_; }

  void on_received(std::string_view bytes) override {
    story_.tell(fmt::format("{} hears {} from {}", at_, bytes, with_));
  }
  void on_drained() override {}
  void on_ended() override { story_.tell(fmt::format("{} hears the end of {}", at_, with_)); }
  void on_closed(const Status& why) override {
    story_.tell(fmt::format("{} closed with {}: {}", at_, with_,
                            why.ok() ? "in order" : why.error().message));
  }

 private:
  std::string at_;
  std::string with_;
  std::unique_ptr<env::Stream> stream_;
  Story& story_;
};

class Machine {
 public:
  Machine(std::string name, env::Env& env, Story& story)
      : name_(std::move(name)), env_(env), story_(story) {
    std::vector<env::Seat> seats;
    seats.push_back({&env.network, scope_.guard([this](std::unique_ptr<env::Stream> stream) {
                       const std::string from = stream->peer().address.host;
                       keep(from, std::move(stream));
                     })});
    listener_ = *env.network.listen({.address = {.host = "", .port = kPort}}, std::move(seats));
  }

  void connect(const std::string& to) {
    env_.network.connect({.address = {.host = to, .port = kPort}},
                         scope_.guard([this, to](Result<std::unique_ptr<env::Stream>> stream) {
                           if (!stream.ok())
                             return story_.tell(name_ + " fails: " + stream.error().message);
                           story_.tell(fmt::format("{} is connected to {}", name_, to));
                           keep(to, std::move(*stream));
                         }));
  }

  env::Stream* stream_to(const std::string& other) {
    const auto line = lines_.find(other);
    return line == lines_.end() ? nullptr : &line->second->stream();
  }

 private:
  void keep(const std::string& other, std::unique_ptr<env::Stream> stream) {
    lines_[other] = std::make_unique<Line>(name_, other, std::move(stream), story_);
  }

  std::string name_;
  env::Env& env_;
  Story& story_;
  std::map<std::string, std::unique_ptr<Line>> lines_;
  std::unique_ptr<env::Listener> listener_;
  env::Scope scope_;
};

class Stage {
 public:
  using Command = sim::ScenarioCommand;

  Result<std::string> add(const Command& command) {
    ASSIGN_OR_RETURN(const std::string name, command.argument(0, "a name"));
    world_.add_node(name).start([this, name](std::span<env::Env> loops) {
      auto machine = std::make_shared<Machine>(name, loops[0], story_);
      machines_[name] = machine;
      return machine;
    });
    world_.run_for(Duration::zero());
    return std::string();
  }

  // Runs f(machine, name of the other one).
  template <typename Action>
  Result<std::string> between(const Command& command, Action action) {
    ASSIGN_OR_RETURN(const std::string from, command.argument(0, "a machine"));
    ASSIGN_OR_RETURN(const std::string to, command.argument(1, "a machine"));
    const auto machine = machines_[from].lock();
    if (!machine) return failure(command.error(from + " is not running"));
    return action(*machine, to);
  }

  template <typename Action>
  Result<std::string> on_stream(const Command& command, Action action) {
    return between(command, [&](Machine& machine, const std::string& to) -> Result<std::string> {
      env::Stream* stream = machine.stream_to(to);
      if (!stream) return failure(command.error("there is no stream"));
      action(*stream);
      return std::string();
    });
  }

  // Runs f(world) for what happens to the world itself.
  template <typename Action>
  Result<std::string> change(Action action) {
    action(world_);
    return std::string();
  }

  Result<std::string> advance(const Command& command) {
    ASSIGN_OR_RETURN(const Duration length, command.duration(0, "a length of time"));
    world_.run_for(length);
    return story_.take();
  }

  sim::World& world() { return world_; }

 private:
  std::map<std::string, std::weak_ptr<Machine>> machines_;
  sim::World world_{{.seed = 1}};
  Story story_{world_};
};

using Handler = std::function<Result<std::string>(const sim::ScenarioCommand&)>;

// A command with one or two names of machines.
Handler with_names(const std::shared_ptr<Stage>& stage,
                   std::function<void(sim::World&, const std::string&, const std::string&)> act,
                   std::size_t count) {
  return [stage, act, count](const sim::ScenarioCommand& command) -> Result<std::string> {
    ASSIGN_OR_RETURN(const std::string first, command.argument(0, "a machine"));
    ASSIGN_OR_RETURN(const std::string second, command.argument(count - 1, "a machine"));
    return stage->change([&](sim::World& world) { act(world, first, second); });
  };
}

void add_streams(sim::ScenarioHandlers& handlers, const std::shared_ptr<Stage>& stage) {
  handlers["connect"] = [stage](const auto& command) {
    return stage->between(command,
                          [](Machine& machine, const std::string& to) -> Result<std::string> {
                            machine.connect(to);
                            return std::string();
                          });
  };
  handlers["send"] = [stage](const auto& command) -> Result<std::string> {
    ASSIGN_OR_RETURN(const std::string text, command.argument(2, "a text"));
    return stage->on_stream(command, [&](env::Stream& stream) { stream.write(text); });
  };
  handlers["finish"] = [stage](const auto& command) {
    return stage->on_stream(command, [](env::Stream& stream) { stream.shutdown_write(); });
  };
  handlers["cut"] = with_names(
      stage, [](auto& world, const auto& a, const auto& b) { world.fabric().cut_streams(a, b); },
      2);
}

void add_troubles(sim::ScenarioHandlers& handlers, const std::shared_ptr<Stage>& stage) {
  handlers["block"] = with_names(
      stage, [](auto& world, const auto& from, const auto& to) { world.fabric().block(from, to); },
      2);
  handlers["heal"] = [stage](const auto&) {
    return stage->change([](sim::World& world) { world.fabric().heal(); });
  };
  handlers["clog"] = [stage](const auto& command) -> Result<std::string> {
    ASSIGN_OR_RETURN(const Duration length, command.duration_or("for", std::chrono::seconds(1)));
    return with_names(
        stage,
        [length](auto& world, const auto& from, const auto& to) {
          world.fabric().clog(from, to, world.now() + length);
        },
        2)(command);
  };
  handlers["latency"] = [stage](const auto& command) -> Result<std::string> {
    ASSIGN_OR_RETURN(const Duration least, command.duration(0, "the least delay"));
    ASSIGN_OR_RETURN(const Duration most, command.duration(1, "the most delay"));
    return stage->change([&](sim::World& world) {
      world.fabric().options.latency_min = least;
      world.fabric().options.latency_max = most;
    });
  };
  handlers["crash"] = with_names(
      stage,
      [](auto& world, const auto& name, const auto&) {
        world.node(name).crash(sim::Crash::Process);
      },
      1);
  handlers["power-loss"] = with_names(
      stage,
      [](auto& world, const auto& name, const auto&) { world.node(name).crash(sim::Crash::Power); },
      1);
  handlers["restart"] = with_names(
      stage,
      [](auto& world, const auto& name, const auto&) {
        world.node(name).restart();
        world.run_for(Duration::zero());
      },
      1);
}

}  // namespace

sim::ScenarioHandlers network_suite() {
  const auto stage = std::make_shared<Stage>();
  sim::ScenarioHandlers handlers = {
      {"node", [stage](const auto& command) { return stage->add(command); }},
      {"advance", [stage](const auto& command) { return stage->advance(command); }}};
  add_streams(handlers, stage);
  add_troubles(handlers, stage);
  return handlers;
}

}  // namespace berth::scenarios
