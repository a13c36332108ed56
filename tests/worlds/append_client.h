// Appends its lines to an AppendLog, one after the other, and does not give up.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "env/env.h"
#include "env/scope.h"
#include "lines.h"

namespace berth::worlds {

struct AppendClientOptions {
  env::Address server;
  std::string name;
  std::size_t count = 0;
  Duration pause = Duration::zero();  // Between an answer and the next request.
};

// NAME-NUMBER and some padding, so that a record may cross the border of a sector.
std::string append_id(const std::string& name, std::size_t number);

class AppendClient final : public env::StreamHandler {
 public:
  struct Answer {
    std::string id;
    std::size_t index;
  };

  AppendClient(env::Env& env, AppendClientOptions options);
  ~AppendClient() override = default;

  bool is_done() const { return answers_.size() == options_.count; }
  const std::vector<Answer>& answers() const { return answers_; }

  void on_received(std::string_view bytes) override;
  void on_drained() override {}
  void on_ended() override { reconnect(); }
  void on_closed(const Status& why) override;

 private:
  void connect();
  void reconnect();
  void ask();
  bool on_line(std::string_view line);

  env::Env& env_;
  AppendClientOptions options_;
  std::vector<Answer> answers_;
  Lines lines_;
  std::unique_ptr<env::Stream> stream_;
  env::Timer timer_;
  env::Scope scope_;
};

}  // namespace berth::worlds
