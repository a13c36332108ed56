// Lets OpenSSL read and write through one of our channels instead of a descriptor: TLS inside a
// tunnel, which may itself be TLS.

#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <openssl/bio.h>

#include "base/error.h"
#include "runtime/channel.h"

namespace berth::runtime {

// Owns the channel below; lives as long as the BIO is used.
class ChannelBio {
 public:
  explicit ChannelBio(std::unique_ptr<Channel> below);
  ChannelBio(const ChannelBio&) = delete;
  ChannelBio& operator=(const ChannelBio&) = delete;

  // One more reference for whoever frees it, as SSL does.
  BIO* make() const;

  Channel& below() const { return *below_; }

  // What OpenSSL writes is kept from gather() on, until send() passes it on in one piece: one call
  // of the system for many records.
  void gather() { gathering_ = true; }
  Progress send();  // Done only when Need::Nothing; until then nothing else is written.

  // What went wrong below; empty while nothing did. OpenSSL itself has no words for it.
  const Error& error() const { return error_; }

 private:
  struct Calls;

  std::unique_ptr<Channel> below_;
  std::string gathered_;
  std::size_t sent_ = 0;  // Of what was gathered.
  bool gathering_ = false;
  bool ended_ = false;
  Error error_ = {};
};

}  // namespace berth::runtime
