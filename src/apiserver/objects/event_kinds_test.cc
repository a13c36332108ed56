#include "apiserver/objects/event_kinds.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

TEST(EventKinds, HaveTheSameFieldsUnderOtherNames) {
  const std::string_view core =
      R"({"kind":"Event","apiVersion":"v1","metadata":{"name":"x"},"involvedObject":{"name":"p"},)"
      R"("reason":"R","message":"m","source":{"component":"c"},"count":3,"type":"Normal",)"
      R"("reportingComponent":"rc","reportingInstance":"ri"})";
  const std::string_view other =
      R"({"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"x"},)"
      R"("regarding":{"name":"p"},"reason":"R","note":"m","deprecatedSource":{"component":"c"},)"
      R"("deprecatedCount":3,"type":"Normal","reportingController":"rc",)"
      R"("reportingInstance":"ri"})";
  EXPECT_EQ(json::print(from_core_event(json::parse(core).value())), other);
  EXPECT_EQ(json::print(to_core_event(json::parse(other).value())), core);
}

}  // namespace
}  // namespace berth::apiserver
