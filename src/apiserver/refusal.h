// Refusal: why a request is not done, with all that its Status says.

#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/resource.h"
#include "apiserver/status_text.h"
#include "base/error.h"

namespace berth::apiserver {

struct Refusal {
  Refusal(Error why) : error(std::move(why)) {}  // NOLINT: every error can be told without details.
  Refusal(Error why, StatusDetails about) : error(std::move(why)), details(std::move(about)) {}

  Error error;
  StatusDetails details = {};
  std::string continue_token = {};  // With which a list that has expired may go on.
};

// What a verb comes to: RETURN_IF_ERROR and ASSIGN_OR_RETURN take plain Results in such functions.
template <typename T>
using Attempt = std::expected<T, Refusal>;

inline std::unexpected<Refusal> refuse(Refusal refusal) {
  return std::unexpected(std::move(refusal));
}
inline std::unexpected<Refusal> refuse(Code code, std::string message) {
  return refuse(Error{.code = code, .message = std::move(message)});
}

// The usual ones, about one object of a resource.
Refusal no_such_object(const Resource& resource, std::string_view name);
Refusal exists_already(const Resource& resource, std::string_view name);
Refusal changed_meanwhile(const Resource& resource, std::string_view name);
Refusal conflicting(const Resource& resource, std::string_view name, std::string_view why);
Refusal forbidden(const Resource& resource, std::string_view name, std::string_view why);

// `Foo.ex.io "x" is invalid: spec.n: Invalid value: ...`, with one cause for each field.
Refusal invalid_object(const Resource& resource, std::string_view name, std::vector<Cause> causes);
Refusal invalid(std::string_view group, std::string_view kind, std::string_view name,
                std::vector<Cause> causes);

StatusDetails details_of(const Resource& resource, std::string_view name);

}  // namespace berth::apiserver
