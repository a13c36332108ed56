// Who a certificate is for: its subject and the other names that it is good for.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct X509_name_st;
struct stack_st_GENERAL_NAME;

namespace berth::pki {

// The parts that Kubernetes looks at: the user and the groups.
struct Subject {
  std::string common_name;
  std::vector<std::string> organizations = {};
  std::vector<std::string> organizational_units = {};

  bool operator==(const Subject&) const = default;
};

struct AlternativeNames {
  std::vector<std::string> dns = {};
  std::vector<std::string> addresses = {};  // IPv4 and IPv6, as people write them.
  std::vector<std::string> emails = {};
  std::vector<std::string> uris = {};

  bool empty() const { return dns.empty() && addresses.empty() && emails.empty() && uris.empty(); }
  bool operator==(const AlternativeNames&) const = default;
};

// Between these and OpenSSL's form. Of several common names the last one counts, as in Go. Reading
// refuses names that hold a NUL, with which texts were cut short in the past to look like others.
Result<Subject> read_subject(const X509_name_st* name);
Status write_subject(X509_name_st* name, const Subject& subject);
Result<AlternativeNames> read_alternative_names(const stack_st_GENERAL_NAME* names);
Status write_alternative_names(stack_st_GENERAL_NAME* into, const AlternativeNames& names);

}  // namespace berth::pki
