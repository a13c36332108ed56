// What happens to ManifestWorks in the tests of their agents, step by step, and what both servers
// show after each: the same script runs with any agent.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "kube/blocking_api.h"

namespace berth::kube {

class WorkScript {
 public:
  WorkScript(BlockingApi& hub, BlockingApi& cluster, std::string cluster_name)
      : hub_(hub), cluster_(cluster), ns_(std::move(cluster_name)) {}

  // Creates the namespaces, on the hub and on the cluster, that everything below lives in.
  void set_up();

  // Creates or replaces the work with that spec, in YAML.
  void put_work(const std::string& name, const std::string& spec);
  void delete_work(const std::string& name);

  // Of the cluster; YAML.
  void create(const std::string& yaml);
  void patch(const client::ResourcePath& path, const std::string& yaml);

  client::ResourcePath work_path(const std::string& name) const;
  static client::ResourcePath config_map(const std::string& name);
  static client::ResourcePath deployment(const std::string& name);

  json::Value work(const std::string& name);             // Null when it is gone.
  json::Value record(const std::string& name);           // The AppliedManifestWork of that work.
  json::Value object(const client::ResourcePath& path);  // Of the cluster.

  // "True AppliedManifestWorkComplete Apply manifest work complete", if of this generation.
  std::string condition(const std::string& work, std::string_view type);
  std::string manifest_condition(const std::string& work, std::size_t index, std::string_view type);
  // "ReadyReplicas=2 Replicas=3"
  std::string feedback(const std::string& work, std::size_t index);
  // "configmaps/shared, widgets.example.com/w": what the record lists, if their uids are right.
  std::string recorded(const std::string& work);
  // The names of the works that own the object, sorted.
  std::string owners(const client::ResourcePath& path);

  // Waits until the work says so of its current generation. False if it takes too long.
  bool becomes(const std::string& work, std::string_view type, std::string_view status);
  bool is_gone(const std::string& work);

  // All that the work says, without times and versions: what two agents can be compared by.
  std::string transcript(const std::string& work);

 private:
  BlockingApi& hub_;
  BlockingApi& cluster_;
  std::string ns_;
};

}  // namespace berth::kube
