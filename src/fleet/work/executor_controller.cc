#include "fleet/work/executor_controller.h"

#include <utility>

#include "api/kinds/fields.h"
#include "client/errors.h"
#include "fleet/registration/resources.h"
#include "fleet/work/access.h"

namespace berth::fleet {

// Whoever names ever new accounts pays with new connections.
constexpr std::size_t kAccountsMax = 32;

void ExecutorChecks::ask(ExecutorQuestion question, Answer answer) {
  const auto one = std::make_shared<Case>(std::move(question), std::move(answer));
  const auto refuse = [&](std::string message) {
    env_.loop.post(scope_.guard(
        [one, message = std::move(message)] { one->answer(failure(Code::Invalid, message)); }));
  };
  if (one->question.executor.type != "ServiceAccount") {
    return refuse("only support ServiceAccount type for the executor");
  }
  if (!one->question.executor.account) return refuse("the executor service account is nil");
  one->verbs = needed_verbs(one->question.owned ? Ownership::Ours : Ownership::None);
  ask_next(one);
}

void ExecutorChecks::ask_next(const CasePtr& one) {
  if (one->verbs.empty()) return check_escalation(one);
  const std::string verb = std::move(one->verbs.front());
  one->verbs.erase(one->verbs.begin());
  api_.create({.resource = access_reviews()},
              access_review(*one->question.executor.account, one->question.meta, verb), {},
              scope_.guard([this, one](const Result<json::Value>& review) {
                if (!review.ok()) return one->answer(failure(review.error()));
                const json::Value& allowed = api::field(api::field(*review, "status"), "allowed");
                if (allowed.as_bool().value_or(false)) return ask_next(one);
                one->answer(failure(refusal(one->question.meta)));
              }));
}

void ExecutorChecks::check_escalation(const CasePtr& one) {
  const ResourceMeta& meta = one->question.meta;
  if (!may_escalate(meta)) return one->answer({});
  api_as(one->question.executor.account->user())
      .create({.resource = meta.gvr(), .ns = meta.ns}, one->question.object,
              {.dry_run = client::DryRun::Yes},
              scope_.guard([one](const Result<json::Value>& answer) {
                // The server looks at the rights first: that it exists already means that it may.
                if (answer.ok() || client::is_already_exists(answer.error())) {
                  return one->answer({});
                }
                if (client::is_forbidden(answer.error())) {
                  return one->answer(failure(escalation_refusal(one->question.meta)));
                }
                one->answer(failure(answer.error()));
              }));
}

client::Api& ExecutorChecks::api_as(const std::string& user) {
  if (impersonated_.size() >= kAccountsMax) {
    std::erase_if(impersonated_, [](const auto& entry) { return entry.second->calls() == 0; });
  }
  std::unique_ptr<client::Api>& api = impersonated_[user];
  if (!api) {
    client::ClientConfig config = api_.config();
    config.impersonation = {.user = user};
    api = std::make_unique<client::Api>(env_, std::move(config),
                                        client::ApiOptions{.user_agent = "berth-work-agent"});
  }
  return *api;
}

}  // namespace berth::fleet
