// Names to addresses, without blocking the loop: a name whose servers never answer holds up no
// other.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "env/network.h"
#include "runtime/io_loop.h"

namespace berth::runtime {

// The numeric addresses of a host. May take its time: it is called on a thread of its own.
using LookUp = std::function<Result<std::vector<std::string>>(const std::string& host)>;

// By the system's resolver, which blocks for as long as it likes.
Result<std::vector<std::string>> look_up_by_system(const std::string& host);

class Lookups {
 public:
  Lookups(IoLoop& loop, LookUp look_up);
  ~Lookups();  // What is under way is forgotten.

  Lookups(const Lookups&) = delete;
  Lookups& operator=(const Lookups&) = delete;

  // The callback runs once, later, on the loop. Whoever asks for a name that is being looked up
  // waits for that answer. Refused while kThreadsMax names are being looked up.
  void find(env::Address address, env::Resolved done);

  static constexpr std::size_t kThreadsMax = 64;

 private:
  struct Waiting {
    env::Address address;
    env::Resolved done;
  };
  struct Home;  // Where threads that outlive us find out.

  void answer(const std::string& host, const Result<std::vector<std::string>>& found);

  IoLoop& loop_;
  LookUp look_up_;
  std::map<std::string, std::vector<Waiting>> waiting_;  // By the name that is looked up.
  std::shared_ptr<Home> home_;
};

}  // namespace berth::runtime
