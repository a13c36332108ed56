// Keys, certificates and signatures that a seed decides, so that a simulated world with TLS is the
// same in every run.

#pragma once

#include <cstdint>

namespace berth::suites {

// From now on OpenSSL's generator in this process draws from the seed: keys made afterwards are no
// secrets. For processes that simulate and do nothing else.
void seed_keys(std::uint64_t seed);

}  // namespace berth::suites
