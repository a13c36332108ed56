#include "client/error_text.h"

#include <gtest/gtest.h>

#include "client/errors.h"

namespace berth::client {
namespace {

const http::Url kServer = {.host = "hub", .port = 6443};

TEST(ErrorText, SaysWhatKubectlSays) {
  const std::string connect = "connect to 10.0.0.1:6443: ";
  const std::pair<Error, std::string_view> cases[] = {
      {{.code = Code::NotFound,
        .message = "placements.cluster.open-cluster-management.io \"x\" not found"},
       "Error from server (NotFound): placements.cluster.open-cluster-management.io \"x\" not "
       "found"},
      {{.code = Code::Forbidden, .message = "no"}, "Error from server (Forbidden): no"},
      {{.code = Code::Unauthorized, .message = "Unauthorized"},
       "error: You must be logged in to the server (Unauthorized)"},
      {{.message = "odd"}, "error: odd"},
      {network_error(NetworkFailure::NotSent, connect + "Connection refused"),
       "The connection to the server hub:6443 was refused - did you specify the right host or "
       "port?"},
      {network_error(NetworkFailure::NotSent, connect + "No route to host"),
       "Unable to connect to the server: connect to 10.0.0.1:6443: No route to host"},
  };
  for (const auto& [error, text] : cases) EXPECT_EQ(error_text(error, kServer), text);
}

}  // namespace
}  // namespace berth::client
