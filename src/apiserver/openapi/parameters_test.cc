#include "apiserver/openapi/parameters.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

std::string names_of(const json::Value& parameters) {
  std::string names;
  for (const json::Value& parameter : parameters.elements()) {
    EXPECT_NE(parameter.find("description")->string_or_empty(), "");
    names.append(parameter.find("name")->string_or_empty()).append(" ");
  }
  return names;
}

TEST(OpenApiParameters, DependOnTheAction) {
  EXPECT_EQ(names_of(query_parameters("patch")), "dryRun fieldManager fieldValidation force ");
  EXPECT_EQ(names_of(query_parameters("post")), "dryRun fieldManager fieldValidation ");
  EXPECT_EQ(names_of(query_parameters("delete")),
            "dryRun gracePeriodSeconds orphanDependents propagationPolicy ");
  EXPECT_EQ(names_of(query_parameters("get")), "");
}

TEST(OpenApiParameters, NamesOfThePathAreRequired) {
  const json::Value parameters = path_parameters({"name", "namespace"});
  EXPECT_EQ(names_of(parameters), "name namespace pretty ");
  EXPECT_EQ(parameters.elements()[0].find("required")->as_bool(), true);
  EXPECT_EQ(parameters.elements()[2].find("required"), nullptr);
}

TEST(OpenApiParameters, ReferencesAreInFull) {
  EXPECT_EQ(type_reference("a.B").find("$ref")->string_or_empty(), "#/components/schemas/a.B");
}

}  // namespace
}  // namespace berth::apiserver
