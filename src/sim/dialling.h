// The way from connect() to a conversation, in the simulated network.

#pragma once

#include <memory>
#include <string>

#include "env/network.h"
#include "sim/fabric.h"
#include "sim/sim_loop.h"

namespace berth::sim {

// Keeps itself alive by the events it plans, until the callback has been called.
class Dialling : public std::enable_shared_from_this<Dialling> {
 public:
  struct Caller {
    std::string host;
    std::shared_ptr<SimLoop> loop;
  };
  Dialling(Fabric& fabric, Caller caller, env::ConnectOptions options, env::Connected done);

  void begin();

 private:
  void knock();   // The first packet reaches the machine, or does not.
  void answer();  // The machine's answer.
  void answer_reaches(Result<std::unique_ptr<env::Stream>> result);
  void finish(Result<std::unique_ptr<env::Stream>> result);
  void after_latency(env::Task task);

  Fabric& fabric_;
  Caller caller_;
  env::ConnectOptions options_;
  env::Connected done_;
  std::string target_;
  Duration next_try_ = std::chrono::seconds(1);
  bool finished_ = false;
};

}  // namespace berth::sim
