#include "suites/seeded_keys.h"

#include <openssl/rand.h>

#include "base/check.h"
#include "base/random.h"

namespace berth::suites {
namespace {

// OpenSSL asks plain functions, which have nobody to remember the state for them.
Random& generator() {
  static Random random(0);
  return random;
}

int fill(unsigned char* bytes, int count) {
  for (int i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(generator().below(256));
  return 1;
}

int is_ready() { return 1; }

}  // namespace

void seed_keys(std::uint64_t seed) {
  // What replaces these functions cannot be told where its numbers come from without a provider.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  static const RAND_METHOD method{.seed = nullptr,
                                  .bytes = fill,
                                  .cleanup = nullptr,
                                  .add = nullptr,
                                  .pseudorand = fill,
                                  .status = is_ready};
  CHECK(RAND_set_rand_method(&method) == 1);
#pragma clang diagnostic pop
  generator() = Random(seed);
}

}  // namespace berth::suites
