#include "apiserver/objects/stored_form.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

Resource widgets() {
  Resource resource;
  resource.gvr = {.group = "ex.io", .version = "v2", .resource = "widgets"};
  resource.table = "widgets.ex.io";
  resource.storage_version = "ex.io/v1";
  return resource;
}

TEST(StoredForm, KeepsOneVersionOfMany) {
  const json::Value object =
      json::parse(R"({"kind":"Widget","apiVersion":"ex.io/v2","metadata":{}})").value();
  const auto draft = stored_draft(widgets(), object);
  ASSERT_TRUE(draft.has_value());
  EXPECT_EQ(draft->text,
            R"({"kind":"Widget","apiVersion":"ex.io/v1","metadata":{"resourceVersion":""}})");
  EXPECT_EQ(*from_stored(widgets(), json::parse(draft->text).value()).find("apiVersion"),
            json::Value("ex.io/v2"));
}

TEST(StoredForm, RefusesWhatIsTooLarge) {
  json::Value object =
      json::parse(R"({"kind":"Widget","apiVersion":"ex.io/v2","metadata":{}})").value();
  object["data"] = std::string(2'000'000, 'x');
  const auto draft = stored_draft(widgets(), object);
  ASSERT_FALSE(draft.has_value());
  EXPECT_EQ(draft.error().error.code, Code::RequestEntityTooLarge);
}

}  // namespace
}  // namespace berth::apiserver
