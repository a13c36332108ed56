#include "apiserver/validation/pod_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::fields_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::lines_of;
using testing::yaml_object;

constexpr std::string_view kGood =
    "{restartPolicy: Always, dnsPolicy: Default, containers: [{name: c, image: i, "
    "terminationMessagePolicy: File, imagePullPolicy: Always}]";

std::vector<Cause> found_with(std::string_view more) {
  return validate_pod(yaml_object("spec: " + std::string(kGood) + std::string(more) + "}"),
                      nullptr);
}

TEST(PodSpec, SaysHowPodsRestartAndFindNames) {
  EXPECT_THAT(found_with(""), IsEmpty());
  EXPECT_THAT(fields_of(found_with(", hostname: A_, subdomain: a.b, nodeName: N_, "
                                   "activeDeadlineSeconds: 0, preemptionPolicy: Perhaps")),
              ElementsAre("spec.nodeName", "spec.activeDeadlineSeconds", "spec.hostname",
                          "spec.subdomain", "spec.preemptionPolicy"));
  EXPECT_THAT(fields_of(validate_pod(yaml_object("{}"), nullptr)),
              ElementsAre("spec.containers", "spec.restartPolicy", "spec.dnsPolicy"));
}

TEST(PodSpec, InTheNetworkOfANodePortsAreThoseOfTheNode) {
  const std::string ports =
      "{restartPolicy: Always, dnsPolicy: Default, hostNetwork: true, containers: [{name: c, "
      "image: "
      "i, terminationMessagePolicy: File, imagePullPolicy: Always, ports: [{containerPort: 80, "
      "protocol: TCP}]}]}";
  EXPECT_THAT(fields_of(validate_pod(yaml_object("spec: " + ports), nullptr)),
              ElementsAre("spec.containers[0].ports[0].hostPort"));
  // A template may leave it open.
  EXPECT_THAT(validate_pod_template(yaml_object("template: {spec: " + ports + "}"), nullptr),
              IsEmpty());
}

TEST(PodSpec, ATemplateIsComplainedAboutWithoutItsMetadata) {
  EXPECT_THAT(fields_of(validate_pod_template(
                  yaml_object("template: {metadata: {labels: {'a b': c}}, spec: " +
                              std::string(kGood) + "}}"),
                  nullptr)),
              ElementsAre("template.labels"));
  EXPECT_THAT(fields_of(validate_pod_template(yaml_object("{}"), nullptr)),
              ElementsAre("template.spec.containers"));
}

TEST(PodSpec, ImagesHaveNoBlanksAroundThem) {
  EXPECT_THAT(
      lines_of(validate_pod(
          yaml_object("spec: {restartPolicy: Always, dnsPolicy: Default, containers: [{name: c, "
                      "image: ' i', terminationMessagePolicy: File, imagePullPolicy: Always}]}"),
          nullptr)),
      ElementsAre(HasSubstr("must not have leading or trailing whitespace")));
}

}  // namespace
}  // namespace berth::apiserver
