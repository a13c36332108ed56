#include "api/expressions/testing/cluster_case.h"

namespace berth::api {
namespace {

using cel::testing::ExpressionCase;
using testing::expect_for_cluster;

TEST(FormatLibrary, ValidatesNamedFormats) {
  const ExpressionCase cases[] = {
      {R"(format.named("dns1123Label").hasValue())", "true", 2},
      {R"(format.named("nope").hasValue())", "false", 2},
      {R"(format.dns1123Label().validate("my-label"))", "optional.none()", 2},
      {R"(format.dns1123Label().validate("My-Label"))",
       "optional.of([\"a lowercase RFC 1123 label must consist of lower case alphanumeric "
       "characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  "
       "or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\"])",
       2},
      {R"(format.dns1123Subdomain().validate("a.b-c.d"))", "optional.none()", 2},
      {R"(format.dns1123Subdomain().validate("a..b"))",
       "optional.of([\"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
       "characters, '-' or '.', and must start and end with an alphanumeric character (e.g. "
       "'example.com', regex used for validation is "
       "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')\"])",
       2},
      {R"(format.dns1035Label().validate("9a"))",
       "optional.of([\"a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
       "start with an alphabetic character, and end with an alphanumeric character (e.g. "
       "'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\"])",
       2},
      {R"(format.qualifiedName().validate("example.com/name"))", "optional.none()", 2},
      {R"(format.qualifiedName().validate("bad/name/x"))",
       "optional.of([\"a valid label key must consist of alphanumeric characters, '-', '_' or '.', "
       "and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
       "'123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with "
       "an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')\"])",
       2},
      {R"(format.dns1123LabelPrefix().validate("abc-"))", "optional.none()", 2},
      {R"(format.labelValue().validate("ok_value"))", "optional.none()", 2},
      {R"(format.labelValue().validate("-bad"))",
       "optional.of([\"a valid label must be an empty string or consist of alphanumeric "
       "characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
       "'MyValue',  or 'my_value',  or '12345', regex used for validation is "
       "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')\"])",
       2},
      {R"(format.uri().validate("https://x.y/"))", "optional.none()", 2},
      {R"(format.uri().validate("x"))", R"(optional.of(["parse \"x\": invalid URI for request"]))",
       2},
      {R"(format.uuid().validate("123e4567-e89b-12d3-a456-426614174000"))", "optional.none()", 2},
      {R"(format.uuid().validate("x"))", R"(optional.of(["does not match the UUID format"]))", 2},
      {R"(format.byte().validate("aGVsbG8="))", "optional.none()", 2},
      {R"(format.byte().validate("aGVsbG8"))", R"(optional.of(["invalid base64"]))", 2},
      {R"(format.date().validate("2024-02-29"))", "optional.none()", 2},
      {R"(format.date().validate("2023-02-29"))", R"(optional.of(["invalid date"]))", 2},
      {R"(format.datetime().validate("2024-01-01T00:00:00Z"))", "optional.none()", 2},
      {R"(format.datetime().validate("2024-01-01T00:00:00.123+02:00"))", "optional.none()", 2},
      {R"(format.datetime().validate("2024-01-01"))", R"(optional.of(["invalid datetime"]))", 2},
      {R"(format.named("uuid").value().validate("x").value()[0])",
       R"("does not match the UUID format")", 6},
      {R"(format.dns1123Label() == format.named("dns1123Label").value())", "true", 4},
  };
  expect_for_cluster(cases);
}

}  // namespace
}  // namespace berth::api
