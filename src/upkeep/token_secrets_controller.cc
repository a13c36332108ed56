// Tested by upkeep_service_test.cc.
#include "upkeep/token_secrets_controller.h"

#include <array>
#include <utility>

#include "api/metadata.h"
#include "client/errors.h"
#include "upkeep/resources.h"
#include "upkeep/token_secret.h"

namespace berth::upkeep {
namespace {

constexpr std::size_t kInWorkMax = 16;
constexpr std::string_view kByAccount = "account";

std::string index_value(std::string_view ns, std::string_view account) {
  return std::string(ns) + "/" + std::string(account);
}

client::InformerSpec token_secrets() {
  return {.collection = {.resource = secrets()},
          .selection = {.fields = "type=" + std::string(kTokenSecretType)},
          .indexes = {{.name = std::string(kByAccount),
                       .values_of = [](const client::Object& object) -> std::vector<std::string> {
                         if (!is_token_secret(object.body())) return {};
                         return {index_value(object.ns(), account_of(object.body()))};
                       }}}};
}

}  // namespace

TokenSecretsController::TokenSecretsController(const env::Env& env, client::Api& api,
                                               client::Informers& informers,
                                               const control::MayWrite& may_write,
                                               std::string ca_pem, SignToken sign)
    : env_(env),
      api_(api),
      ca_pem_(std::move(ca_pem)),
      sign_(std::move(sign)),
      committer_(env.loop, api, may_write, {.field_manager = "berth-tokens"}),
      reconciler_(env, "tokens", kInWorkMax, [this](const client::ObjectKey& key) { work(key); }),
      secrets_(env, api, token_secrets()),
      followed_(
          informers, std::array{std::pair(Kind::Accounts, service_accounts())},
          [this](Kind, const client::ObjectKey& key) { on_account(key); },
          [this] { start_when_synced(); }) {
  handler_ = secrets_.add_handler(scope_.guard([this](const client::Delta& delta) {
    if (is_token_secret(delta.object().body())) reconciler_.add(delta.object().key());
    start_when_synced();
  }));
  secrets_.when_synced(scope_.guard([this] { start_when_synced(); }));
  secrets_.start();
}

TokenSecretsController::~TokenSecretsController() { secrets_.remove_handler(handler_); }

void TokenSecretsController::start_when_synced() {
  if (has_synced()) reconciler_.start();
}

void TokenSecretsController::on_account(const client::ObjectKey& account) {
  const std::string value = index_value(account.ns, account.name);
  for (const client::ObjectPtr& secret : secrets_.store().with(kByAccount, value)) {
    reconciler_.add(secret->key());
  }
}

void TokenSecretsController::work(const client::ObjectKey& key) {
  const client::ObjectPtr secret = secrets_.store().find(key);
  const bool ours = secret && is_token_secret(secret->body()) &&
                    !api::Metadata(secret->body()).is_being_deleted() &&
                    !account_of(secret->body()).empty();
  if (!ours) return reconciler_.finish(key);
  const client::ObjectPtr account =
      followed_.store(Kind::Accounts).find({.ns = key.ns, .name = account_of(secret->body())});
  if (!account || !belongs_to(secret->body(), account->body())) return confirm_absence(secret);
  fill(secret, account->body());
}

// The cache may not know the account yet; a token is not deleted on a rumour.
void TokenSecretsController::confirm_absence(const client::ObjectPtr& secret) {
  api_.get({.resource = service_accounts(),
            .ns = std::string(secret->ns()),
            .name = account_of(secret->body())},
           scope_.guard([this, secret](const Result<json::Value>& account) {
             const client::ObjectKey key = secret->key();
             if (account.ok() && belongs_to(secret->body(), *account)) {
               return fill(secret, *account);
             }
             if (!account.ok() && !client::is_not_found(account.error())) {
               return reconciler_.finish(key, failure(account.error()));
             }
             submit(key, {.resource = secrets(), .before = secret->body()});
           }));
}

void TokenSecretsController::fill(const client::ObjectPtr& secret, const json::Value& account) {
  std::optional<std::string> token;
  if (lacks_token(secret->body())) {
    Result<std::string> made = sign_(account, secret->body());
    if (!made.ok()) {
      env_.log.warn("tokens.sign_failed",
                    {{"secret", secret->key().text()}, {"error", made.error().message}});
      return reconciler_.finish(secret->key(), failure(made.error()));
    }
    token = *std::move(made);
  }
  json::Value after = filled(secret->body(), account, ca_pem_, token);
  if (after == secret->body()) return reconciler_.finish(secret->key());
  submit(secret->key(),
         {.resource = secrets(), .before = secret->body(), .after = std::move(after)});
}

void TokenSecretsController::submit(const client::ObjectKey& key, control::Change change) {
  committer_.submit(std::move(change), scope_.guard([this, key](const Status& status) {
    const bool gone = !status.ok() && client::is_not_found(status.error());
    if (!status.ok() && !gone && !client::is_stale_write(status.error())) {
      env_.log.warn("tokens.write_failed",
                    {{"secret", key.text()}, {"error", status.error().message}});
    }
    reconciler_.finish(key, gone ? Status() : status);
  }));
}

}  // namespace berth::upkeep
