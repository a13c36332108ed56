#include "api/pod_requests.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/strings.h"

namespace berth::api {
namespace {

using json::Value;

Value amounts(std::span<const std::string_view> words) {
  Value object = Value::object();
  for (const std::string_view word : words) {
    const auto equals = word.find('=');
    object[word.substr(0, equals)] = Value(word.substr(equals + 1));
  }
  return object;
}

Value both_sides(const Value& amount) {
  return Value::object({{"requests", amount}, {"limits", amount}});
}

Value& status_named(Value& pod, std::string_view name) {
  Value& list =
      pod["status"][name.starts_with("main") ? "containerStatuses" : "initContainerStatuses"];
  for (Value& status : list.elements()) {
    if (status.find("name")->string_or_empty() == name) return status;
  }
  return list.push_back(Value::object({{"name", Value(name)}}));
}

// One statement of the little language below.
void apply(Value& pod, std::string_view statement) {
  const auto words = split(trim(statement), ' ');
  const std::span rest = std::span(words).subspan(1);
  const std::string_view verb = words[0];
  if (verb == "overhead") {
    pod["spec"]["overhead"] = amounts(rest);
  } else if (verb == "pod") {
    pod["spec"]["resources"] = both_sides(amounts(rest));
  } else if (verb == "resize") {
    pod["status"]["conditions"].push_back(
        Value::object({{"type", "PodResizePending"}, {"reason", Value(words[1])}}));
  } else if (verb == "inforce" || verb == "granted") {
    Value& status = words[1] == "pod" ? pod["status"] : status_named(pod, words[1]);
    const Value amount = amounts(rest.subspan(1));
    if (verb == "granted") {
      status["allocatedResources"] = amount;
    } else {
      status["resources"] = both_sides(amount);
    }
  } else {
    Value& list = pod["spec"][verb == "main" ? "containers" : "initContainers"];
    Value container =
        Value::object({{"name", Value(std::string(verb) + std::to_string(list.size()))},
                       {"resources", both_sides(amounts(rest))}});
    if (verb == "sidecar") container["restartPolicy"] = "Always";
    list.push_back(std::move(container));
  }
}

// "main cpu=1; init cpu=2; sidecar cpu=1; overhead cpu=1; pod cpu=3": containers with requests and
// limits of the same size. "inforce main0 cpu=1" and "granted main0 cpu=1" are what the node says
// about the first container, "resize Infeasible" what it says about a resize.
Value pod_of(std::string_view description) {
  Value pod = Value::object({{"spec", Value::object()}, {"status", Value::object()}});
  for (const std::string_view statement : split(description, ';')) {
    if (!trim(statement).empty()) apply(pod, statement);
  }
  return pod;
}

std::string text_of(const Result<ResourceList>& list) {
  if (!list.ok()) return list.error().message;
  std::vector<std::string> words;
  for (const ResourceAmount& entry : list->entries()) {
    words.push_back(entry.name + "=" + entry.amount.to_string());
  }
  return join(words, " ");
}

struct Case {
  std::string_view pod;
  std::string_view requests;
  std::string_view limits;
};

void expect_all(std::span<const Case> cases, const PodResourcesOptions& options) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pod);
    const Value pod = pod_of(c.pod);
    EXPECT_EQ(text_of(pod_requests(pod, options)), c.requests);
    EXPECT_EQ(text_of(pod_limits(pod, options)), c.limits);
  }
}

// Every expectation in this file was computed by Kubernetes' own helper, version 0.35.4.
TEST(PodRequests, FollowsKubernetesFormula) {
  constexpr Case kCases[] = {
      {"main cpu=100m memory=64Mi", "cpu=100m memory=64Mi", "cpu=100m memory=64Mi"},
      {"main cpu=100m; main cpu=200m memory=1Gi", "cpu=300m memory=1Gi", "cpu=300m memory=1Gi"},
      {"main", "", ""},
      {"main cpu=0", "cpu=0", "cpu=0"},
      {"main cpu=1; init cpu=2", "cpu=2", "cpu=2"},
      {"main cpu=2; init cpu=1", "cpu=2", "cpu=2"},
      {"main cpu=1 memory=1Gi; init cpu=2 memory=512Mi", "cpu=2 memory=1Gi", "cpu=2 memory=1Gi"},
      {"main cpu=1; init cpu=2; init cpu=3", "cpu=3", "cpu=3"},
      {"main cpu=1; sidecar cpu=1", "cpu=2", "cpu=2"},
      {"main cpu=1; sidecar cpu=1; init cpu=2", "cpu=3", "cpu=3"},
      {"main cpu=1; init cpu=2; sidecar cpu=1", "cpu=2", "cpu=2"},
      {"main cpu=1; sidecar cpu=1; init cpu=4; sidecar cpu=2", "cpu=5", "cpu=5"},
      {"main cpu=1; sidecar cpu=1; sidecar cpu=2; init cpu=1", "cpu=4", "cpu=4"},
      {"main cpu=5; sidecar cpu=1; init cpu=4; sidecar cpu=2", "cpu=8", "cpu=8"},
      {"init cpu=2", "cpu=2", "cpu=2"},
      {"sidecar memory=1Gi", "memory=1Gi", "memory=1Gi"},
      {"main example.com/gpu=1; init example.com/gpu=2; sidecar example.com/gpu=1",
       "example.com/gpu=2", "example.com/gpu=2"},
      {"main cpu=1; overhead cpu=250m memory=120Mi", "cpu=1250m memory=120Mi", "cpu=1250m"},
      {"main memory=1Gi; init memory=2Gi; overhead memory=1Mi", "memory=2049Mi", "memory=2049Mi"},
      {"overhead cpu=1", "cpu=1", ""},
      {"main cpu=0; overhead cpu=1", "cpu=1", "cpu=0"},
      {"main cpu=1.5; main memory=1.5Gi; main cpu=0.1", "cpu=1600m memory=1536Mi",
       "cpu=1600m memory=1536Mi"},
      {"main cpu=1; pod cpu=3", "cpu=3", "cpu=3"},
      {"main cpu=4; pod cpu=3 memory=1Gi", "cpu=3 memory=1Gi", "cpu=3 memory=1Gi"},
      {"main cpu=1 memory=1Gi; pod memory=2Gi; overhead memory=1Mi", "cpu=1 memory=2049Mi",
       "cpu=1 memory=2049Mi"},
      {"main example.com/gpu=1; pod example.com/gpu=4", "example.com/gpu=1", "example.com/gpu=1"},
      {"main hugepages-2Mi=4Mi; pod hugepages-2Mi=8Mi", "hugepages-2Mi=8Mi", "hugepages-2Mi=8Mi"},
      {"main ephemeral-storage=1Gi; pod ephemeral-storage=2Gi cpu=1", "cpu=1 ephemeral-storage=1Gi",
       "cpu=1 ephemeral-storage=1Gi"},
      {"main cpu=1; inforce main0 cpu=2", "cpu=2", "cpu=2"},
      {"main cpu=3; inforce main0 cpu=2", "cpu=3", "cpu=3"},
      {"main cpu=1; granted main0 cpu=2", "cpu=1", "cpu=1"},
      {"main cpu=1; inforce main0 cpu=1; granted main0 cpu=2", "cpu=2", "cpu=1"},
      {"main cpu=3; inforce main0 cpu=1; granted main0 cpu=2; resize Infeasible", "cpu=2", "cpu=1"},
      {"main cpu=3; inforce main0 cpu=1; granted main0 cpu=2; resize Deferred", "cpu=3", "cpu=3"},
      {"main cpu=3; inforce main0 memory=1Gi; resize Infeasible", "memory=1Gi", "memory=1Gi"},
      {"main cpu=3; inforce main0 memory=1Gi; resize Deferred; resize Infeasible",
       "cpu=3 memory=1Gi", "cpu=3 memory=1Gi"},
      {"main cpu=1; sidecar cpu=1; inforce sidecar0 cpu=4", "cpu=5", "cpu=5"},
      {"main cpu=1; init cpu=1; inforce init0 cpu=4", "cpu=1", "cpu=1"},
      {"main cpu=1; main cpu=1; inforce main1 cpu=3", "cpu=4", "cpu=4"},
      {"pod cpu=2; inforce pod cpu=4", "cpu=2", "cpu=2"},
  };
  expect_all(kCases, {});
}

TEST(PodRequests, FollowsResizesOfPodLevelResourcesOnDemand) {
  constexpr Case kCases[] = {
      {"main cpu=1; pod cpu=2; inforce pod cpu=3", "cpu=3", "cpu=3"},
      {"main cpu=1; pod cpu=2; granted pod cpu=3", "cpu=2", "cpu=2"},
      {"main cpu=1; pod cpu=2; inforce pod cpu=1; granted pod cpu=3", "cpu=3", "cpu=2"},
      {"main cpu=1; pod cpu=4; inforce pod cpu=1; granted pod cpu=3; resize Infeasible", "cpu=3",
       "cpu=1"},
      {"main cpu=1; pod cpu=4; inforce pod memory=1Gi; resize Infeasible", "cpu=0", "cpu=0"},
      {"main cpu=1; inforce pod cpu=3", "cpu=1", "cpu=1"},
      {"main cpu=1; pod cpu=2 memory=1Gi; inforce pod cpu=3; overhead cpu=1", "cpu=4 memory=1Gi",
       "cpu=4 memory=1Gi"},
  };
  expect_all(kCases, {.use_pod_level_status = true});
}

TEST(PodRequests, IgnoresWhatTheOptionsLeaveOut) {
  const Value pod = pod_of("main cpu=1; inforce main0 cpu=3; pod cpu=4; overhead cpu=8");
  EXPECT_EQ(text_of(pod_requests(pod, {.use_pod_level = false})), "cpu=11");
  EXPECT_EQ(text_of(pod_requests(pod, {.use_status = false, .use_pod_level = false})), "cpu=9");
  EXPECT_EQ(text_of(pod_requests(pod, {.with_overhead = false})), "cpu=4");
}

TEST(PodRequests, CountsSilentContainersForScoring) {
  EXPECT_EQ(text_of(pod_nonzero_requests(pod_of("main"))), "cpu=100m memory=209715200");
  EXPECT_EQ(text_of(pod_nonzero_requests(pod_of("main; main cpu=1"))),
            "cpu=1100m memory=419430400");
  EXPECT_EQ(text_of(pod_nonzero_requests(pod_of("main cpu=0 memory=1Gi"))), "cpu=0 memory=1Gi");
  EXPECT_EQ(text_of(pod_nonzero_requests(pod_of("main; pod cpu=2"))), "cpu=2 memory=209715200");
  EXPECT_EQ(text_of(pod_nonzero_requests(pod_of("main; pod cpu=2 memory=1Gi"))),
            "cpu=2 memory=1Gi");
}

TEST(PodRequests, NamesTheFieldThatHoldsNoQuantity) {
  EXPECT_EQ(text_of(pod_requests(pod_of("main cpu=x"))).substr(0, 49),
            "container main0: resources.requests: cpu: quantit");
  EXPECT_EQ(text_of(pod_limits(pod_of("main cpu=1mm"))),
            "container main0: resources.limits: cpu: unable to parse quantity's suffix");
  EXPECT_EQ(text_of(pod_requests(pod_of("overhead cpu=1mm"))),
            "spec.overhead: cpu: unable to parse quantity's suffix");
  EXPECT_EQ(text_of(pod_requests(pod_of("pod cpu=1mm"))),
            "spec.resources.requests: cpu: unable to parse quantity's suffix");
}

TEST(PodRequests, OfAnEmptyPodAreNone) {
  EXPECT_EQ(text_of(pod_requests(Value::object())), "");
  EXPECT_EQ(text_of(pod_limits(Value())), "");
}

}  // namespace
}  // namespace berth::api
