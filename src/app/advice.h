// What to do about an error, for those who do not know yet: a line below what kubectl would say.

#pragma once

#include <string>

#include "base/result.h"
#include "http/url.h"

namespace berth::app {

// Of a request to that server, in the words of kubectl, for stderr.
std::string text_with_advice(const Error& error, const http::Url& server);

// Of a kubeconfig that cannot be used.
Error with_kubeconfig_advice(Error error);

}  // namespace berth::app
