// A whole hub for simulated worlds: every resource that is asked for, with versions, conflicts,
// status subresources, lists and watches. The memory outlives the server, like a disk. Whoever
// lists or watches one namespace gets all of them: put objects into one only.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "client/client_config.h"
#include "client/resource.h"
#include "client/testing/model_server_service.h"
#include "json/value.h"

namespace berth::control::testing {

class ModelHub {
 public:
  struct ServeOptions {
    std::function<int()> trouble = [] { return 0; };
    client::testing::ServerBug bug = client::testing::ServerBug::None;

    // Asked first; nullopt: the hub answers as it always does.
    std::function<std::optional<client::testing::ModelAnswer>(const client::testing::ModelRequest&)>
        first = nullptr;

    // Paths outside of /api and /apis.
    std::function<std::optional<client::testing::ModelServerOptions::Page>(const std::string&)>
        page = {};
  };

  // Runs a server over this memory on that loop; the hub outlives it.
  std::unique_ptr<client::testing::ModelServer> serve(const env::Env& env, ServeOptions options);
  std::unique_ptr<client::testing::ModelServer> serve(const env::Env& env) {
    return serve(env, ServeOptions());
  }

  client::testing::ModelStore& store(const client::Gvr& resource);

  // Creates or replaces, as an administrator would; the status included. The generation counts
  // changes of the spec.
  void put(const client::Gvr& resource, json::Value object);
  void erase(const client::Gvr& resource, const std::string& key);  // "name" or "namespace/name".

  const json::Value* find(const client::Gvr& resource, const std::string& key);

  // What a client wrote: "PATCH placements/ns/p/status", and what came of it.
  struct Written {
    std::string what;
    int status = 0;
    bool changed = false;  // Accepted, and the object is another one now.
  };
  std::function<void(const Written&)> on_write = [](const Written&) {};

  // If set, who changed an object last is noted in its managedFields, with this time.
  std::function<Time()> calendar = nullptr;

 private:
  struct Target {
    std::string collection = {};  // The path of the resource in all namespaces.
    std::string key = {};         // Empty: the collection itself.
    std::string ns = {};
    bool is_status = false;
  };

  static Target target_of(std::string_view path);
  client::testing::ModelAnswer answer(const client::testing::ModelRequest& request);
  client::testing::ModelAnswer write(const Target& target,
                                     const client::testing::ModelRequest& request);
  client::testing::ModelAnswer create(const Target& target, json::Value object);
  client::testing::ModelAnswer change(const Target& target, const json::Value& body,
                                      const client::testing::ModelRequest& request);
  void note_writer(json::Value& object, const client::testing::ModelRequest& request) const;
  client::testing::ModelAnswer remove(const Target& target, const json::Value& options);

  std::map<std::string, client::testing::ModelStore> stores_;  // By the path of the collection.
  client::testing::ModelStore unused_;
};

}  // namespace berth::control::testing
