#include "pki/usage.h"

#include <algorithm>
#include <set>

#include "base/strings.h"

namespace berth::pki {
namespace {

constexpr UsageName kUsages[] = {
    {"any", "anyExtendedKeyUsage", true},      {"cert sign", "keyCertSign"},
    {"client auth", "clientAuth", true},       {"code signing", "codeSigning", true},
    {"content commitment", "nonRepudiation"},  {"crl sign", "cRLSign"},
    {"data encipherment", "dataEncipherment"}, {"decipher only", "decipherOnly"},
    {"digital signature", "digitalSignature"}, {"email protection", "emailProtection", true},
    {"encipher only", "encipherOnly"},         {"ipsec end system", "ipsecEndSystem", true},
    {"ipsec tunnel", "ipsecTunnel", true},     {"ipsec user", "ipsecUser", true},
    {"key agreement", "keyAgreement"},         {"key encipherment", "keyEncipherment"},
    {"microsoft sgc", "msSGC", true},          {"netscape sgc", "nsSGC", true},
    {"ocsp signing", "OCSPSigning", true},     {"s/mime", "emailProtection", true},
    {"server auth", "serverAuth", true},       {"signing", "digitalSignature"},
    {"timestamping", "timeStamping", true},
};

void add(std::string& list, std::string_view name) {
  if (!list.empty()) list.push_back(',');
  list.append(name);
}

}  // namespace

std::span<const UsageName> known_usages() { return kUsages; }

const UsageName* find_usage(std::string_view kubernetes_name) {
  const auto* at = std::ranges::lower_bound(kUsages, kubernetes_name, {}, &UsageName::kubernetes);
  return at != std::end(kUsages) && at->kubernetes == kubernetes_name ? at : nullptr;
}

Result<UsageExtensions> usage_extensions(const std::vector<std::string>& kubernetes_names) {
  UsageExtensions extensions;
  std::set<std::string_view> seen;
  for (const std::string& name : kubernetes_names) {
    const UsageName* usage = find_usage(name);
    if (usage == nullptr) return failure(Code::BadRequest, "unrecognized usage " + quote(name));
    if (!seen.insert(usage->openssl).second) continue;
    add(usage->is_extended ? extensions.extended_key_usage : extensions.key_usage, usage->openssl);
  }
  return extensions;
}

}  // namespace berth::pki
