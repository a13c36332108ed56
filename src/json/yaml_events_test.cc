#include "json/yaml_events.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::json {
namespace {

TEST(YamlEvents, TellsOneAfterTheOther) {
  YamlEvents events("--- !!map\na: &x 'b'\nc: [*x]\n");
  std::vector<YamlEventType> types;
  do {
    types.push_back(events.next().value().type);
  } while (types.back() != YamlEventType::StreamEnd);
  using enum YamlEventType;
  EXPECT_EQ(types, (std::vector{DocumentStart, MappingStart, Scalar, Scalar, Scalar, SequenceStart,
                                Alias, SequenceEnd, MappingEnd, DocumentEnd, StreamEnd}));
}

TEST(YamlEvents, DescribesAScalar) {
  YamlEvents events("- &x !!str b\n- c\n- ! d\n- \"e\"");
  (void)events.next().value();
  (void)events.next().value();
  const YamlEvent tagged = events.next().value();
  EXPECT_EQ(tagged.anchor, "x");
  EXPECT_EQ(tagged.tag, "tag:yaml.org,2002:str");
  EXPECT_EQ(tagged.text, "b");
  EXPECT_FALSE(tagged.plain);
  EXPECT_EQ(tagged.mark.line, 1u);
  EXPECT_EQ(tagged.mark.column, 3u);
  EXPECT_TRUE(events.next().value().plain);
  EXPECT_EQ(events.next().value().tag, "!");
  EXPECT_FALSE(events.next().value().plain);
}

TEST(YamlEvents, NamesThePlaceOfAnError) {
  YamlEvents events("[");
  auto event = events.next();
  while (event.ok()) event = events.next();
  EXPECT_EQ(event.error().message,
            "line 2, column 1: did not find expected node content while parsing a flow node that "
            "starts in line 2");
}

}  // namespace
}  // namespace berth::json
