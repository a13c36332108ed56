#include "apiserver/apply/field_path.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"

namespace berth::apiserver {
namespace {

using json::Value;
using testing::json_of;

TEST(FieldPath, ElementsAreSpelledAsInFieldsV1AndReadBack) {
  for (const std::string_view text :
       {"f:spec", "f:", "f:a.b/c:d", R"(k:{"name":"x"})", R"(k:{"port":80,"protocol":"TCP"})",
        R"(v:"x")", "v:1", "v:true", "v:1.5", "i:3", R"(v:"\u003cx\u003e")"}) {
    SCOPED_TRACE(text);
    const auto element = decode_element(text);
    ASSERT_TRUE(element.ok() && element->has_value());
    EXPECT_EQ(encode_element(**element), text);
  }
}

TEST(FieldPath, KeysComeByNameWhateverTheirOrder) {
  const PathElement element = PathElement::key(json_of(R"({"protocol":"TCP","port":80})"));
  EXPECT_EQ(encode_element(element), R"(k:{"port":80,"protocol":"TCP"})");
  EXPECT_EQ(element, **decode_element(R"(k:{"protocol":"TCP","port":80})"));
}

TEST(FieldPath, BadElementsAreRefusedAndUnknownKindsAreNone) {
  for (const std::string_view text :
       {"", "f", "spec", "k:", "k:[]", "k:{", "v:", "v:{", "i:x", "i:", "v:1 2"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(decode_element(text).error().code, Code::BadRequest);
  }
  EXPECT_EQ(decode_element("z:future").value(), std::nullopt);
  EXPECT_FALSE(decode_element("v:" + std::string(100, '[')).ok());
}

TEST(FieldPath, ElementsAreOrderedByKindAndThenByValue) {
  const char* const kAscending[] = {"f:a",
                                    "f:b",
                                    R"(k:{"a":1})",
                                    R"(k:{"a":1,"b":0})",
                                    R"(k:{"a":"1"})",
                                    R"(k:{"b":0})",
                                    "v:1.5",
                                    "v:80",
                                    "v:443",
                                    R"(v:"1")",
                                    R"(v:"a")",
                                    "v:false",
                                    "v:true",
                                    "v:[1]",
                                    "v:[1,2]",
                                    "v:{}",
                                    "v:null",
                                    "i:2",
                                    "i:10"};
  for (std::size_t i = 0; i < std::size(kAscending); ++i) {
    for (std::size_t j = 0; j < std::size(kAscending); ++j) {
      SCOPED_TRACE(std::string(kAscending[i]) + " and " + kAscending[j]);
      const PathElement a = *decode_element(kAscending[i]).value();
      const PathElement b = *decode_element(kAscending[j]).value();
      EXPECT_EQ(a < b, i < j);
      EXPECT_EQ(a == b, i == j);
    }
  }
}

TEST(FieldPath, NumbersAreTheSameWhateverTheirForm) {
  EXPECT_EQ(*decode_element("v:1").value(), *decode_element("v:1.0").value());
}

TEST(FieldPath, NumbersBeyondDoublesAreRoundedAsTheReferenceReadsThem) {
  EXPECT_EQ(encode_element(*decode_element("v:9007199254740993").value()), "v:9007199254740992");
  EXPECT_EQ(encode_element(PathElement::of_value(Value(9007199254740993))), "v:9007199254740993");
}

TEST(FieldPath, ReadsLikeAPathInMessages) {
  FieldPath path = path_of({"spec", "ports"});
  path.push_back(PathElement::key(json_of(R"({"port":80,"protocol":"TCP"})")));
  path.push_back(PathElement::field("tags"));
  path.push_back(PathElement::of_value("a \"b\""));
  path.push_back({PathElement::Kind::Index, Value(3)});
  EXPECT_EQ(text_of(path), R"(.spec.ports[port=80,protocol="TCP"].tags[="a \"b\""][3])");
}

}  // namespace
}  // namespace berth::apiserver
