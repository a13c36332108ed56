#include "fleet/work/ignored_fields.h"

#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::fleet {
namespace {

using json::Value;

Value read(std::string_view yaml) { return json::read_yaml(std::string(yaml)).value().at(0); }

TEST(IgnoredFields, AreTakenOutByPathAndByPointer) {
  const Value manifest = read("{spec: {a: 1, b: 2, list: [{x: 1, y: 2}, {x: 3}]}, 'm/n': {k: 1}}");
  EXPECT_EQ(without_ignored(manifest, {{.json_paths = {".spec.a", ".spec.list[*].x", ".nowhere.z"},
                                        .json_pointers = {"/m~1n/k", "/spec/none", "nonsense"}}}),
            read("{spec: {b: 2, list: [{y: 2}, {}]}, 'm/n': {}}"));
}

TEST(IgnoredFields, OnesThatAreSentAgainOnChangeStay) {
  const Value manifest = read("{spec: {a: 1}}");
  EXPECT_EQ(without_ignored(manifest,
                            {{.since = IgnoredFields::Since::Change, .json_paths = {".spec.a"}}}),
            manifest);
}

TEST(IgnoredFields, UnreadablePathsTakeNothingAway) {
  const Value manifest = read("{spec: {a: 1}}");
  EXPECT_EQ(without_ignored(manifest, {{.json_paths = {"spec", "[", ".spec[?(.a", ""}}}), manifest);
}

TEST(ContentHash, TellsManifestsApart) {
  EXPECT_EQ(content_hash(read("{a: 1}")), content_hash(read("{a: 1}")));
  EXPECT_NE(content_hash(read("{a: 1}")), content_hash(read("{a: 2}")));
}

}  // namespace
}  // namespace berth::fleet
