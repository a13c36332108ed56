// What a controller would have: a client, a cache, and a copy made of what its handler hears, which
// notices when it does not add up.

#pragma once

#include <map>
#include <string>

#include "client/informer_service.h"

namespace berth::client::testing {

class Follower {
 public:
  Follower(const env::Env& env, const ClientConfig& server, StartMode mode);

  InformerService& informer() { return informer_; }
  HandlerId handler() const { return handler_; }
  const std::map<std::string, ObjectPtr>& copy() const { return copy_; }
  const std::string& problem() const { return problem_; }  // Empty: everything added up.

 private:
  void follow(const Delta& delta);

  Api api_;
  InformerService informer_;
  HandlerId handler_ = 0;
  std::map<std::string, ObjectPtr> copy_;
  std::string problem_;
};

}  // namespace berth::client::testing
