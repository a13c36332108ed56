#include "http/health.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

HealthCheck good(std::string name) {
  return {std::move(name), [] { return Status(); }};
}

HealthCheck bad(std::string name) {
  return {std::move(name), []() -> Status { return failure(Code::InternalError, "no caches"); }};
}

TEST(Health, IsShortWhenAllIsWell) {
  EXPECT_EQ(check_health("livez", {good("ping"), good("log")}, ""), (HealthAnswer{.text = "ok"}));
}

TEST(Health, ListsTheChecksOnRequest) {
  EXPECT_EQ(check_health("livez", {good("ping"), good("log")}, "verbose").text,
            "[+]ping ok\n[+]log ok\nlivez check passed\n");
  EXPECT_EQ(check_health("livez", {good("ping")}, "verbose=true").text,
            "[+]ping ok\nlivez check passed\n");
}

TEST(Health, NamesWhatFailedButNotWhy) {
  EXPECT_EQ(check_health("readyz", {good("ping"), bad("informer-sync")}, ""),
            (HealthAnswer{.status = 500,
                          .text = "[+]ping ok\n[-]informer-sync failed: reason withheld\n"
                                  "readyz check failed\n"}));
}

TEST(Health, ChecksCanBeExcluded) {
  EXPECT_EQ(check_health("readyz", {good("ping"), bad("a"), bad("b")}, "exclude=a&exclude=b"),
            (HealthAnswer{.text = "ok"}));
  EXPECT_EQ(check_health("readyz", {good("ping"), bad("a")}, "verbose&exclude=a&exclude=x").text,
            "[+]ping ok\n[+]a excluded: ok\n"
            "warn: some health checks cannot be excluded: no matches for \"x\"\n"
            "readyz check passed\n");
}

TEST(Health, AnExcludedCheckIsNotRun) {
  bool ran = false;
  const HealthCheck check{"slow", [&] {
                            ran = true;
                            return Status();
                          }};
  check_health("readyz", {check}, "exclude=slow");
  EXPECT_FALSE(ran);
}

TEST(Health, OneCheckAloneTellsItsReason) {
  EXPECT_EQ(check_health_of(good("a")), (HealthAnswer{.text = "ok"}));
  EXPECT_EQ(check_health_of(bad("a")),
            (HealthAnswer{.status = 500, .text = "internal server error: no caches\n"}));
}

TEST(Health, AQueryThatCannotBeReadIsTheClientsMistake) {
  EXPECT_EQ(check_health("livez", {good("ping")}, "exclude=%zz").status, 400);
}

}  // namespace
}  // namespace berth::http
