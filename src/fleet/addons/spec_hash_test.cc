#include "fleet/addons/spec_hash.h"

#include <string_view>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

std::string hash_of(std::string_view rest) {
  const std::string text =
      R"({"apiVersion":"v1","kind":"X","metadata":{"name":"a"})" + std::string(rest) + "}";
  return spec_hash(json::parse(text).value());
}

// The hashes were computed by OCM's own function on the same texts.
TEST(SpecHash, IsTheOneThatOcmComputes) {
  EXPECT_EQ(hash_of(""), "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
  EXPECT_EQ(hash_of(R"(,"spec":{},"status":{"x":1})"),
            "53aa778a9b137a0ca7ab79937d069870b14440dae5922f51d940ffa4b178d5cb");
  EXPECT_EQ(hash_of(R"(,"spec":{"b":1,"a":[true,null,"x"],"c":{"z":0,"y":-5}})"),
            "03855af693afbb27745449793cc00694ada40a1ced246f03c88cf1064e81414f");
  EXPECT_EQ(hash_of(R"(,"spec":{"text":"a<b>&c \"q\" \u00e9 \u2028 \n","big":9007199254740993,)"
                    R"("f":1.50,"e":1e3,"s":1e-7,"h":1e21,"n":-0.0})"),
            "1425a6426e2be657c71e715c6e35f0f7a994f36c1217a7234b6ccdb4e0256760");
  EXPECT_EQ(hash_of(R"(,"data":{"k":"v"},"binaryData":{})"),
            "1ccceafd881e3f6f118973477cfaf1e8bc64454115e096852de772b2d8fd6f42");
  EXPECT_EQ(
      hash_of(R"(,"spec":{"agentInstallNamespace":"ns","customizedVariables":[{"name":"IMAGE",)"
              R"("value":"quay.io/x:1"}],"nodePlacement":{"nodeSelector":{"a":"b"},)"
              R"("tolerations":[{"key":"k","operator":"Exists"}]}})"),
      "c92c50dde05f9e2331cd163b5129891ce573d45f59d6400430b80f7a1ed1cba3");
}

TEST(SpecHash, DoesNotDependOnTheOrderOfMembersNorOnWhatIsNoConfiguration) {
  EXPECT_EQ(hash_of(R"(,"spec":{"a":1,"b":2})"), hash_of(R"(,"status":{},"spec":{"b":2,"a":1})"));
  EXPECT_NE(hash_of(R"(,"spec":{"a":1})"), hash_of(R"(,"spec":{"a":2})"));
}

}  // namespace
}  // namespace berth::fleet
