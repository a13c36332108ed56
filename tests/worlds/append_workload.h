// An AppendLog and its clients in the simulator: what was answered must stay.

#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "append_client.h"
#include "append_log.h"
#include "sim/run.h"

namespace berth::worlds {

class AppendWorkload final : public sim::Workload {
 public:
  explicit AppendWorkload(Mistake mistake) : mistake_(mistake) {}

  void start(sim::World& world) override;
  Status check() override;
  Status settled() override;

 private:
  Status check_entries(const std::vector<std::string>& entries) const;
  Status check_answers(const std::vector<std::string>& entries) const;
  std::shared_ptr<void> start_log(env::Env& env, sim::Node& node);

  Mistake mistake_;
  std::weak_ptr<AppendLog> log_;
  std::vector<std::weak_ptr<AppendClient>> clients_;
  std::set<std::string> askable_;  // All that clients may ever append.
  // What was looked at the last time: most of the time nothing has changed.
  std::pair<std::size_t, std::size_t> seen_ = {0, 0};
};

sim::Suite append_suite(Mistake mistake);

}  // namespace berth::worlds
