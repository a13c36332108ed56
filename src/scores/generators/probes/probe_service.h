// One run of a latency measurement: a real connection, with the time of each part known apart.
//
//   resolve --> check each address --> connect --> TLS --> request --> first byte of the answer
//     dns ends here                    tcp here                        http and https here
//
// The address that was checked is the one that is connected to, so a name that answers differently
// the next time gains nothing; redirects are not followed. Nothing but the head of the answer is
// read, and no credentials are sent.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "env/clock.h"
#include "env/loop.h"
#include "env/network.h"
#include "env/scope.h"
#include "http/http1_head.h"
#include "scores/generators/address_rules.h"
#include "scores/generators/generator.h"
#include "scores/generators/latency.h"

namespace berth::scores {

struct ProbeRequest {
  Location location;
  Duration timeout = std::chrono::seconds(5);  // Of the whole run.
  AddressRules rules = {};
  std::string authorities_pem = {};  // Who may vouch for https; empty: the system's.
};

// Destroying it abandons the run.
class ProbeRun final : public env::StreamHandler {
 public:
  struct World {
    env::Clock& clock;
    env::Loop& loop;
    env::Network& network;
  };
  using Done = std::move_only_function<void(Result<Timings>)>;

  // The callback runs once, later, on the loop; it may destroy the run. Forbidden: no address
  // behind the name may be measured. An answer of 500 or above is a failure: what stands before the
  // location answers for it. Everything below is an answer, a redirect too.
  ProbeRun(World world, ProbeRequest request, Done done);

  void on_received(std::string_view bytes) override;
  void on_drained() override {}
  void on_ended() override;
  void on_closed(const Status& why) override;

 private:
  using Opened = Result<std::unique_ptr<env::Stream>>;

  void on_resolved(Result<std::vector<env::Address>> addresses);
  void connect_to_next();
  void on_connected(Opened stream);
  void secure(std::unique_ptr<env::Stream> stream);
  void on_secured(Opened stream);
  void speak(std::unique_ptr<env::Stream> stream);
  Result<std::optional<int>> read_status();
  void on_timeout();
  void finish(Result<Timings> result);
  Duration since_began() const { return world_.clock.monotonic() - began_; }
  Duration time_left() const { return deadline_ - world_.clock.monotonic(); }

  World world_;
  ProbeRequest request_;
  Done done_;
  Instant deadline_;
  Instant began_;  // The part at hand.
  std::string_view doing_ = "resolving the name";
  Timings timings_ = {};
  std::vector<env::Address> addresses_ = {};  // Permitted ones, still to be tried.
  bool has_first_byte_ = false;
  std::string received_ = {};  // Of the answer's head.
  http::HeadScanner scanner_ = {};
  std::unique_ptr<env::Stream> stream_;
  env::Timer timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::scores
