#include "apiserver/validation/testing/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::apiserver::testing {
namespace {

using ::testing::ElementsAre;

TEST(Findings, AreLines) {
  EXPECT_THAT(found_in([](const Place& place,
                          Complaints& complaints) { complaints.required(place["a"], "why"); },
                       "{}"),
              ElementsAre("a: Required value: why"));
}

}  // namespace
}  // namespace berth::apiserver::testing
