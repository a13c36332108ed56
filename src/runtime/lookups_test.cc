#include "runtime/lookups.h"

#include <optional>

#include <gtest/gtest.h>

#include "runtime/system_clock.h"
#include "runtime/testing/names.h"

namespace berth::runtime {
namespace {

using testing::nobody;
using Found = Result<std::vector<env::Address>>;

class LookupsTest : public ::testing::Test {
 protected:
  // Asks for all of them at once and waits for all answers, in their order.
  std::vector<Found> find(const std::vector<std::string>& hosts) {
    std::vector<Found> answers(hosts.size(), failure(Code::Unknown, "none"));
    std::size_t left = hosts.size();
    loop_.post([&] {
      for (std::size_t i = 0; i < hosts.size(); ++i) {
        lookups_.find({.host = hosts[i], .port = 7}, [&, i](Found found) {
          answers[i] = std::move(found);
          if (--left == 0) loop_.stop();
        });
      }
    });
    loop_.run();
    return answers;
  }

  const SystemClock clock_;
  IoLoop loop_{clock_};
  Lookups lookups_{loop_, look_up_by_system};
};

TEST_F(LookupsTest, FindTheAddressesOfNames) {
  const auto found = find({"localhost", "localhost"});
  for (const Found& answer : found) {
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_TRUE(answer->front().host == "127.0.0.1" || answer->front().host == "::1");
    EXPECT_EQ(answer->front().port, 7);
  }
}

TEST_F(LookupsTest, TakeAddressesForWhatTheyAre) {
  const auto found = find({"127.0.0.1", "::1", "2130706433"});
  EXPECT_EQ(found[0], (std::vector<env::Address>{{.host = "127.0.0.1", .port = 7}}));
  EXPECT_EQ(found[1], (std::vector<env::Address>{{.host = "::1", .port = 7}}));
  EXPECT_EQ(found[2], (std::vector<env::Address>{{.host = "127.0.0.1", .port = 7}}));
}

TEST_F(LookupsTest, SayThatThereIsNone) {
  const auto found = find({"", nobody()});
  EXPECT_EQ(found[0].error().code, Code::ServiceUnavailable);
  EXPECT_EQ(found[1].error().code, Code::ServiceUnavailable);
}

TEST_F(LookupsTest, AreLimited) {
  std::vector<std::string> hosts;
  for (std::size_t i = 0; i <= Lookups::kThreadsMax; ++i) hosts.push_back(nobody(i));
  hosts.push_back("127.0.0.1");
  const auto found = find(hosts);
  EXPECT_EQ(found[Lookups::kThreadsMax].error().code, Code::TooManyRequests);
  EXPECT_TRUE(found.back().ok());
}

TEST(LookupsLife, EndsWithoutWaiting) {
  const SystemClock clock;
  IoLoop loop(clock);
  bool called = false;
  {
    Lookups lookups(loop, look_up_by_system);
    lookups.find({.host = nobody(), .port = 1}, [&](auto) { called = true; });
  }
  loop.post([&] { loop.stop(); });
  loop.run();
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace berth::runtime
