#include "apiserver/validation/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::found_in;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Environment, VariablesHaveNamesAndOneOrigin) {
  EXPECT_THAT(
      found_in(check_environment,
               "[{name: A, value: x}, {name: a.b-c, valueFrom: {fieldRef: {fieldPath: "
               "\"metadata.labels['app']\"}}}, {name: d, valueFrom: {secretKeyRef: {name: s, "
               "key: k}}}]"),
      IsEmpty());
  EXPECT_THAT(
      found_in(check_environment,
               "[{value: x}, {name: a=b}, {name: c, valueFrom: {}}, {name: d, value: x, valueFrom: "
               "{configMapKeyRef: {name: m, key: k}}}]"),
      ElementsAre(
          "[0].name: Required value", HasSubstr("[1].name: Invalid value: \"a=b\""),
          HasSubstr("[2].valueFrom: Invalid value: \"\": must specify one of"),
          HasSubstr("[3].valueFrom: Invalid value: \"\": may not be specified when `value`")));
}

TEST(Environment, OnlySomeFieldsOfAPodCanBeVariables) {
  const auto found = [](std::string path) {
    return found_in(check_environment,
                    "[{name: a, valueFrom: {fieldRef: {fieldPath: \"" + path + "\"}}}]");
  };
  EXPECT_THAT(found("status.podIP"), IsEmpty());
  EXPECT_THAT(found("spec.colour"),
              ElementsAre(HasSubstr("field label not supported: spec.colour")));
  EXPECT_THAT(found("metadata.labels"), ElementsAre(HasSubstr("Unsupported value")));
  EXPECT_THAT(found("spec.nodeName['a']"), ElementsAre(HasSubstr("does not support subscript")));
  EXPECT_THAT(found("metadata.annotations['a b']"), ElementsAre(HasSubstr("name part must")));
}

TEST(Environment, SourcesAreAMapOrASecret) {
  EXPECT_THAT(found_in(check_environment_sources, "[{configMapRef: {name: m}}]"), IsEmpty());
  EXPECT_EQ(found_in(check_environment_sources,
                     "[{}, {configMapRef: {name: m}, secretRef: {name: s}}, {secretRef: {}}, "
                     "{prefix: a=, secretRef: {name: s}}]")
                .size(),
            4);
}

}  // namespace
}  // namespace berth::apiserver
