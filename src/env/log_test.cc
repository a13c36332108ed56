#include "env/log.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "env/env.h"

namespace berth::env {
namespace {

using namespace std::chrono_literals;

class Recorded final : public Log {
 public:
  using Log::Log;
  std::vector<std::string> events;
  std::vector<Field::Value> values;

 protected:
  void write(Level /*level*/, std::string_view event, std::span<const Field> fields) override {
    events.emplace_back(event);
    for (const Field& field : fields) values.push_back(field.value);
  }
};

TEST(Log, WritesItsLevelAndTheGraverOnesOnly) {
  Recorded log(Level::Warn);
  log.error("a");
  log.warn("b");
  log.info("c");
  log.debug("d");
  EXPECT_EQ(log.events, (std::vector<std::string>{"a", "b"}));
}

TEST(Log, KeepsTheTypeOfAFieldsValue) {
  Recorded log(Level::Debug);
  log.info("x", {{"text", "t"},
                 {"string", std::string("s")},
                 {"yes", true},
                 {"int", -1},
                 {"size", std::size_t{2}},
                 {"real", 0.5},
                 {"took", 3ms},
                 {"at", Time::from_unix(4)}});
  const std::vector<Field::Value> expected = {std::string_view("t"), std::string_view("s"), true,
                                              std::int64_t{-1},      std::uint64_t{2},      0.5,
                                              Duration(3ms),         Time::from_unix(4)};
  ASSERT_EQ(log.values.size(), expected.size());
  EXPECT_EQ(std::get<std::string_view>(log.values[0]), "t");
  for (std::size_t i = 2; i < expected.size(); ++i) EXPECT_EQ(log.values[i], expected[i]) << i;
}

}  // namespace
}  // namespace berth::env
