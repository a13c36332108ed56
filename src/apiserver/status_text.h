// The Status object: how the API tells what became of a request.

#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// What a Status is about. `kind` is the plural name of the resource, except for Invalid, which
// names the kind itself.
struct StatusDetails {
  std::string name = {};
  std::string group = {};
  std::string kind = {};
  std::string uid = {};

  bool operator==(const StatusDetails&) const = default;
};

// The HTTP code of the answer: that of the error's reason.
json::Value failure_status(const Error& error, const StatusDetails& details = {});
json::Value success_status(const StatusDetails& details);

// `pods "x" not found`, `deployments.apps "x" already exists` and so on: resources as people name
// them.
Error not_found(std::string_view resource, std::string_view name);
Error already_exists(std::string_view resource, std::string_view name);
Error conflict(std::string_view resource, std::string_view name, std::string_view why);

// The object has changed since the writer read it.
Error modified_meanwhile(std::string_view resource, std::string_view name);

}  // namespace berth::apiserver
