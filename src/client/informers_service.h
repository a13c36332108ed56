// One cache per collection of a server, shared by everybody in the process who follows it.

#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "client/api_service.h"
#include "client/informer_service.h"
#include "client/resource.h"
#include "env/env.h"

namespace berth::client {

class Informers {
 public:
  // The Api outlives the informers. `special` says how to keep those resources whose caches need
  // more than to be there, such as indexes.
  Informers(const env::Env& env, Api& api, std::vector<InformerSpec> special = {})
      : env_(env), api_(api), special_(std::move(special)) {}

  // All objects of that resource, in all namespaces. Made and started when first asked for.
  InformerService& of(const Gvr& resource);

 private:
  env::Env env_;
  Api& api_;
  std::vector<InformerSpec> special_;
  std::map<Gvr, std::unique_ptr<InformerService>> informers_;
};

}  // namespace berth::client
