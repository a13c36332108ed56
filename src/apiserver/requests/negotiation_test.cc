#include "apiserver/requests/negotiation.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(Negotiation, ChoosesTheFirstFormThatItHas) {
  struct Case {
    std::string_view accept;
    AllowedForms allowed;
    AnswerForm form;
  };
  const std::string_view kubectl =
      "application/json;as=Table;v=v1;g=meta.k8s.io,"
      "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
  const Case cases[] = {
      {"", {}, AnswerForm::Json},
      {"*/*", {}, AnswerForm::Json},
      {"application/vnd.kubernetes.protobuf,application/json", {}, AnswerForm::Json},
      {"application/vnd.kubernetes.protobuf, */*", {}, AnswerForm::Json},
      {kubectl, {.table = true}, AnswerForm::Table},
      {kubectl, {}, AnswerForm::Json},
      {"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
       {.partial_metadata = true},
       AnswerForm::PartialMetadata},
      {"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,"
       "application/json",
       {.discovery = true},
       AnswerForm::Discovery},
      {"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
       "application/json",
       {.discovery = true},
       AnswerForm::Json},
  };
  for (const Case& c : cases) {
    const auto form = negotiate(c.accept, c.allowed);
    ASSERT_TRUE(form.has_value()) << c.accept;
    EXPECT_EQ(*form, c.form) << c.accept;
  }
}

TEST(Negotiation, RefusesWhatItCannotGive) {
  for (const std::string_view accept :
       {"text/html", "application/vnd.kubernetes.protobuf", "application/cbor",
        "application/json;as=Table;v=v1;g=meta.k8s.io"}) {
    const auto form = negotiate(accept, {});
    ASSERT_FALSE(form.has_value()) << accept;
    EXPECT_EQ(form.error().error.code, Code::NotAcceptable);
  }
}

TEST(Negotiation, KnowsBodies) {
  EXPECT_EQ(body_form(std::nullopt).value(), BodyForm::Json);
  EXPECT_EQ(body_form("application/json; charset=utf-8").value(), BodyForm::Json);
  EXPECT_EQ(body_form("application/yaml").value(), BodyForm::Yaml);
  EXPECT_EQ(body_form("application/vnd.kubernetes.protobuf").value(), BodyForm::Protobuf);
  EXPECT_EQ(body_form("application/cbor").error().error.code, Code::UnsupportedMediaType);
}

TEST(Negotiation, KnowsPatches) {
  using enum StrategicPatches;
  EXPECT_EQ(patch_form("application/json-patch+json", Unknown).value(), PatchForm::Json);
  EXPECT_EQ(patch_form("application/merge-patch+json", Unknown).value(), PatchForm::Merge);
  EXPECT_EQ(patch_form("application/apply-patch+yaml", Unknown).value(), PatchForm::Apply);
  EXPECT_EQ(patch_form("application/strategic-merge-patch+json", Allowed).value(),
            PatchForm::Strategic);
  EXPECT_EQ(
      patch_form("application/strategic-merge-patch+json", Unknown).error().error.message,
      "the body of the request was in an unknown format - accepted media types include: "
      "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
}

}  // namespace
}  // namespace berth::apiserver
