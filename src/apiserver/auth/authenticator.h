// Who makes a request: by a client certificate, a service account's token, a token from a file, or
// nobody at all. Headers such as X-Remote-User are never read: nobody in front of the hub speaks
// for others.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/auth/static_tokens.h"
#include "apiserver/auth/token_objects.h"
#include "apiserver/user.h"
#include "base/result.h"
#include "base/time.h"
#include "pki/key.h"

namespace berth::apiserver {

inline constexpr std::string_view kCredentialId = "authentication.kubernetes.io/credential-id";

// What a verified client certificate says. Read once per connection: it cannot change.
struct CertificateIdentity {
  User user;
  Time not_before;
  Time not_after;
};

// `der` is the peer's own certificate, whose chain TLS has verified. Fails with Unauthorized if it
// is not meant for clients or names nobody. Its user is the common name, its groups are the
// organizations and system:authenticated.
Result<CertificateIdentity> read_client_certificate(std::string_view der);

// What a request shows. All may be missing.
struct Credentials {
  const CertificateIdentity* certificate = nullptr;
  std::string certificate_error = {};  // Why the certificate that was shown is not right.
  std::string authorization = {};      // The header of that name.
};

struct TokenIdentity {
  User user;
  std::vector<std::string> audiences = {};  // Of those asked for, the ones that the token is for.
};

// A hub may carry logical clusters, and its authority signs for all of them. Whom it means in a
// certificate for one of them only, it puts into a group of this name and the cluster's.
inline constexpr std::string_view kClusterGroupPrefix = "berth:cluster:";

struct AuthenticatorOptions {
  std::string issuer;                  // What service account tokens have as "iss".
  std::vector<std::string> audiences;  // What the hub itself is called in tokens.
  std::vector<pki::PublicKey> keys;    // That sign service account tokens.
  StaticTokens static_tokens = {};
  std::string cluster = {};  // Whose certificates count; empty: those for no logical cluster.
};

class Authenticator {
 public:
  explicit Authenticator(AuthenticatorOptions options) : options_(std::move(options)) {}

  // A right certificate wins over a token; without any credential it is system:anonymous; a wrong
  // credential and no right one is Unauthorized.
  Result<User> authenticate(const Credentials& credentials, const TokenObjects& objects,
                            Time now) const;

  // For TokenReviews also: `audiences` of which the token must have one; none: the hub's own.
  Result<TokenIdentity> authenticate_token(std::string_view token,
                                           const std::vector<std::string>& audiences,
                                           const TokenObjects& objects, Time now) const;

 private:
  AuthenticatorOptions options_;
};

}  // namespace berth::apiserver
