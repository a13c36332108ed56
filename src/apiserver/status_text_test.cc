#include "apiserver/status_text.h"

#include <gtest/gtest.h>

#include "json/print.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;

TEST(StatusText, TellsWhatIsMissing) {
  EXPECT_EQ(json::print(failure_status(not_found("pods", "x"), {.name = "x", .kind = "pods"})),
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
            R"("message":"pods \"x\" not found","reason":"NotFound",)"
            R"("details":{"name":"x","kind":"pods"},"code":404})");
}

TEST(StatusText, NamesCausesAndWhenToComeBack) {
  const Error error{.code = Code::TooManyRequests,
                    .message = "busy",
                    .causes = {{.reason = "R", .message = "m", .field = "f"}},
                    .retry_after = 900ms};
  EXPECT_EQ(json::print(*failure_status(error).find("details")),
            R"({"causes":[{"reason":"R","message":"m","field":"f"}],"retryAfterSeconds":1})");
}

TEST(StatusText, LeavesOutDetailsThatSayNothing) {
  EXPECT_EQ(failure_status({.code = Code::Unauthorized, .message = "Unauthorized"}).find("details"),
            nullptr);
}

TEST(StatusText, TellsSuccess) {
  EXPECT_EQ(json::print(success_status({.name = "x", .group = "g", .kind = "foos", .uid = "u"})),
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success",)"
            R"("details":{"name":"x","group":"g","kind":"foos","uid":"u"}})");
}

TEST(StatusText, SaysThatTheObjectChanged) {
  EXPECT_EQ(modified_meanwhile("foos.ex.io", "a").message,
            "Operation cannot be fulfilled on foos.ex.io \"a\": the object has been modified; "
            "please apply your changes to the latest version and try again");
}

}  // namespace
}  // namespace berth::apiserver
