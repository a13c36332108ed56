#include "fleet/registration/secret_store_service.h"

#include <utility>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "client/errors.h"
#include "env/files.h"
#include "fleet/registration/resources.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::size_t kFileMax = std::size_t{1} << 20;

// In the order in which they are written: after every one of them the folder holds a good identity,
// if it held one before. A new certificate comes before its key, which is still there as pending.
constexpr const char* kFiles[] = {kPendingKey,   kKubeconfig,     kClusterNameKey,
                                  kAgentNameKey, kTlsCertificate, kTlsKey};

Result<HubSecret> decoded(const Value& object) {
  HubSecret secret;
  for (const json::Member& member : api::field(object, "data").members()) {
    auto bytes = decode_base64(member.value.string_or_empty());
    if (!bytes.ok()) {
      return failure(Code::Invalid, std::string(member.name()) + ": " + bytes.error().message);
    }
    secret[std::string(member.name())] = *std::move(bytes);
  }
  return secret;
}

Value encoded(const HubSecret& secret) {
  Value data = Value::object();
  for (const auto& [name, bytes] : secret) data[name] = encode_base64(bytes);
  return data;
}

}  // namespace

void KubeSecretStore::load(Loaded loaded) {
  api_.get({.resource = secrets(), .ns = place_.ns, .name = place_.name},
           scope_.guard([this, loaded = std::move(loaded)](Result<Value> answer) mutable {
             if (!answer.ok() && !client::is_not_found(answer.error())) {
               return loaded(failure(answer.error()));
             }
             object_ = answer.ok() ? *std::move(answer) : Value();
             loaded(decoded(object_));
           }));
}

void KubeSecretStore::save(HubSecret secret, Saved saved) {
  if (object_.is_null()) {
    return create(Value::object({{"apiVersion", "v1"},
                                 {"kind", "Secret"},
                                 {"metadata",
                                  Value::object({{"name", place_.name}, {"namespace", place_.ns}})},
                                 {"type", "Opaque"},
                                 {"data", encoded(secret)}}),
                  std::move(saved));
  }
  Value object = object_;
  object["data"] = encoded(secret);
  api_.update({.resource = secrets(), .ns = place_.ns, .name = place_.name}, object,
              {.field_manager = "berth-agent"},
              scope_.guard([this, saved = std::move(saved)](Result<Value> answer) mutable {
                if (!answer.ok()) return saved(failure(answer.error()));
                object_ = *std::move(answer);
                saved({});
              }));
}

void KubeSecretStore::create(const Value& object, Saved saved) {
  const client::ResourcePath collection{.resource = secrets(), .ns = place_.ns};
  api_.create(collection, object, {.field_manager = "berth-agent"},
              scope_.guard([this, object, saved = std::move(saved)](Result<Value> answer) mutable {
                if (answer.ok()) {
                  object_ = *std::move(answer);
                  return saved({});
                }
                if (client::is_already_exists(answer.error())) {
                  return saved(failure(Code::Conflict, answer.error().message));
                }
                if (!client::is_not_found(answer.error())) return saved(failure(answer.error()));
                const Value home =
                    Value::object({{"apiVersion", "v1"},
                                   {"kind", "Namespace"},
                                   {"metadata", Value::object({{"name", place_.ns}})}});
                api_.create({.resource = namespaces()}, home, {.field_manager = "berth-agent"},
                            scope_.guard([this, object, saved = std::move(saved)](
                                             const Result<Value>& made) mutable {
                              if (!made.ok()) return saved(failure(made.error()));
                              create(object, std::move(saved));
                            }));
              }));
}

Result<std::unique_ptr<FolderSecretStore>> FolderSecretStore::open(env::Disk& disk, env::Loop& loop,
                                                                   std::string folder) {
  RETURN_IF_ERROR(disk.create_directory(folder));
  auto lock = disk.lock(folder + "/.lock");
  if (!lock.ok()) {
    return failure(lock.error().code,
                   folder + " is in use by another agent: " + lock.error().message);
  }
  return std::unique_ptr<FolderSecretStore>(
      new FolderSecretStore(disk, loop, std::move(folder), *std::move(lock)));
}

Result<HubSecret> FolderSecretStore::read() const {
  HubSecret secret;
  for (const char* name : kFiles) {
    auto bytes = env::read_file(disk_, folder_ + "/" + name, kFileMax);
    if (bytes.ok()) {
      secret[name] = *std::move(bytes);
    } else if (bytes.error().code != Code::NotFound) {
      return failure(bytes.error());
    }
  }
  return secret;
}

Status FolderSecretStore::write(const HubSecret& secret) {
  for (const char* name : kFiles) {
    const auto wanted = secret.find(name);
    const auto is = stored_.find(name);
    const bool is_same =
        wanted != secret.end() && is != stored_.end() && is->second == wanted->second;
    if (wanted == secret.end() || is_same) continue;
    RETURN_IF_ERROR(env::replace_file(disk_, folder_ + "/" + name, wanted->second, 0600));
  }
  for (const char* name : kFiles) {
    if (secret.contains(name) || !stored_.contains(name)) continue;
    RETURN_IF_ERROR(disk_.remove(folder_ + "/" + name));
  }
  return disk_.sync_directory(folder_);
}

void FolderSecretStore::load(Loaded loaded) {
  loop_.post(scope_.guard([this, loaded = std::move(loaded)]() mutable {
    auto secret = read();
    if (secret.ok()) stored_ = *secret;
    loaded(std::move(secret));
  }));
}

void FolderSecretStore::save(HubSecret secret, Saved saved) {
  loop_.post(scope_.guard([this, secret = std::move(secret), saved = std::move(saved)]() mutable {
    Status status = write(secret);
    if (status.ok()) stored_ = std::move(secret);
    saved(status);
  }));
}

}  // namespace berth::fleet
