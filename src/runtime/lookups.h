// Names to addresses for whoever asks about names that it does not trust: a name whose servers
// never answer holds up neither another one nor the connections of this process, which have a
// resolver of their own.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "env/network.h"
#include "runtime/io_loop.h"

namespace berth::runtime {

class Lookups {
 public:
  explicit Lookups(IoLoop& loop);
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
  std::map<std::string, std::vector<Waiting>> waiting_;  // By the name that is looked up.
  std::shared_ptr<Home> home_;
};

}  // namespace berth::runtime
