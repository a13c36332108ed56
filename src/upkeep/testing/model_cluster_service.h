// A hub for simulated worlds as far as upkeep sees it: discovery that changes, namespaces that
// terminate, finalizers, deletions with preconditions and cascades. The memory outlives the server,
// like a disk.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/discovery.h"
#include "client/options.h"
#include "client/testing/model_server_service.h"
#include "json/value.h"

namespace berth::upkeep::testing {

class ModelCluster {
 public:
  // Serves what upkeep knows by name, and ConfigMaps.
  ModelCluster();

  // Runs a server over this memory on that loop; the cluster outlives it.
  std::unique_ptr<client::testing::ModelServer> serve(
      const env::Env& env, std::function<int()> trouble = [] { return 0; });

  // Serves one resource more with all verbs, or no longer.
  void define(const client::Gvr& resource, std::string kind, bool namespaced);
  void undefine(const client::Gvr& resource);

  // Creates or replaces, as an administrator would, the status included.
  void put(const client::Gvr& resource, json::Value object);
  void apply(const client::Gvr& resource, std::string_view text);

  // As a client asks for it; and without asking anybody.
  void remove(const client::Gvr& resource, const std::string& key,
              const client::DeleteOptions& options = {});
  void erase(const client::Gvr& resource, const std::string& key);

  const json::Value* find(const client::Gvr& resource, const std::string& key) const;
  std::string uid(const client::Gvr& resource, const std::string& key) const;
  std::vector<std::string> keys(const client::Gvr& resource) const;

  // {"apiVersion":..,"kind":..,"name":..,"uid":..} of an object that is there.
  json::Value reference_to(const client::Gvr& resource, const std::string& key) const;

  // "pods/ns/name" of everything that is gone for good, in order.
  const std::vector<std::string>& gone() const { return gone_; }
  std::uint64_t writes() const { return writes_; }

  // Told of each write before it is answered: "DELETE pods/ns/name".
  std::function<void(const std::string&)> on_write = [](const std::string&) {};

  // Told of each object whose deletion a client asked for and got, as it was before.
  std::function<void(const client::Gvr&, const json::Value&)> on_removal =
      [](const client::Gvr&, const json::Value&) {};

  // A mistake that a checker has to notice: it deletes without looking at what was asked.
  void ignore_preconditions() { ignores_preconditions_ = true; }

 private:
  struct Target {
    const client::ResourceInfo* info = nullptr;  // Null: not served.
    std::string collection = {};
    std::string ns = {};
    std::string name = {};
    std::string subresource = {};

    std::string key() const { return ns.empty() ? name : ns + "/" + name; }
  };
  using Answer = client::testing::ModelAnswer;
  using Request = client::testing::ModelRequest;

  Target target_of(std::string_view path) const;
  std::optional<Answer> answer(const Request& request);
  std::optional<client::testing::ModelServerOptions::Page> page(const std::string& path) const;
  Answer list(const Target& target) const;
  Answer write(const Target& target, const Request& request);
  Answer create(const Target& target, json::Value object);
  Answer change(const Target& target, const json::Value& body, http::Method method);
  Answer remove(const Target& target, const json::Value& options);
  Answer remove_all(const Target& target, const json::Value& options);
  Answer mark_removed(const Target& target, const json::Value& options);

  // Stores the object, or lets it go if it is deleted and nothing holds it.
  void settle(const Target& target, json::Value object);
  client::testing::ModelStore& store(const std::string& collection);

  std::map<client::Gvr, client::ResourceInfo> served_;
  std::map<std::string, client::testing::ModelStore> stores_;  // By the path of the collection.
  client::testing::ModelStore unused_;
  std::vector<std::string> gone_;
  std::uint64_t writes_ = 0;
  bool ignores_preconditions_ = false;
};

}  // namespace berth::upkeep::testing
