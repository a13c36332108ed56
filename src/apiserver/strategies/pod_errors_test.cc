#include "apiserver/strategies/pod_errors.h"

#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

TEST(PodErrors, NameThePodAndTheFields) {
  const auto pod = json::read_one_yaml("metadata: {name: web}").value();
  const Error one = invalid_pod(pod, {required_field("spec.a")});
  EXPECT_EQ(one.code, Code::Invalid);
  EXPECT_EQ(one.message, R"(Pod "web" is invalid: spec.a: Required value)");
  const Error two =
      invalid_pod(pod, {forbidden_field("spec", "no"), invalid_field("spec.b", 3, "too many")});
  EXPECT_EQ(two.message,
            R"(Pod "web" is invalid: [spec: Forbidden: no, spec.b: Invalid value: 3: too many])");
  EXPECT_EQ(two.causes[1].reason, "FieldValueInvalid");
  EXPECT_EQ(pod_conflict("pods", pod, "busy").message,
            R"(Operation cannot be fulfilled on pods "web": busy)");
}

}  // namespace
}  // namespace berth::apiserver
