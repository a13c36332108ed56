// Takes the fields of an HTTP/2 head as they are decoded, within the limits.

#pragma once

#include <cstddef>

#include "http/limits.h"
#include "http/message.h"

namespace berth::http {

class HeaderCollector {
 public:
  // Whether the field is within the limits, pseudo fields included. Once one is not, none is: what
  // follows costs no memory.
  bool admit(const Headers::Field& field, const Limits& limits) {
    weight_ += field.name.size() + field.value.size() + Headers::kFieldOverhead;
    ++count_;
    overflown_ |= weight_ > limits.header_bytes || count_ > limits.header_count;
    return !overflown_;
  }

  bool overflown() const { return overflown_; }

 private:
  std::size_t weight_ = 0;
  std::size_t count_ = 0;
  bool overflown_ = false;
};

}  // namespace berth::http
