#include "pki/subject.h"

#include <array>

#include <arpa/inet.h>
#include <fmt/format.h>

#include "base/strings.h"
#include "pki/openssl.h"

namespace berth::pki {
namespace {

Result<std::string> checked(std::string text) {
  if (text.find('\0') != std::string::npos) {
    return failure(Code::BadRequest, "a name holds a NUL byte");
  }
  return text;
}

Result<std::string> text_of(const ASN1_STRING* value) {
  unsigned char* utf8 = nullptr;
  const int length = ASN1_STRING_to_UTF8(&utf8, value);
  if (length < 0) return failure(openssl_error("a name is no text"));
  std::string text(reinterpret_cast<const char*>(utf8), static_cast<std::size_t>(length));
  OPENSSL_free(utf8);
  return checked(std::move(text));
}

// Of the kinds of names that are kept as ASCII.
Result<std::string> raw_text_of(const ASN1_IA5STRING* value) {
  return checked(std::string(reinterpret_cast<const char*>(ASN1_STRING_get0_data(value)),
                             static_cast<std::size_t>(ASN1_STRING_length(value))));
}

Result<std::string> address_of(const ASN1_OCTET_STRING* value) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int length = ASN1_STRING_length(value);
  if (length != 4 && length != 16) {
    return failure(Code::BadRequest, fmt::format("an IP address of {} bytes", length));
  }
  inet_ntop(length == 4 ? AF_INET : AF_INET6, ASN1_STRING_get0_data(value), text.data(),
            text.size());
  return std::string(text.data());
}

// With the string's own type instead of MBSTRING_UTF8, which holds to the 64 characters that X.520
// once allowed: names of users in Kubernetes are longer, and Go has no such limit either.
Status add_entry(X509_NAME* name, int attribute, const std::string& text) {
  RETURN_IF_ERROR(checked(text));
  if (text.empty()) return failure(Code::BadRequest, "a part of a subject is empty");
  if (X509_NAME_add_entry_by_NID(name, attribute, V_ASN1_UTF8STRING, bytes_of(text),
                                 static_cast<int>(text.size()), -1, 0) != 1) {
    return failure(openssl_error(fmt::format("{} cannot be part of a subject", quote(text))));
  }
  return {};
}

Status add_name(GENERAL_NAMES* names, int type, std::string_view text) {
  std::unique_ptr<GENERAL_NAME, Freeing<&GENERAL_NAME_free>> name(GENERAL_NAME_new());
  ASN1_STRING* value =
      type == GEN_IPADD ? a2i_IPADDRESS(std::string(text).c_str()) : ASN1_IA5STRING_new();
  const bool filled = name != nullptr && value != nullptr &&
                      (type == GEN_IPADD ||
                       ASN1_STRING_set(value, text.data(), static_cast<int>(text.size())) == 1);
  if (!filled || text.empty() || text.find('\0') != std::string_view::npos) {
    ASN1_STRING_free(value);
    return failure(openssl_error(fmt::format("{} cannot be an alternative name", quote(text))));
  }
  GENERAL_NAME_set0_value(name.get(), type, value);
  if (sk_GENERAL_NAME_push(names, name.get()) <= 0) {
    return failure(openssl_error("alternative names"));
  }
  (void)name.release();
  return {};
}

}  // namespace

Result<Subject> read_subject(const X509_NAME* name) {
  Subject subject{.common_name = {}};
  const int count = X509_NAME_entry_count(name);
  for (int i = 0; i < count; ++i) {
    const X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, i);
    const int attribute = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
    if (attribute != NID_commonName && attribute != NID_organizationName &&
        attribute != NID_organizationalUnitName) {
      continue;
    }
    ASSIGN_OR_RETURN(std::string text, text_of(X509_NAME_ENTRY_get_data(entry)));
    if (attribute == NID_commonName) {
      subject.common_name = std::move(text);
    } else if (attribute == NID_organizationName) {
      subject.organizations.push_back(std::move(text));
    } else {
      subject.organizational_units.push_back(std::move(text));
    }
  }
  return subject;
}

Status write_subject(X509_NAME* name, const Subject& subject) {
  for (const std::string& text : subject.organizations) {
    RETURN_IF_ERROR(add_entry(name, NID_organizationName, text));
  }
  for (const std::string& text : subject.organizational_units) {
    RETURN_IF_ERROR(add_entry(name, NID_organizationalUnitName, text));
  }
  if (subject.common_name.empty()) return {};
  return add_entry(name, NID_commonName, subject.common_name);
}

Result<AlternativeNames> read_alternative_names(const GENERAL_NAMES* names) {
  AlternativeNames result;
  const int count = sk_GENERAL_NAME_num(names);
  for (int i = 0; i < count; ++i) {
    int type = 0;
    const auto* value = static_cast<const ASN1_STRING*>(
        GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, i), &type));
    if (type == GEN_IPADD) {
      ASSIGN_OR_RETURN(std::string address, address_of(value));
      result.addresses.push_back(std::move(address));
    } else if (type == GEN_DNS || type == GEN_EMAIL || type == GEN_URI) {
      ASSIGN_OR_RETURN(std::string text, raw_text_of(value));
      auto& list = type == GEN_DNS ? result.dns : type == GEN_EMAIL ? result.emails : result.uris;
      list.push_back(std::move(text));
    }
  }
  return result;
}

Status write_alternative_names(GENERAL_NAMES* into, const AlternativeNames& names) {
  for (const auto& text : names.dns) RETURN_IF_ERROR(add_name(into, GEN_DNS, text));
  for (const auto& text : names.addresses) RETURN_IF_ERROR(add_name(into, GEN_IPADD, text));
  for (const auto& text : names.emails) RETURN_IF_ERROR(add_name(into, GEN_EMAIL, text));
  for (const auto& text : names.uris) RETURN_IF_ERROR(add_name(into, GEN_URI, text));
  return {};
}

}  // namespace berth::pki
