// Tested by control/committer_service_test.cc.

#include "control/testing/object_server_service.h"

#include <utility>

#include "base/error.h"
#include "http/message.h"
#include "json/merge_patch.h"
#include "json/parse.h"
#include "json/text_of.h"

namespace berth::control::testing {
namespace {

using client::testing::ModelAnswer;
using client::testing::ModelRequest;
using client::testing::ModelServer;
using client::testing::ModelServerOptions;
using json::Value;

ModelAnswer refusal(Code code) {
  return {.status = http_status(code),
          .document = Value::object({{"kind", "Status"},
                                     {"apiVersion", "v1"},
                                     {"status", "Failure"},
                                     {"reason", reason(code)},
                                     {"message", reason(code)},
                                     {"code", http_status(code)}})};
}

// A client with whatever a test runs on it.
struct Program {
  Program(env::Env& env, std::string_view scheme)
      : api(env, client::testing::model_config(scheme), {.rate = {.per_second = 0}}) {}

  client::Api api;
  std::shared_ptr<void> content = nullptr;
};

}  // namespace

ObjectServer::ObjectServer(std::string_view scheme) : scheme_(scheme), world_(sim::WorldOptions{}) {
  world_.add_node("server").start([this](std::span<env::Env> loops) {
    return std::make_shared<ModelServer>(
        loops[0], unused_,
        ModelServerOptions{
            .tls = client::testing::model_tls(scheme_),
            .answer = [this](const ModelRequest& request) { return answer(request); },
            .trouble = [this] { return trouble_; }});
  });
}

void ObjectServer::start_client(
    const std::string& name, std::function<std::shared_ptr<void>(env::Env&, client::Api&)> make) {
  world_.add_node(name).start([this, make = std::move(make)](std::span<env::Env> loops) {
    auto program = std::make_shared<Program>(loops[0], scheme_);
    program->content = make(loops[0], program->api);
    return program;
  });
}

ModelAnswer ObjectServer::answer(const ModelRequest& request) {
  log_.push_back(std::string(http::method_name(request.method)) + " " + request.path);
  Value body;
  if (!request.body.empty()) body = json::parse(request.body).value();
  if (request.method == http::Method::Post) return create(request, std::move(body));
  const auto found = objects_.find(request.path);
  if (request.method == http::Method::Patch || request.method == http::Method::Put) {
    return change(request, std::move(body));
  }
  if (found == objects_.end()) return refusal(Code::NotFound);
  const Value object = found->second;
  if (request.method == http::Method::Delete) objects_.erase(found);
  return {.document = object};
}

ModelAnswer ObjectServer::create(const ModelRequest& request, Value object) {
  const std::string name(object.find_path({"metadata", "name"})->string_or_empty());
  const std::string path = request.path + "/" + name;
  if (objects_.contains(path)) return refusal(Code::AlreadyExists);
  object.erase("status");
  object["metadata"]["uid"] = "uid-of-" + name;
  object["metadata"]["resourceVersion"] = std::to_string(++version_);
  objects_[path] = object;
  return {.status = 201, .document = std::move(object)};
}

// A PUT is the whole object, a PATCH a merge patch; both carry the version they were decided on.
ModelAnswer ObjectServer::change(const ModelRequest& request, Value change) {
  std::string path = request.path;
  if (path.ends_with("/status")) path.resize(path.size() - std::string_view("/status").size());
  const auto found = objects_.find(path);
  if (found == objects_.end()) return refusal(Code::NotFound);
  Value& object = found->second;
  const std::string_view version = text_at(change, {"metadata", "resourceVersion"});
  if (!version.empty() && version != text_at(object, {"metadata", "resourceVersion"}))
    return refusal(Code::Conflict);
  if (request.method == http::Method::Put) {
    object = std::move(change);
  } else {
    object = json::apply_merge_patch(std::move(object), change);
  }
  object["metadata"]["resourceVersion"] = std::to_string(++version_);
  return {.document = object};
}

}  // namespace berth::control::testing
