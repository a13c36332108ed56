#include "apiserver/auth/authenticator.h"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/auth/account_token.h"
#include "base/strings.h"
#include "pki/certificate.h"
#include "pki/digest.h"

namespace berth::apiserver {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes)
    text.append(fmt::format("{:02x}", static_cast<unsigned char>(byte)));
  return text;
}

// As every right credential does, unless it says something about it itself.
void add_authenticated(User& user) {
  if (user.name == kAnonymous || user.is_in(kAuthenticated) || user.is_in(kUnauthenticated)) return;
  user.groups.emplace_back(kAuthenticated);
}

// "Bearer TOKEN", the word in any case; nullopt for other schemes.
std::optional<std::string_view> bearer_token(std::string_view header) {
  header = trim(header);
  const std::size_t space = header.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  if (lower_ascii(header.substr(0, space)) != "bearer") return std::nullopt;
  const std::string_view token = trim(header.substr(space));
  return token.empty() ? std::nullopt : std::optional(token);
}

Status check_validity(const CertificateIdentity& certificate, Time now) {
  if (now > certificate.not_after) {
    return failure(Code::Unauthorized, "the client certificate has expired");
  }
  if (now < certificate.not_before) {
    return failure(Code::Unauthorized, "the client certificate is not yet valid");
  }
  return {};
}

// A certificate for one cluster is nobody in another.
Status check_cluster(const User& user, const std::string& cluster) {
  const auto group = std::ranges::find_if(
      user.groups, [](const std::string& name) { return name.starts_with(kClusterGroupPrefix); });
  const std::string_view meant =
      group == user.groups.end() ? "" : std::string_view(*group).substr(kClusterGroupPrefix.size());
  if (meant == cluster) return {};
  return failure(Code::Unauthorized,
                 fmt::format("the client certificate is for {}",
                             meant.empty() ? "the hub" : "the cluster " + quote(meant)));
}

}  // namespace

Result<CertificateIdentity> read_client_certificate(std::string_view der) {
  auto read = pki::Certificate::from_der(der);
  if (!read.ok()) return failure(Code::Unauthorized, read.error().message);
  if (!read->is_for_clients()) {
    return failure(Code::Unauthorized, "the certificate is not for clients");
  }
  if (read->subject.common_name.empty()) {
    return failure(Code::Unauthorized, "the client certificate has no common name");
  }
  CertificateIdentity identity{
      .user = {.name = read->subject.common_name,
               .groups = read->subject.organizations,
               .extra = {{std::string(kCredentialId), {"X509SHA256=" + hex(pki::sha256(der))}}}},
      .not_before = read->not_before,
      .not_after = read->not_after};
  add_authenticated(identity.user);
  return identity;
}

Result<User> Authenticator::authenticate(const Credentials& credentials,
                                         const TokenObjects& objects, Time now) const {
  Status certificate = {};
  if (credentials.certificate != nullptr) {
    certificate = check_validity(*credentials.certificate, now);
    if (certificate.ok()) {
      certificate = check_cluster(credentials.certificate->user, options_.cluster);
    }
    if (certificate.ok()) return credentials.certificate->user;
  } else if (!credentials.certificate_error.empty()) {
    certificate = failure(Code::Unauthorized, credentials.certificate_error);
  }
  if (const auto token = bearer_token(credentials.authorization)) {
    ASSIGN_OR_RETURN(TokenIdentity identity, authenticate_token(*token, {}, objects, now));
    return std::move(identity.user);
  }
  // Credentials of a kind that we do not know are as wrong as wrong ones.
  if (!trim(credentials.authorization).empty()) {
    return failure(Code::Unauthorized, "only Bearer tokens are accepted");
  }
  if (!certificate.ok()) return failure(certificate.error());
  return User{.name = std::string(kAnonymous), .groups = {std::string(kUnauthenticated)}};
}

Result<TokenIdentity> Authenticator::authenticate_token(std::string_view token,
                                                        const std::vector<std::string>& audiences,
                                                        const TokenObjects& objects,
                                                        Time now) const {
  const std::vector<std::string>& wanted = audiences.empty() ? options_.audiences : audiences;
  if (auto user = options_.static_tokens.find(token)) {
    add_authenticated(*user);
    return TokenIdentity{.user = std::move(*user), .audiences = wanted};
  }
  ASSIGN_OR_RETURN(AccountToken account,
                   verify_account_token(token, {.issuer = options_.issuer, .keys = options_.keys}));
  ASSIGN_OR_RETURN(std::vector<std::string> shared, shared_audiences(account, wanted));
  RETURN_IF_ERROR(check_times(account, now));
  RETURN_IF_ERROR(check_objects(account, objects, now));
  TokenIdentity identity{.user = user_of(account), .audiences = std::move(shared)};
  add_authenticated(identity.user);
  return identity;
}

}  // namespace berth::apiserver
