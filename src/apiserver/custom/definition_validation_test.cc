#include "apiserver/custom/definition_validation.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "apiserver/custom/definition.h"
#include "apiserver/custom/testing/recorded_definitions.h"
#include "base/strings.h"
#include "json/json_patch.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

using json::Value;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

std::string place(std::string_view short_form) {
  const std::string schema = "/spec/versions/0/schema/openAPIV3Schema";
  if (short_form == "/spec") return schema + "/properties/spec";
  if (short_form == "/schema") return schema;
  if (short_form.starts_with("/version/")) {
    return "/spec/versions/0" + std::string(short_form.substr(8));
  }
  return std::string(short_form);
}

Value edited(std::string_view edits) {
  Value patch = Value::array();
  const Value list = json::parse(edits).value();
  for (const Value& edit : list.elements()) {
    const Value& value = edit.elements()[1];
    const std::string path = place(edit.elements()[0].string_or_empty());
    if (value.is_null()) {
      patch.push_back(Value::object({{"op", "remove"}, {"path", path}}));
    } else {
      patch.push_back(Value::object({{"op", "add"}, {"path", path}, {"value", value}}));
    }
  }
  return json::apply_json_patch(json::parse(testing::kRecordedBase).value(), patch).value();
}

std::string outcome_of(std::string_view edits) {
  const Value object = with_definition_defaults(edited(edits));
  const auto shortened = [](const std::string& text) {
    return replaced(replaced(text, "spec.validation.openAPIV3Schema", "@"),
                    "@.properties[spec].properties[a]", "%");
  };
  std::vector<std::string> lines;
  for (const Cause& cause : validate_definition(object, nullptr)) {
    std::string message = cause.message.substr(0, cause.message.find("mismatched input"));
    message = replaced(message, "spec.validation.openAPIV3Schema", "@");
    lines.push_back(shortened(cause.field) + " " + replaced(cause.reason, "FieldValue", "") + " " +
                    message);
  }
  std::ranges::sort(lines);
  return lines.empty() ? "ok" : join(lines, "\n");
}

TEST(ValidateDefinition, AcceptsAndRefusesAsKubernetes) {
  for (const testing::RecordedDefinition& c : testing::kRecordedDefinitions) {
    SCOPED_TRACE(c.edits);
    EXPECT_EQ(outcome_of(c.edits), c.outcome);
  }
}

TEST(ValidateDefinition, SpellsWhatVersionsDoNotShareAsTheirs) {
  EXPECT_EQ(
      outcome_of(R"([["/spec/versions/1", {"name": "v2", "served": true, "storage": false,
      "schema": {"openAPIV3Schema": {"type": "string"}}, "additionalPrinterColumns":
      [{"name": "A", "type": "odd", "jsonPath": ".a"}]}]])"),
      "spec.versions[1].additionalPrinterColumns[0].type Invalid Invalid value: \"odd\": must "
      "be one of boolean,date,integer,number,string\n"
      "spec.versions[1].schema.openAPIV3Schema.type Invalid Invalid value: \"string\": must be "
      "object at the root");
}

TEST(ValidateDefinition, RefusesConversionByWebhook) {
  EXPECT_EQ(
      outcome_of(R"([["/spec/conversion", {"strategy": "Webhook"}]])"),
      "spec.conversion.strategy Forbidden Forbidden: this server does not convert by webhook; "
      "only None is supported");
}

TEST(ValidateDefinition, RefusesColumnsWhosePathCannotBeRead) {
  const auto causes = validate_definition(
      with_definition_defaults(edited(
          R"([["/version/additionalPrinterColumns", [{"name": "A", "type": "string",
               "jsonPath": ".a[?(@.b"}]]])")),
      nullptr);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].field, "spec.additionalPrinterColumns[0].JSONPath");
}

TEST(ValidateDefinition, KeepsWhatObjectsAreStoredUnder) {
  Value before = with_definition_defaults(edited("[]"));
  before["status"]["conditions"] =
      Value::array({Value::object({{"type", "Established"}, {"status", "True"}})});
  Value after = before;
  after["spec"]["scope"] = "Cluster";
  after["spec"]["names"]["kind"] = "Baz";
  after["spec"]["versions"].elements()[0]["name"] = "v2";
  std::vector<std::string> fields;
  for (const Cause& cause : validate_definition(after, &before)) fields.push_back(cause.field);
  EXPECT_EQ(fields,
            (std::vector<std::string>{"spec.scope", "spec.names.kind", "status.storedVersions",
                                      "status.storedVersions[0]"}));
}

}  // namespace
}  // namespace berth::apiserver
