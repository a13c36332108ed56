#include "nodes/host_port.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

TEST(HostPorts, AreThoseOfContainersAndSidecars) {
  const auto ports = host_ports_of(testing::parsed(R"({"spec":{
      "containers":[{"ports":[{"hostPort":80},{"containerPort":90}]}],
      "initContainers":[{"ports":[{"hostPort":81}]},
          {"restartPolicy":"Always","ports":[{"hostPort":82,"protocol":"UDP","hostIP":"10.0.0.1"}]}]
      }})"));
  EXPECT_EQ(ports, (std::vector<HostPort>{{.port = 80},
                                          {.protocol = "UDP", .ip = "10.0.0.1", .port = 82}}));
}

TEST(HostPorts, OutOfRangeAreNone) {
  const json::Value list =
      testing::parsed(R"([{"port":0},{"port":70000},{"port":-1},{"port":"x"},7])");
  EXPECT_TRUE(read_host_ports(&list).empty());
}

TEST(HostPorts, SurviveTheWayThroughJson) {
  const std::vector<HostPort> ports = {{.port = 80}, {.protocol = "UDP", .ip = "::1", .port = 53}};
  const json::Value list = to_json(ports);
  EXPECT_EQ(read_host_ports(&list), ports);
}

TEST(HostPorts, ConflictOnOneAddressOrOnAll) {
  const HostPort any{.port = 80};
  const HostPort one{.ip = "10.0.0.1", .port = 80};
  const HostPort two{.ip = "10.0.0.2", .port = 80};
  EXPECT_TRUE(conflicts(any, one));
  EXPECT_TRUE(conflicts(one, any));
  EXPECT_FALSE(conflicts(one, two));
  EXPECT_FALSE(conflicts(one, {.protocol = "UDP", .ip = "10.0.0.1", .port = 80}));
  EXPECT_FALSE(conflicts(one, {.ip = "10.0.0.1", .port = 81}));
  const HostPort wanted[] = {two, one};
  const HostPort taken[] = {one};
  EXPECT_EQ(find_conflict(wanted, taken), &wanted[1]);
}

}  // namespace
}  // namespace berth::nodes
