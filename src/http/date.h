// The time as HTTP's Date header writes it.

#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"

namespace berth::http {

// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7).
std::string format_date(Time time);

// The same for whoever asks often: the text is made once a second.
class DateStamp {
 public:
  const std::string& at(Time time);

 private:
  std::string text_ = format_date(Time{});
  std::int64_t second_ = 0;
};

}  // namespace berth::http
