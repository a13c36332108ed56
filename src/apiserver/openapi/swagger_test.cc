#include "apiserver/openapi/swagger.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(Swagger, DescribesNothing) {
  EXPECT_EQ(swagger_json("v1"),
            R"({"swagger":"2.0","info":{"title":"Kubernetes","version":"v1"},"paths":{}})");
}

TEST(Swagger, IsTheSameInProtobuf) {
  EXPECT_EQ(swagger_protobuf("v1"), std::string("\x0a\x03"
                                                "2.0\x12\x10\x0a\x0a"
                                                "Kubernetes\x12\x02v1\x42\x00",
                                                25));
}

}  // namespace
}  // namespace berth::apiserver
