#include "kube/comparison/fleet_generator.h"

#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/kinds/placement.h"
#include "api/kinds/placement_decision.h"
#include "json/merge_patch.h"
#include "kube/comparison/cluster_generator.h"
#include "kube/comparison/draw.h"
#include "kube/comparison/placement_generator.h"

namespace berth::kube {
namespace {

using json::Value;
using Verb = Edit::Verb;

Edit create(ObjectKind kind, const ObjectName& name, std::string_view part = {}, Value body = {}) {
  Value object = new_object(kind, name);
  if (!part.empty()) object[part] = std::move(body);
  return {.verb = Verb::Create, .kind = kind, .name = name, .body = std::move(object)};
}

Edit patch(ObjectKind kind, const ObjectName& name, Value body, Verb verb = Verb::Patch) {
  return {.verb = verb, .kind = kind, .name = name, .body = std::move(body)};
}

Edit patch_status(ObjectKind kind, const ObjectName& name, Value status) {
  return patch(kind, name, Value::object({{"status", std::move(status)}}), Verb::PatchStatus);
}

Edit remove(ObjectKind kind, const ObjectName& name) {
  return {.verb = Verb::Delete, .kind = kind, .name = name};
}

// Makes `spec` the whole spec: what is not in it goes.
Value spec_patch(const Value& old_object, const Value& spec) {
  return Value::object({{"spec", json::create_merge_patch(api::field(old_object, "spec"), spec)}});
}

ObjectName decision_of(const ObjectName& placement, std::int64_t number) {
  return {.ns = placement.ns, .name = fmt::format("{}-decision-{}", placement.name, number)};
}

// Draws one kind of edit; nullopt where the fleet has nothing to edit in that way.
class Draw {
 public:
  Draw(Random& random, const Objects& objects, Time start)
      : random_(random), objects_(objects), start_(start) {}

  std::optional<Edit> any() {
    using Maker = std::optional<Edit> (Draw::*)();
    struct Choice {
      int share;
      Maker make;
    };
    constexpr Choice kChoices[] = {
        {16, &Draw::cluster_labels},  {10, &Draw::cluster_taints}, {16, &Draw::cluster_status},
        {8, &Draw::new_cluster},      {8, &Draw::lost_cluster},    {4, &Draw::set},
        {4, &Draw::binding},          {18, &Draw::score_status},   {4, &Draw::score},
        {26, &Draw::placement_spec},  {6, &Draw::new_placement},   {3, &Draw::lost_placement},
        {3, &Draw::placement_switch}, {7, &Draw::tampering},       {3, &Draw::orphan}};
    int total = 0;
    for (const Choice& choice : kChoices) total += choice.share;
    auto drawn = static_cast<int>(random_.below(static_cast<std::uint64_t>(total)));
    for (const Choice& choice : kChoices) {
      if (drawn < choice.share) return (this->*choice.make)();
      drawn -= choice.share;
    }
    return std::nullopt;
  }

  std::optional<Edit> new_cluster() {
    for (int attempt = 0; attempt < 10; ++attempt) {
      const ObjectName name{.name = cluster_name(static_cast<int>(random_.below(kClustersMax)))};
      if (objects_.find(ObjectKind::Cluster, name)) continue;
      Edit made = create(ObjectKind::Cluster, name);
      for (const auto& label : draw_cluster_labels(random_).members()) {
        if (!label.value.is_null()) made.body["metadata"]["labels"][label.name()] = label.value;
      }
      made.body["spec"] = Value::object({{"hubAcceptsClient", random_.chance(0.5)}});
      made.body["spec"]["taints"] = draw_taints(random_, start_);
      // A cluster that hangs in its deletion for a while.
      if (random_.chance(0.1)) {
        made.body["metadata"]["finalizers"] = Value::array({"example.com/cleanup"});
      }
      return made;
    }
    return std::nullopt;
  }

  std::optional<Edit> new_placement() {
    const ObjectName name = draw_placement_name();
    if (objects_.find(ObjectKind::Placement, name)) return std::nullopt;
    return create(ObjectKind::Placement, name, "spec", draw_placement_spec(random_));
  }

  std::optional<Edit> set() {
    const ObjectName name{.name = std::string(pick(random_, {"s1", "s2", "s3"}))};
    const Value* found = objects_.find(ObjectKind::Set, name);
    if (!found) return create(ObjectKind::Set, name, "spec", draw_set_spec(random_));
    if (random_.chance(0.2)) return remove(ObjectKind::Set, name);
    return patch(ObjectKind::Set, name, spec_patch(*found, draw_set_spec(random_)));
  }

  std::optional<Edit> binding() {
    const ObjectName name{.ns = std::string(pick(random_, {"ns1", "ns1", "ns2"})),
                          .name = std::string(pick(random_, {"s1", "s2", "s3", "unknown"}))};
    if (objects_.find(ObjectKind::Binding, name)) return remove(ObjectKind::Binding, name);
    const std::string set(random_.chance(0.05) ? "s1" : std::string_view(name.name));
    return create(ObjectKind::Binding, name, "spec", Value::object({{"clusterSet", set}}));
  }

  std::optional<Edit> score() {
    const ObjectName name{.ns = cluster_name(static_cast<int>(random_.below(kClustersMax))),
                          .name = std::string(pick(random_, {"usage", "latency"}))};
    if (objects_.find(ObjectKind::Score, name)) return remove(ObjectKind::Score, name);
    return create(ObjectKind::Score, name);
  }

 private:
  std::optional<Edit> cluster_labels() {
    if (objects_.all(ObjectKind::Cluster).empty()) return std::nullopt;
    return patch(
        ObjectKind::Cluster, pick_name(random_, objects_.all(ObjectKind::Cluster)),
        Value::object({{"metadata", Value::object({{"labels", draw_cluster_labels(random_)}})}}));
  }

  std::optional<Edit> cluster_taints() {
    if (objects_.all(ObjectKind::Cluster).empty()) return std::nullopt;
    return patch(
        ObjectKind::Cluster, pick_name(random_, objects_.all(ObjectKind::Cluster)),
        Value::object({{"spec", Value::object({{"taints", draw_taints(random_, start_)}})}}));
  }

  std::optional<Edit> cluster_status() {
    if (objects_.all(ObjectKind::Cluster).empty()) return std::nullopt;
    return patch_status(ObjectKind::Cluster, pick_name(random_, objects_.all(ObjectKind::Cluster)),
                        draw_cluster_status(random_));
  }

  std::optional<Edit> lost_cluster() {
    if (objects_.all(ObjectKind::Cluster).size() < 5) return std::nullopt;
    const ObjectName& name = pick_name(random_, objects_.all(ObjectKind::Cluster));
    const Value& metadata = api::field(*objects_.find(ObjectKind::Cluster, name), "metadata");
    if (metadata.find("deletionTimestamp")) {
      return patch(ObjectKind::Cluster, name,
                   Value::object({{"metadata", Value::object({{"finalizers", nullptr}})}}));
    }
    return remove(ObjectKind::Cluster, name);
  }

  std::optional<Edit> score_status() {
    if (objects_.all(ObjectKind::Score).empty()) return std::nullopt;
    return patch_status(ObjectKind::Score, pick_name(random_, objects_.all(ObjectKind::Score)),
                        draw_score_status(random_, start_));
  }

  std::optional<Edit> placement_spec() {
    if (objects_.all(ObjectKind::Placement).empty()) return std::nullopt;
    const ObjectName& name = pick_name(random_, objects_.all(ObjectKind::Placement));
    return patch(
        ObjectKind::Placement, name,
        spec_patch(*objects_.find(ObjectKind::Placement, name), draw_placement_spec(random_)));
  }

  std::optional<Edit> lost_placement() {
    if (objects_.all(ObjectKind::Placement).size() < 2) return std::nullopt;
    return remove(ObjectKind::Placement, pick_name(random_, objects_.all(ObjectKind::Placement)));
  }

  std::optional<Edit> placement_switch() {
    if (objects_.all(ObjectKind::Placement).empty()) return std::nullopt;
    const Value word = pick_json(random_, {"null", "null", R"("true")", R"("True")"});
    return patch(
        ObjectKind::Placement, pick_name(random_, objects_.all(ObjectKind::Placement)),
        Value::object(
            {{"metadata",
              Value::object({{"annotations",
                              Value::object({{api::kSchedulingDisableAnnotation, word}})}})}}));
  }

  // Somebody changes what the controller wrote.
  std::optional<Edit> tampering() {
    if (objects_.all(ObjectKind::Placement).empty()) return std::nullopt;
    const ObjectName& placement = pick_name(random_, objects_.all(ObjectKind::Placement));
    const Value& spec = api::field(*objects_.find(ObjectKind::Placement, placement), "spec");
    const bool has_groups = spec.find("decisionStrategy");
    const ObjectName name = decision_of(placement, has_groups ? random_.between(1, 3) : 1);
    switch (random_.below(4)) {
      case 0:
        return remove(ObjectKind::Decision, name);
      case 1:
        return patch(
            ObjectKind::Decision, name,
            Value::object(
                {{"metadata", Value::object({{"labels", Value::object({{"foreign", "x"}})}})}}));
      case 2:
        return patch(
            ObjectKind::Decision, name,
            Value::object({{"metadata",
                            Value::object({{"labels", Value::object({{api::kDecisionGroupIndexLabel,
                                                                      "7"}})}})}}));
      default: {
        // With several objects the reference reads its own writes one by one, between its runs, and
        // where it ends depends on which of them it sees: seed 3028 ended in two ways in four runs.
        if (has_groups) return std::nullopt;
        Value decisions = Value::array();
        for (std::uint64_t count = random_.below(4); count > 0; --count) {
          decisions.push_back(Value::object(
              {{"clusterName", cluster_name(static_cast<int>(random_.below(kClustersMax)))},
               {"reason", ""}}));
        }
        return patch_status(ObjectKind::Decision, name,
                            Value::object({{"decisions", std::move(decisions)}}));
      }
    }
  }

  // What the garbage collector does to the decisions of a deleted placement.
  std::optional<Edit> orphan() {
    const ObjectName placement = draw_placement_name();
    if (objects_.find(ObjectKind::Placement, placement)) return std::nullopt;
    return remove(ObjectKind::Decision, decision_of(placement, random_.between(1, 3)));
  }

  ObjectName draw_placement_name() {
    return {.ns = std::string(pick(random_, {"ns1", "ns1", "ns2"})),
            .name = std::string(pick(random_, {"p1", "p2", "p3", "p4"}))};
  }

  Random& random_;
  const Objects& objects_;
  const Time start_;
};

}  // namespace

std::string cluster_name(int number) { return fmt::format("c{:02}", number); }

std::vector<Edit> FleetGenerator::new_fleet() {
  std::vector<Edit> edits;
  Draw draw(random_, objects_, start_);
  // What exists already is drawn for nothing.
  const auto add = [&](std::optional<Edit> edit) {
    if (!edit || edit->verb != Verb::Create) return false;
    objects_.apply(*edit);
    edits.push_back(*std::move(edit));
    return true;
  };
  const auto add_status = [&](Value status) {
    edits.push_back(patch_status(edits.back().kind, edits.back().name, std::move(status)));
  };
  for (std::int64_t left = random_.between(10, 28); left > 0; --left) {
    if (add(draw.new_cluster())) add_status(draw_cluster_status(random_));
  }
  for (int i = 0; i < 6; ++i) add(draw.set());
  for (int i = 0; i < 14; ++i) add(draw.binding());
  for (int i = 0; i < 40; ++i) {
    if (add(draw.score())) add_status(draw_score_status(random_, start_));
  }
  for (int i = 0; i < 8; ++i) add(draw.new_placement());
  return edits;
}

Edit FleetGenerator::next_edit() {
  for (;;) {
    std::optional<Edit> edit = Draw(random_, objects_, start_).any();
    if (!edit) continue;
    objects_.apply(*edit);
    return *std::move(edit);
  }
}

}  // namespace berth::kube
