#include "client/protobuf/decoder.h"

#include <gtest/gtest.h>

#include "client/testing/protobuf_writer.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::client::protobuf {
namespace {

using testing::envelope;
using testing::Proto;

const Gvr kPods = {.version = "v1", .resource = "pods"};

Result<json::Value> decode(const Proto& pod, const Projection& projection) {
  return Decoder(DecodingPlan::of(kPods, projection)).decode(envelope("Pod", pod));
}

std::string decoded(const Proto& pod, const Projection& projection = Projection::everything()) {
  const auto value = decode(pod, projection);
  return value.ok() ? json::print(*value) : value.error().message;
}

Proto metadata() {
  return Proto().text(1, "web").text(2, "").text(3, "default").entry(11, "app", "web");
}

Proto container(std::string_view name) {
  const Proto quantity = Proto().text(1, "100m");
  return Proto()
      .text(1, name)
      .text(2, "image")
      .message(8, Proto().message(2, Proto().text(1, "cpu").message(2, quantity)));
}

TEST(ProtobufDecoder, GivesTheJsonOfAnObject) {
  const Proto spec = Proto().message(2, container("a")).message(2, container("b")).number(25, 0);
  EXPECT_EQ(decoded(Proto().message(1, metadata()).message(2, spec)),
            R"({"kind":"Pod","apiVersion":"v1",)"
            R"("metadata":{"name":"web","namespace":"default","labels":{"app":"web"}},)"
            R"("spec":{"containers":[)"
            R"({"name":"a","image":"image","resources":{"requests":{"cpu":"100m"}}},)"
            R"({"name":"b","image":"image","resources":{"requests":{"cpu":"100m"}}}],)"
            R"("priority":0}})");
}

TEST(ProtobufDecoder, ReadsOnlyWhatIsKept) {
  const Proto spec = Proto().message(2, container("a")).text(10, "node-1").text(16, "host");
  EXPECT_EQ(decoded(Proto().message(1, metadata()).message(2, spec).text(3, "\xff not read"),
                    Projection::only({"spec.nodeName", "spec.containers[].resources.requests"})),
            R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","namespace":"default"},)"
            R"("spec":{"containers":[{"resources":{"requests":{"cpu":"100m"}}}],)"
            R"("nodeName":"node-1"}})");
}

TEST(ProtobufDecoder, KeepsSomeEntriesOfAMap) {
  const Proto both = Proto().entry(12, "a", "1").entry(12, "b", "2");
  EXPECT_EQ(decoded(Proto().message(1, both), Projection::only({"metadata.annotations.a"})),
            R"({"kind":"Pod","apiVersion":"v1","metadata":{"annotations":{"a":"1"}}})");
  EXPECT_EQ(decoded(Proto().message(1, both), Projection::without({"metadata.annotations.a"})),
            R"({"kind":"Pod","apiVersion":"v1","metadata":{"annotations":{"b":"2"}}})");
}

TEST(ProtobufDecoder, TakesTheLastOfEqualNames) {
  const Proto twice = Proto().entry(11, "b", "1").entry(11, "a", "2").entry(11, "b", "3");
  EXPECT_EQ(decoded(Proto().message(1, twice)),
            R"({"kind":"Pod","apiVersion":"v1","metadata":{"labels":{"b":"3","a":"2"}}})");
}

TEST(ProtobufDecoder, PutsEmbeddedMessagesIntoTheirParent) {
  const Proto volume =
      Proto().text(1, "data").message(2, Proto().message(1, Proto().text(1, "/data").text(2, "")));
  EXPECT_EQ(decoded(Proto().message(2, Proto().message(1, volume))),
            R"({"kind":"Pod","apiVersion":"v1","spec":{"volumes":[)"
            R"({"name":"data","hostPath":{"path":"/data","type":""}}]}})");
}

// What a newer server has added must not get lost on the way: JSON would have it.
TEST(ProtobufDecoder, RefusesAFieldItDoesNotKnowInWhatIsKeptWhole) {
  const Proto newer = Proto().message(2, Proto().text(10, "node-1").text(900, "new"));
  const auto everything = decode(newer, Projection::everything());
  ASSERT_FALSE(everything.ok());
  EXPECT_EQ(everything.error().code, Code::NotAcceptable);
  EXPECT_EQ(everything.error().message, "PodSpec has a field 900 that this program does not know");
  EXPECT_TRUE(decode(newer, Projection::only({"spec.nodeName"})).ok()) << "nobody wants it";
}

TEST(ProtobufDecoder, RefusesWhatGoNeverWrites) {
  const Projection all = Projection::everything();
  EXPECT_FALSE(decode(Proto().message(1, metadata()).message(1, metadata()), all).ok());
  EXPECT_FALSE(decode(Proto().number(1, 5), all).ok());
  EXPECT_FALSE(decode(Proto().text(1, "\x0a\x05"), all).ok());
  EXPECT_FALSE(decode(Proto().message(1, Proto().entry(11, "\xff", "")), all).ok());
  Decoder decoder(DecodingPlan::of(kPods, all));
  EXPECT_FALSE(decoder.decode(envelope("Node", Proto())).ok());
  EXPECT_FALSE(decoder.decode("").ok());
  EXPECT_FALSE(decoder.decode("{}").ok());
}

TEST(ProtobufDecoder, IsAsGoodAsNewAfterAFailure) {
  Decoder decoder(DecodingPlan::of(kPods, Projection::everything()));
  const Proto cut = Proto().message(1, Proto().text(1, "x").text(14, "y").text(900, ""));
  EXPECT_FALSE(decoder.decode(envelope("Pod", cut)).ok());
  EXPECT_EQ(json::print(decoder.decode(envelope("Pod", Proto())).value()),
            R"({"kind":"Pod","apiVersion":"v1"})");
}

TEST(ProtobufDecoder, ReadsAStatus) {
  const Proto status = Proto()
                           .message(1, Proto())
                           .text(2, "Failure")
                           .text(3, "gone")
                           .text(4, "Expired")
                           .number(6, 410);
  EXPECT_EQ(json::print(decode_status(envelope("Status", status)).value()),
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
            R"("message":"gone","reason":"Expired","code":410})");
  EXPECT_FALSE(decode_status(envelope("Pod", Proto())).ok());
}

}  // namespace
}  // namespace berth::client::protobuf
