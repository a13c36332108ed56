// Tested by suites/delivering_test.cc.
#include "suites/delivering_outcome.h"

#include <string_view>
#include <utility>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "fleet/registration/resources.h"
#include "fleet/work/names.h"
#include "fleet/work/resource_meta.h"
#include "json/print.h"
#include "upkeep/resources.h"

namespace berth::suites {
namespace {

using api::field;
using api::text_field;
using json::Value;

Status missing(std::string what) { return failure(Code::Timeout, std::move(what)); }

// The record lists what is wanted, and nothing else; all of it is there, as it should be.
Status is_recorded(const std::string& work, const std::set<std::string>& wanted,
                   const ModelCluster& cluster) {
  std::set<std::string> listed;
  for (const std::string& key : cluster.keys(fleet::applied_manifest_works())) {
    const Value& record = *cluster.find(fleet::applied_manifest_works(), key);
    if (text_field(field(record, "spec"), "manifestWorkName") != work) continue;
    for (const fleet::AppliedResource& one : fleet::read_applied_resources(record)) {
      const bool is_thing = one.resource == "things";
      listed.insert((is_thing ? "Thing/" : "ConfigMap/") + one.name);
      if (cluster.uid(one.gvr(), "app/" + one.name) != one.uid) {
        return missing(one.name + " is recorded with another uid");
      }
    }
  }
  if (listed != wanted) return missing("the record of " + work + " is not right");
  for (const std::string& called : wanted) {
    const std::string kind = called.substr(0, called.find('/'));
    const std::string name = called.substr(called.find('/') + 1);
    const Value* object = cluster.find(resource_of(kind), "app/" + name);
    if (!object || text_field(field(*object, "data"), "content") != name) {
      return missing(called + " is not as it should be");
    }
  }
  return {};
}

}  // namespace

const client::Gvr& things() {
  static const client::Gvr gvr{"example.com", "v1", "things"};
  return gvr;
}

client::Gvr resource_of(const std::string& kind) {
  return kind == "Thing" ? things() : upkeep::config_maps();
}

std::set<std::string> wanted_by(const Value& work) {
  std::set<std::string> names;
  for (const Value& manifest :
       api::elements_field(field(field(work, "spec"), "workload"), "manifests")) {
    names.insert(text_field(manifest, "kind") + "/" + std::string(api::Metadata(manifest).name()));
  }
  return names;
}

std::set<std::string> wanted_on(const ModelCluster& hub) {
  std::set<std::string> names;
  for (const std::string& key : hub.keys(fleet::manifest_works())) {
    const Value& work = *hub.find(fleet::manifest_works(), key);
    if (!api::Metadata(work).is_being_deleted()) names.merge(wanted_by(work));
  }
  return names;
}

Status is_delivered(const Value& work, const ModelCluster& cluster) {
  const api::Metadata metadata(work);
  const std::string name(metadata.name());
  if (metadata.is_being_deleted()) return missing("work " + name + " should be gone");
  if (!metadata.has_finalizer(fleet::kManifestWorkFinalizer)) {
    return missing("work " + name + " has no finalizer");
  }
  for (const std::string_view type : {"Applied", "Available"}) {
    const Value* condition = api::find_condition(field(field(work, "status"), "conditions"), type);
    if (!condition || text_field(*condition, "status") != "True" ||
        api::integer_field(*condition, "observedGeneration") != metadata.generation()) {
      return missing("work " + name + " is not " + std::string(type));
    }
  }
  return is_recorded(name, wanted_by(work), cluster);
}

Status nothing_is_left(const ModelCluster& hub, const ModelCluster& cluster,
                       const std::set<std::string>& adopted) {
  const std::set<std::string> all = wanted_on(hub);
  for (const std::string kind : {"ConfigMap", "Thing"}) {
    for (const std::string& key : cluster.keys(resource_of(kind))) {
      const std::string name = key.substr(key.find('/') + 1);
      const bool may_stay = !name.starts_with("o") || adopted.contains(kind + "/" + name) ||
                            all.contains(kind + "/" + name);
      if (!may_stay) {
        return missing(kind + "/" + name +
                       " should be gone: " + json::print(*cluster.find(resource_of(kind), key)));
      }
    }
  }
  return {};
}

}  // namespace berth::suites
