#include "app/hub_keys.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/auth/authenticator.h"
#include "apiserver/user.h"
#include "base/base64.h"
#include "env/files.h"
#include "json/value.h"
#include "json/yaml_print.h"

namespace berth::app {
namespace {

constexpr std::size_t kFileBytesMax = 1 << 20;
constexpr std::uint32_t kSecret = 0600;
constexpr std::uint32_t kPublic = 0644;
constexpr Duration kAuthorityLife = std::chrono::hours(24 * 3650);

bool is_address(const std::string& name) {
  return name.contains(':') ||
         std::ranges::all_of(name, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

pki::AlternativeNames names_of(const HubKeyOptions& options) {
  pki::AlternativeNames names;
  std::vector<std::string> all = {"localhost",
                                  "berth",
                                  "kubernetes",
                                  "kubernetes.default",
                                  "kubernetes.default.svc",
                                  "kubernetes.default.svc.cluster.local",
                                  "127.0.0.1",
                                  "::1",
                                  "10.0.0.1"};
  all.push_back(options.listen_host);
  all.insert(all.end(), options.names.begin(), options.names.end());
  for (const std::string& name : all) {
    if (name.empty() || name == "0.0.0.0" || name == "::") continue;
    auto& list = is_address(name) ? names.addresses : names.dns;
    if (std::ranges::find(list, name) == list.end()) list.push_back(name);
  }
  return names;
}

Result<pki::Authority> open_authority(env::Disk& disk, const std::string& folder, Time now) {
  const std::string certificate_path = folder + "/ca.crt";
  const std::string key_path = folder + "/ca.key";
  ASSIGN_OR_RETURN(const bool exists, disk.exists(key_path));
  if (!exists) {
    pki::Authority made = pki::Authority::make("berth-hub-ca", now, kAuthorityLife);
    // The key last: only with it the pair counts.
    RETURN_IF_ERROR(env::replace_file(disk, certificate_path, made.certificate.pem(), kPublic));
    RETURN_IF_ERROR(env::replace_file(disk, key_path, made.key.pem(), kSecret));
    return made;
  }
  ASSIGN_OR_RETURN(const std::string certificate,
                   env::read_file(disk, certificate_path, kFileBytesMax));
  ASSIGN_OR_RETURN(const std::string key, env::read_file(disk, key_path, kFileBytesMax));
  auto authority = pki::Authority::from_pem(certificate, key);
  if (!authority.ok()) {
    return failure(std::move(authority).error().in_context(
        fmt::format("{} and {}", certificate_path, key_path)));
  }
  return *std::move(authority);
}

Result<pki::PrivateKey> open_token_key(env::Disk& disk, const std::string& folder) {
  const std::string path = folder + "/sa.key";
  ASSIGN_OR_RETURN(const bool exists, disk.exists(path));
  if (!exists) {
    pki::PrivateKey made = pki::PrivateKey::generate();
    RETURN_IF_ERROR(env::replace_file(disk, path, made.pem(), kSecret));
    return made;
  }
  ASSIGN_OR_RETURN(const std::string text, env::read_file(disk, path, kFileBytesMax));
  auto key = pki::PrivateKey::from_pem(text);
  if (!key.ok()) return failure(std::move(key).error().in_context(path));
  return *std::move(key);
}

pki::Subject master(const std::string& user) {
  return {.common_name = user, .organizations = {std::string(apiserver::kMasters)}};
}

// There, and nowhere else.
pki::Subject master_of(const std::string& cluster, const std::string& user) {
  pki::Subject subject = master(user);
  subject.organizations.push_back(std::string(apiserver::kClusterGroupPrefix) + cluster);
  return subject;
}

}  // namespace

Result<HubKeys> HubKeys::open(env::Disk& disk, HubKeyOptions options, Time now) {
  const std::string folder = options.directory + "/pki";
  RETURN_IF_ERROR(disk.create_directory(folder));
  ASSIGN_OR_RETURN(pki::Authority authority, open_authority(disk, folder, now));
  if (!authority.certificate.is_valid_at(now)) {
    return failure(Code::Invalid,
                   fmt::format("{}/ca.crt is not valid now: look at this machine's clock, or "
                               "replace ca.crt and ca.key",
                               folder));
  }
  ASSIGN_OR_RETURN(pki::PrivateKey token_key, open_token_key(disk, folder));
  return HubKeys(std::move(options), std::move(authority), std::move(token_key));
}

Result<env::TlsIdentity> HubKeys::own_identity(env::Disk& disk) const {
  ASSIGN_OR_RETURN(std::string certificate,
                   env::read_file(disk, options_.certificate_file, kFileBytesMax));
  ASSIGN_OR_RETURN(std::string key, env::read_file(disk, options_.key_file, kFileBytesMax));
  return env::TlsIdentity{.certificates_pem = std::move(certificate), .key_pem = std::move(key)};
}

Result<env::TlsIdentity> HubKeys::serving_identity(Time now) const {
  ASSIGN_OR_RETURN(const pki::Identity identity,
                   pki::issue_serving(authority_, "berth-hub", names_of(options_),
                                      {.now = now, .life = kCertificateLife}));
  return env::TlsIdentity{.certificates_pem = identity.certificate.pem() + authority_pem(),
                          .key_pem = identity.key.pem()};
}

Result<env::TlsIdentity> HubKeys::admin_identity(Time now) const {
  return client_identity(master(kAdministrator), {.now = now, .life = kCertificateLife});
}

Result<env::TlsIdentity> HubKeys::cluster_admin_identity(const std::string& cluster,
                                                         Time now) const {
  return client_identity(master_of(cluster, kAdministrator),
                         {.now = now, .life = kCertificateLife});
}

Result<env::TlsIdentity> HubKeys::inner_identity(const std::string& user, Time now) const {
  return client_identity(master(user), {.now = now, .life = kAuthorityLife});
}

Result<env::TlsIdentity> HubKeys::inner_cluster_identity(const std::string& cluster,
                                                         const std::string& user, Time now) const {
  return client_identity(master_of(cluster, user), {.now = now, .life = kAuthorityLife});
}

Result<env::TlsIdentity> HubKeys::client_identity(const pki::Subject& subject,
                                                  pki::Validity validity) const {
  ASSIGN_OR_RETURN(const pki::Identity identity, pki::issue_client(authority_, subject, validity));
  return env::TlsIdentity{.certificates_pem = identity.certificate.pem(),
                          .key_pem = identity.key.pem()};
}

// All of its chain may be trusted: who has the key of the first one has been let in by the
// operator.
Result<HubTrust> trust_in(const env::TlsIdentity& own, const std::string& host) {
  ASSIGN_OR_RETURN(const std::vector<pki::Certificate> chain,
                   pki::parse_certificates(own.certificates_pem));
  if (chain.empty()) return failure(Code::BadRequest, "there is no certificate");
  HubTrust trust{.authorities_pem = own.certificates_pem};
  const pki::AlternativeNames& names = chain.front().names;
  const auto has = [](const std::vector<std::string>& list, const std::string& name) {
    return std::ranges::find(list, name) != list.end();
  };
  if (has(names.addresses, host) || has(names.dns, host)) return trust;
  if (!names.dns.empty()) {
    trust.server_name = names.dns.front();
    if (trust.server_name.starts_with("*.")) trust.server_name.replace(0, 1, "berth");
  } else if (!names.addresses.empty()) {
    trust.server_name = names.addresses.front();
  }
  return trust;
}

std::string kubeconfig_text(const std::string& url, const HubTrust& trust,
                            const env::TlsIdentity& identity) {
  using json::Value;
  Value cluster = Value::object(
      {{"server", url}, {"certificate-authority-data", encode_base64(trust.authorities_pem)}});
  if (!trust.server_name.empty()) cluster["tls-server-name"] = trust.server_name;
  const Value credentials =
      Value::object({{"client-certificate-data", encode_base64(identity.certificates_pem)},
                     {"client-key-data", encode_base64(identity.key_pem)}});
  const Value context = Value::object({{"cluster", "berth"}, {"user", kAdministrator}});
  const Value config = Value::object(
      {{"apiVersion", "v1"},
       {"kind", "Config"},
       {"clusters", Value::array({Value::object({{"name", "berth"}, {"cluster", cluster}})})},
       {"users", Value::array({Value::object({{"name", kAdministrator}, {"user", credentials}})})},
       {"contexts", Value::array({Value::object({{"name", "berth"}, {"context", context}})})},
       {"current-context", "berth"}});
  return json::print_yaml(config);
}

}  // namespace berth::app
