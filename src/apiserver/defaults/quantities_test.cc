#include "apiserver/defaults/quantities.h"

#include <gtest/gtest.h>

#include "json/print.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

TEST(Quantities, AreKeptInTheirCanonicalForm) {
  const json::Value list =
      json::read_one_yaml("{cpu: 1000m, memory: 1024Mi, pods: 3, odd: huh, small: 0.0005}").value();
  EXPECT_EQ(json::print(canonical_quantities(list)),
            R"({"cpu":"1","memory":"1Gi","pods":"3","odd":"huh","small":"1m"})");
}

TEST(Quantities, OnlyListsAreRoundedToThousandths) {
  EXPECT_EQ(canonical_quantity("100u"), json::Value("100u"));
  EXPECT_EQ(canonical_quantities(json::Value::object({{"a", "100u"}})),
            json::Value::object({{"a", "1m"}}));
}

TEST(Quantities, WhatIsNoneStays) {
  EXPECT_EQ(canonical_quantity(nullptr), json::Value());
  EXPECT_EQ(canonical_quantities("text"), json::Value("text"));
  EXPECT_EQ(canonical_resources(json::Value::object({{"limits", 3}})),
            json::Value::object({{"limits", 3}}));
}

}  // namespace
}  // namespace berth::apiserver
