// HTTP servers on the loopback address that take a known time to answer: locations to measure.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/time.h"

namespace berth::kube {

class DelayServer {
 public:
  // Listens when it returns. Answers 200 to everything, after that time.
  explicit DelayServer(Duration delay);
  ~DelayServer();  // Nobody listens there any more.

  std::string url() const;  // "http://127.0.0.1:PORT"

 private:
  struct Serving;
  std::unique_ptr<Serving> serving_;
};

}  // namespace berth::kube
