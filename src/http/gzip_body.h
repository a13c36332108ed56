// The body of an answer that is packed while the client takes it: neither its text nor what becomes
// of it is ever there as a whole, and other connections have their turn in between.

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "http/body.h"
#include "http/gzip.h"

namespace berth::http {

// Of a body that never says Waiting.
class GzipBody final : public BodySource {
 public:
  explicit GzipBody(Body body);

  Pull pull(std::span<char> room) override;

 private:
  Pull::State pack();

  Body body_;
  GzipEncoder encoder_;
  std::string packed_;
  std::size_t sent_ = 0;  // Of what is packed.
  bool complete_ = false;
};

}  // namespace berth::http
