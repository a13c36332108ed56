// What holds for a client's requests and for the responses to them in either protocol.

#pragma once

#include "base/result.h"
#include "http/message.h"

namespace berth::http {

// A request that would break HTTP on the wire is an error of the caller: BadRequest.
Status check_request(const RequestHead& head);

// Redirects are refused (a server that redirects its API's clients can aim them and their
// credentials anywhere), and so is every upgrade.
Status check_response(const ResponseHead& head);

}  // namespace berth::http
