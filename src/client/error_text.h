// What people read when a call to a server failed: the words of kubectl, so that nobody has to
// learn new ones.

#pragma once

#include <string>

#include "base/error.h"
#include "http/url.h"

namespace berth::client {

// One line without a newline, for stderr. `server` is the one that was asked.
std::string error_text(const Error& error, const http::Url& server);

}  // namespace berth::client
