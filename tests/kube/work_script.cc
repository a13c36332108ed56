#include "kube/work_script.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/strings.h"
#include "client/errors.h"
#include "json/print.h"
#include "json/yaml_read.h"
#include "kube/objects.h"
#include "kube/waiting.h"

namespace berth::kube {

using api::field;
using api::text_field;
using json::Value;

namespace {

const client::Gvr kWorks{"work.open-cluster-management.io", "v1", "manifestworks"};
const client::Gvr kRecords{"work.open-cluster-management.io", "v1", "appliedmanifestworks"};

Value read(const std::string& yaml) { return json::read_yaml(yaml).value().at(0); }

std::string text_of(const Value& condition) {
  return text_field(condition, "status") + " " + text_field(condition, "reason") + " " +
         text_field(condition, "message");
}

void expect_ok(const Result<Value>& answer, const std::string& what) {
  EXPECT_TRUE(answer.ok()) << answer.error().message << "\n" << what;
}

}  // namespace

void WorkScript::set_up() {
  for (BlockingApi* api : {&hub_, &cluster_}) {
    const std::string name = api == &hub_ ? ns_ : "app";
    const auto made =
        api->create({.resource = {"", "v1", "namespaces"}},
                    read("{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}"));
    if (!made.ok()) EXPECT_TRUE(client::is_already_exists(made.error())) << made.error().message;
  }
}

client::ResourcePath WorkScript::work_path(const std::string& name) const {
  return {.resource = kWorks, .ns = ns_, .name = name};
}

client::ResourcePath WorkScript::config_map(const std::string& name) {
  return {.resource = {"", "v1", "configmaps"}, .ns = "app", .name = name};
}

client::ResourcePath WorkScript::deployment(const std::string& name) {
  return {.resource = {"apps", "v1", "deployments"}, .ns = "app", .name = name};
}

void WorkScript::put_work(const std::string& name, const std::string& spec) {
  Value object = read("{apiVersion: work.open-cluster-management.io/v1, kind: ManifestWork}");
  object["metadata"] = Value::object({{"name", name}, {"namespace", ns_}});
  object["spec"] = read(spec);
  client::ResourcePath collection = work_path(name);
  collection.name.clear();
  const auto made = hub_.create(collection, object);
  if (made.ok()) return;
  ASSERT_TRUE(client::is_already_exists(made.error())) << made.error().message;
  // The agent writes too: what it was faster with is read again.
  EXPECT_TRUE(wait_until([&] {
    Value there = work(name);
    there["spec"] = object["spec"];
    const auto written = hub_.update(work_path(name), there);
    if (!written.ok()) EXPECT_TRUE(client::is_conflict(written.error())) << written.error().message;
    return written.ok();
  }));
}

void WorkScript::delete_work(const std::string& name) {
  expect_ok(hub_.remove(work_path(name)), name);
}

void WorkScript::create(const std::string& yaml) {
  const Value object = read(yaml);
  expect_ok(cluster_.create(collection_of(object), object), yaml);
}

void WorkScript::patch(const client::ResourcePath& path, const std::string& yaml) {
  expect_ok(cluster_.patch(path, read(yaml), {}), yaml);
}

Value WorkScript::work(const std::string& name) {
  auto found = hub_.get(work_path(name));
  return found.ok() ? *std::move(found) : Value();
}

Value WorkScript::record(const std::string& name) {
  const auto all = cluster_.list_all({.resource = kRecords});
  for (const Value& record : all.ok() ? all->items : std::vector<Value>()) {
    if (text_field(field(record, "spec"), "manifestWorkName") == name) return record;
  }
  return {};
}

Value WorkScript::object(const client::ResourcePath& path) {
  auto found = cluster_.get(path);
  return found.ok() ? *std::move(found) : Value();
}

std::string WorkScript::condition(const std::string& name, std::string_view type) {
  const Value object = work(name);
  const Value* found = api::find_condition(field(field(object, "status"), "conditions"), type);
  if (!found) return "none";
  const std::int64_t seen = api::integer_field(*found, "observedGeneration").value_or(0);
  return seen == api::Metadata(object).generation() ? text_of(*found) : "old";
}

std::string WorkScript::manifest_condition(const std::string& name, std::size_t index,
                                           std::string_view type) {
  const Value object = work(name);
  const auto manifests =
      api::elements_field(field(field(object, "status"), "resourceStatus"), "manifests");
  if (index >= manifests.size()) return "none";
  const Value* found = api::find_condition(field(manifests[index], "conditions"), type);
  return found ? text_of(*found) : "none";
}

std::string WorkScript::feedback(const std::string& name, std::size_t index) {
  const Value object = work(name);
  const auto manifests =
      api::elements_field(field(field(object, "status"), "resourceStatus"), "manifests");
  if (index >= manifests.size()) return "none";
  std::vector<std::string> values;
  for (const Value& value :
       api::elements_field(field(manifests[index], "statusFeedback"), "values")) {
    const Value& content = field(value, "fieldValue");
    const std::string type = lower_ascii(text_field(content, "type"));
    values.push_back(text_field(value, "name") + "=" + json::print(field(content, type)));
  }
  return join(values, " ");
}

std::string WorkScript::recorded(const std::string& name) {
  std::vector<std::string> resources;
  const Value there = record(name);
  for (const Value& entry : api::elements_field(field(there, "status"), "appliedResources")) {
    if (api::text_field(entry, "uid").empty()) continue;  // Only intended; OCM notes no intents.
    const client::Gvr gvr{text_field(entry, "group"), text_field(entry, "version"),
                          text_field(entry, "resource")};
    const Value live = object(
        {.resource = gvr, .ns = text_field(entry, "namespace"), .name = text_field(entry, "name")});
    const bool is_right = api::Metadata(live).uid() == text_field(entry, "uid");
    resources.push_back(gvr.text() + "/" + text_field(entry, "name") + (is_right ? "" : "?"));
  }
  return join(resources, ", ");
}

std::string WorkScript::owners(const client::ResourcePath& path) {
  std::vector<std::string> names;
  const Value live = object(path);
  for (const api::OwnerReference& owner : api::Metadata(live).owner_references()) {
    const Value record = object({.resource = kRecords, .name = owner.name});
    const bool is_right = api::Metadata(record).uid() == owner.uid;
    names.push_back(text_field(field(record, "spec"), "manifestWorkName") + (is_right ? "" : "?"));
  }
  std::ranges::sort(names);
  return join(names, ",");
}

bool WorkScript::becomes(const std::string& name, std::string_view type, std::string_view status) {
  return wait_until([&] { return condition(name, type).starts_with(status); });
}

bool WorkScript::is_gone(const std::string& name) {
  return wait_until([&] { return work(name).is_null() && record(name).is_null(); });
}

namespace {

std::string condition_lines(const Value& conditions, std::int64_t generation,
                            std::string_view indent) {
  std::vector<std::string> lines;
  for (const Value& one : conditions.elements()) {
    const auto seen = api::integer_field(one, "observedGeneration");
    lines.push_back(fmt::format("{}{}{}: {}\n", indent, text_field(one, "type"),
                                !seen                 ? ""
                                : *seen == generation ? " (current)"
                                                      : " (old)",
                                text_of(one)));
  }
  std::ranges::sort(lines);
  return join(lines, "");
}

}  // namespace

std::string WorkScript::transcript(const std::string& name) {
  const Value object = work(name);
  if (object.is_null()) return "gone\n";
  const api::Metadata metadata(object);
  const Value& status = field(object, "status");
  std::vector<std::string> finalizers;
  for (const std::string_view finalizer : metadata.finalizers()) {
    finalizers.emplace_back(finalizer);
  }
  std::string text = "finalizers: " + join(finalizers, ",") + "\n";
  text += condition_lines(field(status, "conditions"), metadata.generation(), "");
  std::size_t index = 0;
  for (const Value& manifest : api::elements_field(field(status, "resourceStatus"), "manifests")) {
    text += json::print(field(manifest, "resourceMeta")) + "\n";
    text += condition_lines(field(manifest, "conditions"), metadata.generation(), "  ");
    text += "  feedback: " + feedback(name, index++) + "\n";
  }
  const Value there = record(name);
  std::vector<std::string> held;
  for (const std::string_view finalizer : api::Metadata(there).finalizers()) {
    held.emplace_back(finalizer);
  }
  text += "record: " + json::print(field(there, "spec")) + " " + join(held, ",") + "\n";
  return text + "  " + recorded(name) + "\n";
}

}  // namespace berth::kube
