#include "apiserver/guards/manifest_work.h"

#include <set>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using api::field;
using api::text_field;

constexpr std::size_t kSizeMax = std::size_t{500} * 1024;

const json::Value& executor_of(const json::Value& work) {
  return field(field(work, "spec"), "executor");
}

Attempt<void> check_manifests(const json::Value& work) {
  const auto manifests = api::elements_field(field(field(work, "spec"), "workload"), "manifests");
  if (manifests.empty()) return refuse(Code::BadRequest, "manifests should not be empty");
  std::size_t size = 0;
  for (const json::Value& manifest : manifests) size += json::print(manifest).size();
  if (size > kSizeMax) {
    return refuse(Code::BadRequest,
                  fmt::format("the size of manifests is {} bytes which exceeds the {} limit", size,
                              kSizeMax));
  }
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  for (const json::Value& manifest : manifests) {
    const api::Metadata metadata(manifest);
    if (metadata.name().empty()) return refuse(Code::BadRequest, "name must be set in manifest");
    if (!metadata.generate_name().empty()) {
      return refuse(Code::BadRequest, "generateName must not be set in manifest");
    }
    const std::string version = text_field(manifest, "apiVersion");
    const std::string kind = text_field(manifest, "kind");
    const std::string ns(metadata.namespace_name());
    const std::string name(metadata.name());
    if (!seen.emplace(version, kind, ns, name).second) {
      return refuse(Code::BadRequest,
                    fmt::format("duplicate manifest for resource {}/{} with resource type {}.{}",
                                ns, name, version, kind));
    }
  }
  return {};
}

Attempt<void> check_executor(const GuardedWrite& write, const json::Value& work) {
  const json::Value& executor = executor_of(work);
  if (!executor.is_object()) return {};
  if (write.before != nullptr && executor_of(*write.before) == executor) return {};
  const json::Value& subject = field(executor, "subject");
  const json::Value& account = field(subject, "serviceAccount");
  if (text_field(subject, "type") == "ServiceAccount" && !account.is_object()) {
    return refuse(Code::BadRequest, "executor service account can not be nil");
  }
  const std::string account_ns = text_field(account, "namespace");
  const std::string account_name = text_field(account, "name");
  const std::string ns(api::Metadata(work).namespace_name());
  const bool allowed = write.authorizer(
      write.user, {.verb = "execute-as",
                   .group = std::string(kWorkGroup),
                   .resource = "manifestworks",
                   .ns = ns,
                   .name = fmt::format("system:serviceaccount:{}:{}", account_ns, account_name)});
  if (allowed) return {};
  return refuse(Code::BadRequest,
                fmt::format("user {} cannot manipulate the Manifestwork with executor {}/{} in "
                            "namespace {}",
                            write.user.name, account_ns, account_name, ns));
}

}  // namespace

Attempt<json::Value> guard_manifest_work(const GuardedWrite& write, json::Value after) {
  RETURN_IF_ERROR(check_manifests(after));
  RETURN_IF_ERROR(check_executor(write, after));
  return after;
}

}  // namespace berth::apiserver
