// Carries one generator out: starts the runs that are due, publishes what came of them, keeps the
// generator's status true.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/random.h"
#include "client/api_service.h"
#include "client/object.h"
#include "env/env.h"
#include "env/scope.h"
#include "scores/generators/generator_work.h"
#include "scores/generators/plugins_service.h"
#include "scores/generators/probes/probe_service.h"
#include "scores/publisher_service.h"

namespace berth::scores {

struct GeneratorOptions {
  std::string cluster;  // The namespace on the hub.
  AddressRules rules = {};
  std::string authorities_pem = {};             // Who may vouch for https; empty: the system's.
  Duration simulated_delay = Duration::zero();  // Added to the time of connecting.
  PluginOptions plugins = {};
  GeneratorWork::Times times = {};
  std::size_t runs_max = 16;                            // At the same time, of all generators.
  Duration status_interval = std::chrono::seconds(10);  // Between writes of new numbers.
};

// What all generators of an agent share. All of it outlives the runners.
struct GeneratorSurroundings {
  env::Env env;
  client::Api& hub;
  Plugins& plugins;
  const GeneratorOptions& options;
  // One more run may begin; `give_back` is called when it has ended. False: come again when told.
  std::function<bool()> take_slot;
  std::function<void()> give_back;
};

class GeneratorRunner {
 public:
  GeneratorRunner(const GeneratorSurroundings& around, client::ObjectPtr object);
  ~GeneratorRunner();

  // The generator has changed. It is the same one: another uid needs another runner.
  void update(client::ObjectPtr object);

  // Begins what is due, as far as there are slots.
  void pump();

  std::string_view uid() const { return object_->uid(); }
  const client::ObjectPtr& object() const { return object_; }

 private:
  void read();
  void begin(TaskId id);
  void end(TaskId id);
  void changed();
  void arm();
  void publish();
  Report report(Time hub_now) const;
  PublishTimes publish_times() const;
  void write_status();
  void on_status_written(Result<json::Value> answer);
  json::Value wanted_status() const;
  Now now() const {
    return {.instant = around_.env.clock.monotonic(), .time = around_.env.clock.now()};
  }

  const GeneratorSurroundings& around_;
  client::ObjectPtr object_;
  json::Value seen_;  // The generator as the hub has it, as far as we know.
  GeneratorReading reading_ = {};
  GeneratorWork work_;
  Random random_;
  std::map<TaskId, std::unique_ptr<ProbeRun>> probes_;
  std::unique_ptr<Publisher> publisher_;
  bool writing_status_ = false;
  std::optional<Instant> status_written_ = std::nullopt;
  Instant settled_ = {};   // Until then a new entry may be measured before anything is published.
  std::size_t slots_ = 0;  // That we hold.
  env::Timer timer_ = {};
  env::Timer status_timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::scores
