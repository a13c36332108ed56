#include "apiserver/validation/place.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

TEST(Place, KnowsItsNameAndWhatIsThere) {
  const json::Value object =
      json::parse(R"({"spec":{"ports":[{"port":80}],"limits":{"cpu":"1"}}})").value();
  const Place root(object);
  const Place spec = root["spec"];
  const Place ports = spec["ports"];
  const Place first = ports.at(0);
  EXPECT_EQ(first["port"].path(), "spec.ports[0].port");
  EXPECT_EQ(first["port"].number(), 80);
  const Place limits = spec["limits"];
  EXPECT_EQ(limits.key("cpu").path(), "spec.limits[cpu]");
  EXPECT_EQ(limits.key("cpu").text(), "1");
}

TEST(Place, WhatIsAbsentIsANullAtItsPlace) {
  const json::Value object = json::parse(R"({"a":[1]})").value();
  const Place root(object);
  const Place none = root["b"];
  EXPECT_FALSE(none.is_set());
  EXPECT_EQ(none["c"].path(), "b.c");
  const Place list = root["a"];
  EXPECT_FALSE(list.at(7).is_set());
  EXPECT_EQ(list.at(7).path(), "a[7]");
  EXPECT_EQ(none.size(), 0);
}

}  // namespace
}  // namespace berth::apiserver
