#include "views/description.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/kinds/fields.h"
#include "base/rfc3339.h"
#include "base/strings.h"

namespace berth::views {
namespace {

using json::Value;

constexpr std::string_view kSetLabel = "cluster.open-cluster-management.io/clusterset";
constexpr std::string_view kPlacementLabel = "cluster.open-cluster-management.io/placement";
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::string_view kNone = "<none>";
constexpr std::size_t kWidth = 20;  // Of the names of fields.

const Value& spec_of(const Value& object) { return api::field(object, "spec"); }
const Value& status_of(const Value& object) { return api::field(object, "status"); }

// "Name:      value" lines, and tables below a heading.
class Text {
 public:
  void field(std::string_view name, std::string_view value) {
    text_ +=
        fmt::format("{:<{}}{}\n", fmt::format("{}:", name), kWidth, value.empty() ? kNone : value);
  }

  void list(std::string_view name, const std::vector<std::string>& values) {
    if (values.empty()) return field(name, "");
    for (const std::string& value : values) {
      text_ += fmt::format("{:<{}}{}\n", &value == &values.front() ? fmt::format("{}:", name) : "",
                           kWidth, value);
    }
  }

  void table(std::string_view name, const Row& columns, std::span<const Row> rows) {
    if (rows.empty()) return field(name, "");
    text_ += fmt::format("{}:\n", name);
    const std::string table = table_text(columns, rows);
    for (const std::string_view line : split(std::string_view(table), '\n')) {
      if (!line.empty()) text_ += fmt::format("  {}\n", line);
    }
  }

  void line(std::string_view words) { text_ += fmt::format("{}\n", words); }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::vector<std::string> pairs(const std::vector<api::Label>& labels) {
  std::vector<std::string> texts;
  for (const api::Label& label : labels) {
    if (label.key != kLastApplied) texts.push_back(fmt::format("{}={}", label.key, label.value));
  }
  return texts;
}

std::string age(const Value& object, std::string_view field, Time now) {
  const auto time = api::time_field(object, field);
  return time ? age_text(now - *time) : "";
}

std::vector<std::string> chosen_by(const Value& decision) {
  std::vector<std::string> clusters;
  for (const Value& one : api::elements_field(status_of(decision), "decisions")) {
    clusters.push_back(api::text_field(one, "clusterName"));
  }
  return clusters;
}

std::vector<Row> rows_of_scores(const Value& score, Time now) {
  static const HubView& view = *find_view("scores");
  std::vector<Row> rows = view.rows(score, {.now = now});
  for (Row& row : rows) row.resize(view.columns.size());
  return rows;
}

void describe_cluster(Text& text, const Value& cluster, const Company& company) {
  const std::string name = api::read_facts(cluster).name;
  const bool accepted = api::field(spec_of(cluster), "hubAcceptsClient").as_bool().value_or(false);
  text.field("Accepted", accepted ? "true" : fmt::format("false (berth accept {})", name));
  text.field("Cluster set", api::read_facts(cluster).label(kSetLabel));
  text.field("Kubernetes",
             api::text_field(api::field(status_of(cluster), "version"), "kubernetes"));
  std::vector<Row> resources;
  for (const api::Label& one : api::labels_field(status_of(cluster), "capacity")) {
    resources.push_back({one.key, one.value,
                         api::text_field(api::field(status_of(cluster), "allocatable"), one.key)});
  }
  text.table("Resources", {"RESOURCE", "CAPACITY", "ALLOCATABLE"}, resources);
  std::vector<Row> taints;
  for (const Value& taint : api::elements_field(spec_of(cluster), "taints")) {
    taints.push_back({api::text_field(taint, "key"), api::text_field(taint, "value"),
                      api::text_field(taint, "effect"), age(taint, "timeAdded", company.now)});
  }
  text.table("Taints", {"KEY", "VALUE", "EFFECT", "AGE"}, taints);
  std::vector<Row> claims;
  for (const Value& claim : api::elements_field(status_of(cluster), "clusterClaims")) {
    claims.push_back({api::text_field(claim, "name"), api::text_field(claim, "value")});
  }
  text.table("Claims", {"NAME", "VALUE"}, claims);
  std::vector<Row> scores;
  for (const Value& score : company.scores) {
    if (api::read_facts(score).object_namespace != name) continue;
    for (Row& row : rows_of_scores(score, company.now)) scores.push_back(std::move(row));
  }
  text.table("Scores", find_view("scores")->columns, scores);
  std::vector<std::string> placements;
  for (const Value& decision : company.decisions) {
    const std::vector<std::string> chosen = chosen_by(decision);
    if (std::ranges::find(chosen, name) == chosen.end()) continue;
    const api::ObjectFacts facts = api::read_facts(decision);
    placements.push_back(
        fmt::format("{}/{}", facts.object_namespace, facts.label(kPlacementLabel)));
  }
  text.list("Chosen by", placements);
}

void describe_set(Text& text, const Value& set, const Company& company) {
  const std::string name = api::read_facts(set).name;
  std::vector<std::string> bound;
  for (const Value& binding : company.bindings) {
    if (api::text_field(spec_of(binding), "clusterSet") == name) {
      bound.push_back(api::read_facts(binding).object_namespace);
    }
  }
  text.list("Bound namespaces", bound);
  const Value& selector = api::field(spec_of(set), "clusterSelector");
  const std::string type = api::text_field(selector, "selectorType");
  text.field("Selects by", type.empty() ? "ExclusiveClusterSetLabel" : type);
  if (type == "LabelSelector") return;
  std::vector<std::string> clusters;
  for (const Value& cluster : company.clusters) {
    const api::ObjectFacts facts = api::read_facts(cluster);
    if (facts.label(kSetLabel) == name) clusters.push_back(facts.name);
  }
  text.list("Clusters", clusters);
}

void describe_placement(Text& text, const Value& placement, const Company& company) {
  const api::ObjectFacts facts = api::read_facts(placement);
  const std::vector<std::string> sets = api::texts_field(spec_of(placement), "clusterSets");
  text.field("Cluster sets",
             sets.empty() ? "all that the namespace is bound to" : join(sets, ", "));
  const auto wanted = api::integer_field(spec_of(placement), "numberOfClusters");
  text.field("Wanted", wanted ? std::to_string(*wanted) : "all");
  std::vector<std::string> chosen;
  for (const Value& decision : company.decisions) {
    const api::ObjectFacts its = api::read_facts(decision);
    if (its.object_namespace != facts.object_namespace) continue;
    if (its.label(kPlacementLabel) != facts.name) continue;
    for (std::string& cluster : chosen_by(decision)) chosen.push_back(std::move(cluster));
  }
  text.list("Chosen", chosen);
}

void describe_decision(Text& text, const Value& decision, const Company& /*company*/) {
  text.field("Placement", api::read_facts(decision).label(kPlacementLabel));
  text.list("Clusters", chosen_by(decision));
}

void describe_score(Text& text, const Value& score, const Company& company) {
  std::vector<Row> rows;
  for (const Row& row : rows_of_scores(score, company.now)) {
    if (!row[1].empty()) rows.push_back({row[1], row[2]});
  }
  text.table("Scores", {"NAME", "VALUE"}, rows);
  const auto until = api::time_field(status_of(score), "validUntil");
  std::string valid = "always";
  if (until) {
    valid = *until > company.now ? fmt::format("for {}", age_text(*until - company.now))
                                 : fmt::format("ended {} ago", age_text(company.now - *until));
  }
  text.field("Valid", valid);
}

void describe_conditions(Text& text, const Value& object, Time now) {
  std::vector<Row> rows;
  for (const Value& one : api::elements_field(status_of(object), "conditions")) {
    rows.push_back({api::text_field(one, "type"), api::text_field(one, "status"),
                    api::text_field(one, "reason"), age(one, "lastTransitionTime", now),
                    api::text_field(one, "message")});
  }
  if (!rows.empty()) {
    text.table("Conditions", {"TYPE", "STATUS", "REASON", "SINCE", "MESSAGE"}, rows);
  }
}

// Old and new recorders keep the time in different places.
std::string time_of(const Value& event) {
  for (const std::string_view name : {"lastTimestamp", "eventTime", "firstTimestamp"}) {
    if (std::string text = api::text_field(event, name); !text.empty()) return text;
  }
  return "";
}

// The newest last.
void describe_events(Text& text, const Value& object, const Company& company) {
  const std::string uid = api::read_facts(object).uid;
  std::multimap<std::string, Row> by_time;
  for (const Value& event : company.events) {
    const Value& about = api::field(event, "involvedObject");
    if (uid.empty() || api::text_field(about, "uid") != uid) continue;
    const std::string time = time_of(event);
    const auto when = parse_rfc3339(time);
    by_time.emplace(time, Row{api::text_field(event, "type"), api::text_field(event, "reason"),
                              when.ok() ? age_text(company.now - *when) : "",
                              api::text_field(event, "message")});
  }
  std::vector<Row> rows;
  for (auto& [time, row] : by_time) rows.push_back(std::move(row));
  text.table("Events", {"TYPE", "REASON", "AGE", "MESSAGE"}, rows);
}

struct Describer {
  std::string_view view;
  void (*describe)(Text&, const Value&, const Company&);
};

constexpr Describer kDescribers[] = {{"clusters", describe_cluster},
                                     {"clustersets", describe_set},
                                     {"placements", describe_placement},
                                     {"decisions", describe_decision},
                                     {"scores", describe_score}};

}  // namespace

std::string description_text(const HubView& view, const Value& object, const Company& company) {
  const api::ObjectFacts facts = api::read_facts(object);
  Text text;
  text.field("Name", facts.name);
  if (view.is_namespaced) text.field("Namespace", facts.object_namespace);
  text.list("Labels", pairs(facts.labels));
  text.list("Annotations", pairs(facts.annotations));
  text.field("Age", age(api::field(object, "metadata"), "creationTimestamp", company.now));
  if (facts.is_deleting) {
    text.field("Deleted", age(api::field(object, "metadata"), "deletionTimestamp", company.now) +
                              " ago; finalizers keep it");
  }
  for (const Describer& one : kDescribers) {
    if (one.view == view.name) one.describe(text, object, company);
  }
  describe_conditions(text, object, company.now);
  describe_events(text, object, company);
  if (view.name == "placements") {
    text.line("");
    text.line(fmt::format("Why these clusters: berth explain placement {} -n {}", facts.name,
                          facts.object_namespace));
  }
  return text.take();
}

}  // namespace berth::views
