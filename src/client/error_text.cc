#include "client/error_text.h"

#include <fmt/format.h>

#include "client/errors.h"

namespace berth::client {

std::string error_text(const Error& error, const http::Url& server) {
  if (network_failure(error)) {
    if (error.message.contains("Connection refused")) {
      return fmt::format(
          "The connection to the server {} was refused - did you specify the right host or port?",
          server.authority());
    }
    return fmt::format("Unable to connect to the server: {}", error.message);
  }
  if (is_unauthorized(error)) {
    return "error: You must be logged in to the server (Unauthorized)";
  }
  const std::string_view why = reason(error.code);
  if (why.empty()) return fmt::format("error: {}", error.message);
  return fmt::format("Error from server ({}): {}", why, error.message);
}

}  // namespace berth::client
