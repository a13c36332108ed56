#include "runtime/system_error.h"

#include <cerrno>
#include <system_error>

#include <fmt/core.h>

namespace berth::runtime {
namespace {

Code disk_code(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return Code::NotFound;
    case EEXIST:
      return Code::AlreadyExists;
    case EACCES:
    case EPERM:
    case EROFS:
      return Code::Forbidden;
    case EWOULDBLOCK:
      return Code::Conflict;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return Code::ServiceUnavailable;
    default:
      return Code::InternalError;
  }
}

}  // namespace

std::string describe(int error_number, std::string_view doing) {
  return fmt::format("{}: {}", doing, std::generic_category().message(error_number));
}

Error network_error(int error_number, std::string_view doing) {
  return {.code = error_number == ETIMEDOUT ? Code::Timeout : Code::ServiceUnavailable,
          .message = describe(error_number, doing)};
}

Error disk_error(int error_number, std::string_view doing) {
  return {.code = disk_code(error_number), .message = describe(error_number, doing)};
}

}  // namespace berth::runtime
