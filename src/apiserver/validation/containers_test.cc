#include "apiserver/validation/containers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::found_in;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kGood =
    "name: c, image: i, terminationMessagePolicy: File, imagePullPolicy: Always";
constexpr std::string_view kNice =
    "name: d, image: i, terminationMessagePolicy: File, imagePullPolicy: Always";

void replace(std::string& text, std::string_view word, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(word)) != std::string::npos;) {
    text.replace(at, word.size(), by);
  }
}

std::vector<std::string> found(std::string containers) {
  replace(containers, "GOOD", kGood);
  replace(containers, "NICE", kNice);
  return found_in(
      [](const Place& spec, Complaints& complaints) { check_containers(spec, {"v"}, complaints); },
      containers);
}

TEST(Containers, ThereIsAtLeastOne) {
  EXPECT_THAT(found("containers: [{GOOD}]"), IsEmpty());
  EXPECT_THAT(found("{}"), ElementsAre("containers: Required value"));
}

TEST(Containers, HaveAnImageAndANameOfTheirOwn) {
  EXPECT_THAT(
      found("containers: [{GOOD}, {GOOD}, {}]"),
      ElementsAre("containers[1].name: Duplicate value: \"c\"",
                  "containers[2].name: Required value", "containers[2].image: Required value",
                  "containers[2].terminationMessagePolicy: Required value",
                  "containers[2].imagePullPolicy: Required value"));
  EXPECT_THAT(found("{containers: [{GOOD}], initContainers: [{GOOD}]}"),
              ElementsAre("initContainers[0].name: Duplicate value: \"c\""));
}

TEST(Containers, PortsAreNumbersWithNamesAndAProtocol) {
  EXPECT_THAT(
      found("containers: [{GOOD, ports: [{containerPort: 80, protocol: TCP, name: web}, "
            "{containerPort: 81, protocol: TCP, name: web}, {containerPort: 0, protocol: TCP}, "
            "{containerPort: 1, hostPort: 65536, protocol: HTTP}]}]"),
      ElementsAre("containers[0].ports[1].name: Duplicate value: \"web\"",
                  "containers[0].ports[2].containerPort: Required value",
                  HasSubstr("containers[0].ports[3].hostPort: Invalid value: 65536"),
                  HasSubstr("containers[0].ports[3].protocol: Unsupported value: \"HTTP\"")));
}

TEST(Containers, TwoCannotHaveOnePortOfTheNode) {
  EXPECT_THAT(
      found("containers: [{GOOD, ports: [{containerPort: 80, hostPort: 80, protocol: TCP}, "
            "{containerPort: 81, hostPort: 80, protocol: TCP}, {containerPort: 80, hostPort: 80, "
            "protocol: UDP}]}]"),
      ElementsAre("containers[0].ports[1].hostPort: Duplicate value: \"TCP//80\""));
}

TEST(Containers, OnlyThoseThatStayAreProbed) {
  EXPECT_THAT(found("{containers: [{GOOD}], initContainers: [{NICE, livenessProbe: {}}]}"),
              Contains(HasSubstr("initContainers[0].livenessProbe: Forbidden")));
  EXPECT_THAT(found("{containers: [{GOOD}], initContainers: [{NICE, restartPolicy: Always, "
                    "livenessProbe: {exec: {command: [x]}, successThreshold: 1}}]}"),
              IsEmpty());
}

}  // namespace
}  // namespace berth::apiserver
