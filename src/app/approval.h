// Says yes to a CertificateSigningRequest.

#pragma once

#include <string>
#include <string_view>

#include "app/calls.h"
#include "base/result.h"
#include "base/time.h"

namespace berth::app {

struct Approval {
  std::string_view reason;
  std::string_view message;
  Time now;
};

// A request that somebody has decided on meanwhile stays as it is. The texts outlive the edit.
client::Edit approval_of(const std::string& request, const Approval& approval);
Status approve(Calls& hub, const std::string& request, const Approval& approval);

}  // namespace berth::app
