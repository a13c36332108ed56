// CertificateSigningRequests: who asked is written down by the server, and nobody changes the spec.

#pragma once

#include "apiserver/strategies/strategy.h"

namespace berth::apiserver {

Strategy certificate_strategy();

}  // namespace berth::apiserver
