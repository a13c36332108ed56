#include "local/daemon_set.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/kinds/fields.h"
#include "api/kinds/pod.h"
#include "api/metadata.h"
#include "local/node_wish.h"
#include "local/rollout.h"
#include "local/template_hash.h"

namespace berth::local {
namespace {

using json::Value;

constexpr std::string_view kRevision = "controller-revision-hash";

struct Trouble {
  std::string_view key;
  api::TaintEffect effect;
};

// What a daemon bears on top of what its template says.
constexpr Trouble kTroubles[] = {
    {"node.kubernetes.io/not-ready", api::TaintEffect::NoExecute},
    {"node.kubernetes.io/unreachable", api::TaintEffect::NoExecute},
    {"node.kubernetes.io/disk-pressure", api::TaintEffect::NoSchedule},
    {"node.kubernetes.io/memory-pressure", api::TaintEffect::NoSchedule},
    {"node.kubernetes.io/pid-pressure", api::TaintEffect::NoSchedule},
    {"node.kubernetes.io/unschedulable", api::TaintEffect::NoSchedule},
};
constexpr Trouble kNoNetwork = {"node.kubernetes.io/network-unavailable",
                                api::TaintEffect::NoSchedule};
constexpr api::TaintEffect kExpelling[] = {api::TaintEffect::NoExecute};

void tolerate(Value& spec, const Trouble& trouble) {
  const Value toleration = Value::object(
      {{"key", trouble.key}, {"operator", "Exists"}, {"effect", api::effect_name(trouble.effect)}});
  Value& list = spec["tolerations"];
  if (std::ranges::find(list.elements(), toleration) == list.elements().end()) {
    list.push_back(toleration);
  }
}

struct SetView {
  Value pattern;  // A pod of the set, for no node yet.
  api::Pod pod;   // The same, read.
  std::string revision;
  bool on_delete = false;  // A new template comes only with a pod that somebody deleted.
  Duration ready_for = Duration::zero();

  explicit SetView(const Value& set) {
    const Value& spec = api::field(set, "spec");
    revision = template_hash(api::field(spec, "template"));
    pattern = pod_with_made_up_name(set);
    pattern["metadata"]["labels"][kRevision] = revision;
    Value& pod_spec = pattern["spec"];
    for (const Trouble& trouble : kTroubles) tolerate(pod_spec, trouble);
    const bool is_on_host = api::field(pod_spec, "hostNetwork").as_bool().value_or(false);
    if (is_on_host) tolerate(pod_spec, kNoNetwork);
    pod = api::Pod::from_json(pattern);
    on_delete = api::text_field(api::field(spec, "updateStrategy"), "type") == "OnDelete";
    ready_for = std::chrono::seconds(api::int32_field(spec, "minReadySeconds").value_or(0));
  }

  bool belongs_on(const api::Node& node) const {
    return wants_node(api::field(pattern, "spec"), node) &&
           !api::find_untolerated(node.taints, pod.tolerations, api::kRepellingNodeEffects);
  }
  // What runs is not thrown out by a taint that only keeps newcomers away.
  bool may_stay_on(const api::Node& node) const {
    return wants_node(api::field(pattern, "spec"), node) &&
           !api::find_untolerated(node.taints, pod.tolerations, kExpelling);
  }
  bool is_current(const OwnedPod& owned) const {
    return api::Metadata(*owned.object).labels().find(kRevision) == revision;
  }
};

bool is_older(const OwnedPod& a, const OwnedPod& b) {
  if (a.created != b.created) return a.created < b.created;
  return api::Metadata(*a.object).name() < api::Metadata(*b.object).name();
}

// The pods of one node. At most one of each template is kept, the oldest.
struct Post {
  bool wanted = false;
  bool allowed = false;
  bool is_clearing = false;           // One of them is still on its way out, or has ended.
  const OwnedPod* current = nullptr;  // By the template as it is now.
  const OwnedPod* outdated = nullptr;
};

class Planner {
 public:
  Planner(const Value& set, Objects pods, std::span<const api::Node> nodes, Time now)
      : set_(set), view_(set), now_(now), pods_(owned_pods(pods)) {
    std::ranges::sort(pods_, is_older);
    for (const api::Node& node : nodes) {
      if (node.being_deleted) continue;
      posts_[node.name] = {.wanted = view_.belongs_on(node), .allowed = view_.may_stay_on(node)};
    }
  }

  WorkloadPlan plan() {
    man_posts();
    if (!view_.on_delete) roll_out();
    fill_posts();
    if (api::Metadata(set_).is_being_deleted()) plan_.changes.clear();
    for (const OwnedPod& pod : pods_) {
      if (pod.becomes_available_after(now_, view_.ready_for)) {
        plan_.look_again_at(*pod.ready_since + view_.ready_for);
      }
    }
    Value after = set_;
    after["status"] = status();
    plan_.change(Kind::DaemonSets, set_, std::move(after));
    return std::move(plan_);
  }

 private:
  void create(const std::string& node) { plan_.create(Kind::Pods, pinned_to(view_.pattern, node)); }

  // Finds out who is where. Who ended, has no business there or is one too many goes.
  void man_posts() {
    for (const OwnedPod& pod : pods_) {
      const api::Pod read = api::Pod::from_json(*pod.object);
      const auto found = posts_.find(read.is_bound() ? read.node_name : pin_of(*pod.object));
      Post* post = found == posts_.end() ? nullptr : &found->second;
      if (post && !pod.is_active) post->is_clearing = true;
      if (read.being_deleted) continue;
      const OwnedPod*& place =
          !post ? nobody_ : (view_.is_current(pod) ? post->current : post->outdated);
      const bool is_welcome = post && post->allowed && pod.is_active && !place;
      if (is_welcome) {
        place = &pod;
      } else {
        plan_.remove(Kind::Pods, *pod.object);
      }
    }
  }

  void fill_posts() {
    for (const auto& [name, post] : posts_) {
      const bool is_empty = !post.current && !post.outdated && !post.is_clearing;
      if (post.wanted && is_empty) create(name);
    }
  }

  bool is_available(const OwnedPod* pod) const {
    return pod && pod->is_available(now_, view_.ready_for);
  }

  // Old pods make room for new ones, no more at a time than may be missing; or new ones come
  // first, no more than may be too many. Old ones that do not work are never waited for.
  void roll_out() {
    const std::int64_t total =
        std::ranges::count_if(posts_, [](const auto& entry) { return entry.second.wanted; });
    const DaemonShares shares = daemon_shares(set_, total);
    shares.surge > 0 ? surge(shares.surge) : replace(shares.unavailable);
  }

  void replace(std::int64_t missing_max) {
    std::vector<const OwnedPod*> candidates;
    std::int64_t missing = 0;
    for (const auto& [name, post] : posts_) {
      if (!post.wanted) continue;
      if (post.current && post.outdated) {
        plan_.remove(Kind::Pods, *post.outdated->object);
      } else if (!post.outdated) {
        missing += is_available(post.current) ? 0 : 1;
      } else if (!is_available(post.outdated)) {
        plan_.remove(Kind::Pods, *post.outdated->object);
        ++missing;
      } else {
        candidates.push_back(post.outdated);
      }
    }
    for (const OwnedPod* pod : candidates) {
      if (missing++ >= missing_max) return;
      plan_.remove(Kind::Pods, *pod->object);
    }
  }

  void surge(std::int64_t surplus_max) {
    std::vector<std::string> candidates;
    std::int64_t surplus = 0;
    for (const auto& [name, post] : posts_) {
      if (!post.wanted || !post.outdated) continue;
      if (is_available(post.current)) {
        plan_.remove(Kind::Pods, *post.outdated->object);
      } else if (post.current) {
        ++surplus;
      } else if (!is_available(post.outdated)) {
        create(name);
        ++surplus;
      } else {
        candidates.push_back(name);
      }
    }
    for (const std::string& name : candidates) {
      if (surplus++ >= surplus_max) return;
      create(name);
    }
  }

  Value status() const {
    std::int64_t desired = 0, scheduled = 0, misscheduled = 0, ready = 0, available = 0,
                 updated = 0;
    for (const auto& [name, post] : posts_) {
      const bool is_manned = post.current || post.outdated;
      if (!post.wanted) {
        misscheduled += is_manned ? 1 : 0;
        continue;
      }
      ++desired;
      if (!is_manned) continue;
      ++scheduled;
      const bool is_ready =
          (post.current && post.current->is_ready) || (post.outdated && post.outdated->is_ready);
      ready += is_ready ? 1 : 0;
      available += is_available(post.current) || is_available(post.outdated) ? 1 : 0;
      updated += post.current ? 1 : 0;
    }
    Value told = api::field(set_, "status");
    told["observedGeneration"] = api::Metadata(set_).generation();
    told["desiredNumberScheduled"] = desired;
    told["currentNumberScheduled"] = scheduled;
    told["numberMisscheduled"] = misscheduled;
    told["numberReady"] = ready;
    told["numberAvailable"] = available;
    told["numberUnavailable"] = desired - available;
    told["updatedNumberScheduled"] = updated;
    return told;
  }

  const Value& set_;
  SetView view_;
  Time now_;
  std::vector<OwnedPod> pods_;
  std::map<std::string, Post> posts_;  // By the node's name.
  const OwnedPod* nobody_ = nullptr;
  WorkloadPlan plan_;
};

}  // namespace

WorkloadPlan plan_daemon_set(const Value& set, Objects pods, std::span<const api::Node> nodes,
                             Time now) {
  return Planner(set, pods, nodes, now).plan();
}

}  // namespace berth::local
