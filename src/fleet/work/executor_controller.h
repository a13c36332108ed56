// Whether the account that a work names as its executor may do what the work asks for.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/api_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/work/manifest_work.h"
#include "fleet/work/resource_meta.h"
#include "json/value.h"

namespace berth::fleet {

// What is asked for one manifest.
struct ExecutorQuestion {
  Executor executor;
  ResourceMeta meta;
  bool owned = true;
  json::Value object;  // As it would be created.
};

class ExecutorChecks {
 public:
  // Forbidden: it may not. Any other error: nobody could tell.
  using Answer = std::move_only_function<void(const Status&)>;

  // The Api outlives this. Answers come later, on the loop; none after its death.
  ExecutorChecks(const env::Env& env, client::Api& api) : env_(env), api_(api) {}

  // Asks the server about every verb that applying takes and, for roles and bindings, whether the
  // account could make them itself: otherwise a work would lend it rights that it does not have.
  void ask(ExecutorQuestion question, Answer answer);

 private:
  struct Case {
    ExecutorQuestion question;
    Answer answer;
    std::vector<std::string> verbs;  // Still to be asked for.
  };
  using CasePtr = std::shared_ptr<Case>;

  void ask_next(const CasePtr& one);
  void check_escalation(const CasePtr& one);
  client::Api& api_as(const std::string& user);

  env::Env env_;
  client::Api& api_;
  std::map<std::string, std::unique_ptr<client::Api>> impersonated_;  // By user.
  env::Scope scope_;
};

}  // namespace berth::fleet
