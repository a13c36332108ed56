// FleetWatch: shows a fleet while it lives: in a terminal a table that is drawn anew and what just
// happened, elsewhere a line for each thing that happens.

#pragma once

#include <deque>
#include <string>

#include "client/api_service.h"
#include "client/informers_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "local/fleet_picture.h"

namespace berth::app {

struct FleetWatchSettings {
  client::ClientConfig hub;
  std::string heading;  // Above the table.
  local::FleetPicture::UseOf use_of;
  bool is_terminal = false;
};

// Lives on the loop of `env`, and shows until it dies.
class FleetWatch {
 public:
  FleetWatch(const env::Env& env, FleetWatchSettings settings);
  ~FleetWatch();

  // Shows that, too: the first line in the table, all of it elsewhere.
  void tell(const std::string& text);

 private:
  struct TerminalSize {
    std::size_t rows = 24;
    std::size_t columns = 80;
  };
  using Put = void (local::FleetPicture::*)(const std::string& key, const json::Value* object);

  void follow(const client::Gvr& resource, Put put);
  void look();
  std::string why(const local::FleetNews::Move& move);
  void add_news(const std::string& text);
  void draw() const;
  static TerminalSize terminal_size();

  env::Env env_;
  FleetWatchSettings settings_;
  client::Api api_;
  client::Informers informers_;
  local::FleetPicture picture_;
  std::deque<std::string> lately_;
  bool has_changed_ = true;
  env::Timer timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::app
