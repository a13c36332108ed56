// The keys and certificates of a hub: made at the first start, kept in its data directory, renewed
// before they run out.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "env/disk.h"
#include "env/tls.h"
#include "pki/authority.h"
#include "pki/key.h"

namespace berth::app {

struct HubKeyOptions {
  std::string directory;                // Of the data; the keys are in "pki" below.
  std::vector<std::string> names = {};  // Further names and addresses of the hub (--tls-san).
  std::string listen_host = {};
  std::string certificate_file = {};  // The operator's own serving certificate, with key.
  std::string key_file = {};
};

// Everything secret is in files that only their owner can read.
class HubKeys {
 public:
  static Result<HubKeys> open(env::Disk& disk, HubKeyOptions options, Time now);

  const pki::Authority& authority() const { return authority_; }
  const pki::PrivateKey& token_key() const { return token_key_; }
  std::string authority_pem() const { return authority_.certificate.pem(); }

  bool has_own_certificate() const { return !options_.certificate_file.empty(); }

  // The operator's own files, as they are now. BadRequest if they cannot be a server's identity.
  Result<env::TlsIdentity> own_identity(env::Disk& disk) const;

  // For a listener. Issued anew each time; valid for kCertificateLife.
  Result<env::TlsIdentity> serving_identity(Time now) const;

  // For the administrator. Issued anew each time; valid for kCertificateLife.
  Result<env::TlsIdentity> admin_identity(Time now) const;

  // For the administrator of a logical cluster that the hub carries. As above.
  Result<env::TlsIdentity> cluster_admin_identity(const std::string& cluster, Time now) const;

  // For those inside the process. Its key is nowhere else and is gone with the process, so it is
  // valid for as long as the authority.
  Result<env::TlsIdentity> inner_identity(const std::string& user, Time now) const;
  Result<env::TlsIdentity> inner_cluster_identity(const std::string& cluster,
                                                  const std::string& user, Time now) const;

 private:
  HubKeys(HubKeyOptions options, pki::Authority authority, pki::PrivateKey token_key)
      : options_(std::move(options)),
        authority_(std::move(authority)),
        token_key_(std::move(token_key)) {}

  Result<env::TlsIdentity> client_identity(const pki::Subject& subject,
                                           pki::Validity validity) const;

  HubKeyOptions options_;
  pki::Authority authority_;
  pki::PrivateKey token_key_;
};

// Serving and client certificates are valid for so long, and replaced after half of it.
inline constexpr Duration kCertificateLife = std::chrono::hours(24 * 365);

inline constexpr const char* kAdministrator = "berth-admin";

// How clients make sure that they talk to this hub.
struct HubTrust {
  std::string authorities_pem;
  std::string server_name = {};  // Where the certificate has another name than the address.
};

// For a hub that shows a certificate which others have issued.
Result<HubTrust> trust_in(const env::TlsIdentity& own, const std::string& host);

// A kubeconfig with everything inside, for the administrator of the hub at `url`.
std::string kubeconfig_text(const std::string& url, const HubTrust& trust,
                            const env::TlsIdentity& identity);

}  // namespace berth::app
