#include "runtime/process_facts.h"

#include <map>

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/fd.h"

namespace berth::runtime {
namespace {

std::map<std::string, double> values() {
  std::map<std::string, double> result;
  for (const ProcessFact& fact : read_process_facts()) result[fact.name] = fact.value;
  return result;
}

TEST(ProcessFacts, HaveTheNamesThatDashboardsAskFor) {
  const auto facts = values();
  EXPECT_GT(facts.at("process_cpu_seconds_total"), 0);
  EXPECT_GT(facts.at("process_resident_memory_bytes"), 1e6);
  EXPECT_GT(facts.at("process_virtual_memory_bytes"), facts.at("process_resident_memory_bytes"));
  EXPECT_GT(facts.at("process_max_fds"), facts.at("process_open_fds"));
}

TEST(ProcessFacts, CountOpenDescriptors) {
  const double before = values().at("process_open_fds");
  const Fd one(::dup(2));
  EXPECT_EQ(values().at("process_open_fds"), before + 1);
}

}  // namespace
}  // namespace berth::runtime
