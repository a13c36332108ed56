// Does our field manager say exactly what kube-apiserver does? Several managers write to objects of
// a custom resource with every kind of list and map; the object and its managedFields, times and
// order included, are compared after every write.
//
//   BERTH_APPLY_SEED=1     the first object's seed; each further object has the next one
//   BERTH_APPLY_STEPS=100  how many writes; 50 to each object

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/comparison/apply_crd.h"
#include "kube/comparison/apply_prediction.h"
#include "kube/comparison/apply_step.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using client::ResourcePath;
using json::Value;

constexpr std::int64_t kStepsPerObject = 50;

std::int64_t number_from(const char* variable, std::int64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? parse_int64(text).value_or(otherwise) : otherwise;
}

bool has_null(const Value& value) {
  if (value.is_null()) return true;
  return std::ranges::any_of(value.elements(), has_null) ||
         std::ranges::any_of(value.members(), has_null, &json::Member::value);
}

// What an apply can lead to although everything in it was valid. The reference leaves null where it
// took the last entry out of a map or list that somebody else owns as such, and then refuses it; so
// do we. An embedded object may lose what it needs.
bool is_invalid(const Value& object) {
  const Value* pod = object.find_path({"spec", "pod"});
  return has_null(object) || (pod && !pod->find("kind"));
}

ResourcePath path_of_things(const ApplyStep& step) {
  return {.resource = {.group = "compare.berth.dev", .version = step.version, .resource = "things"},
          .ns = "default"};
}

class ApplyComparison : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = Server::start();
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = *std::move(started);
    api_ = std::make_unique<BlockingApi>(server_->kubeconfig());
    const ResourcePath definitions{.resource = {.group = "apiextensions.k8s.io",
                                                .version = "v1",
                                                .resource = "customresourcedefinitions"}};
    ASSERT_TRUE(api_->create(definitions, thing_definition()).ok());
    const auto is_served = [&](std::string_view version) {
      return api_->list(path_of_things({.version = std::string(version)})).ok();
    };
    ASSERT_TRUE(wait_until([&] { return is_served("v1") && is_served("v2"); }));
  }

  Result<Value> ask_server(const std::string& name, const ApplyStep& step) {
    ResourcePath path = path_of_things(step);
    const client::WriteOptions write{.field_manager = step.manager};
    if (step.verb == ThingVerb::Create) return api_->create(path, step.body, write);
    path.name = name;
    path.subresource = step.subresource;
    if (step.verb == ThingVerb::Update) {
      return api_->wait<Result<Value>>([&](client::Api& api, auto answer) {
        api.update(path, step.body, write, std::move(answer));
      });
    }
    const bool is_apply = step.verb == ThingVerb::Apply;
    return api_->patch(path, step.body,
                       {.type = is_apply ? client::PatchType::Apply : client::PatchType::Merge,
                        .write = write,
                        .conflicts = step.force ? client::ApplyConflicts::TakeOver
                                                : client::ApplyConflicts::Refuse});
  }

  // What kube-apiserver took for the time of this write, if it noted one: the newest of all.
  static Time newest_time(const Value& object) {
    Time newest;
    const Value* fields = object.find_path({"metadata", "managedFields"});
    for (const Value& entry : fields ? fields->elements() : std::span<const Value>()) {
      const Value* time = entry.find("time");
      if (time) newest = std::max(newest, parse_rfc3339(time->string_or_empty()).value_or(Time()));
    }
    return newest;
  }

  // The first apply notes two times; the server reads its clock for each.
  static void set_times(Value& object, Time now) {
    Value* fields = object["metadata"].find("managedFields");
    for (Value& entry : fields ? fields->elements() : std::span<Value>()) {
      if (Value* time = entry.find("time")) *time = format_seconds(now);
    }
  }

  void compare_errors(const Error& server, const Error& ours) {
    EXPECT_EQ(server.message, ours.message);
    // The server lists them in no particular order.
    const auto fields = [](const Error& error) {
      std::multimap<std::string, std::string> sorted;
      for (const Cause& cause : error.causes) sorted.emplace(cause.message, cause.field);
      return sorted;
    };
    EXPECT_EQ(fields(server), fields(ours));
  }

  void check_step(const std::string& name, const ApplyStep& step) {
    const auto answer = ask_server(name, step);
    const Value* live = live_ ? &*live_ : nullptr;
    const Time now = answer.ok() ? newest_time(*answer) : Time();
    const auto predicted = prediction_.after(live, step, now);
    if (!answer.ok() && answer.error().code == Code::Invalid) {
      ++refusals_;
      ASSERT_TRUE(predicted.ok() && is_invalid(*predicted)) << answer.error().message;
      return;
    }
    if (!answer.ok()) {
      ++conflicts_;
      ASSERT_EQ(answer.error().code, Code::Conflict) << answer.error().message;
      ASSERT_FALSE(predicted.ok()) << answer.error().message;
      return compare_errors(answer.error(), predicted.error());
    }
    ASSERT_TRUE(predicted.ok()) << predicted.error().message;
    Value held = comparable(*answer);
    if (!live || !live->find_path({"metadata", "managedFields"})) set_times(held, now);
    EXPECT_TRUE(held == *predicted)
        << "held:      " << json::print(held) << "\npredicted: " << json::print(*predicted);
    changes_ += !live || held != comparable(*live);
    live_ = *answer;
  }

  void run_object(std::int64_t seed, std::int64_t steps) {
    const std::string name = fmt::format("thing-{}", seed);
    StepGenerator generator{Random(static_cast<std::uint64_t>(seed))};
    live_.reset();
    for (std::int64_t i = 0; i < steps && !HasFailure(); ++i) {
      const ApplyStep step = generator.next(name, live_ ? &*live_ : nullptr);
      SCOPED_TRACE(fmt::format("seed {}, step {}: {}\nlive: {}", seed, i, step.text(),
                               live_ ? json::print(*live_) : "none"));
      check_step(name, step);
    }
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<BlockingApi> api_;
  ApplyPrediction prediction_;
  std::optional<Value> live_;
  int conflicts_ = 0;
  int refusals_ = 0;
  int changes_ = 0;
};

TEST_F(ApplyComparison, ObjectsAndOwnersBecomeWhatTheServerMakesOfThem) {
  const std::int64_t first = number_from("BERTH_APPLY_SEED", 1);
  const std::int64_t steps = number_from("BERTH_APPLY_STEPS", 100);
  std::int64_t seed = first;
  for (std::int64_t done = 0; done < steps && !HasFailure(); done += kStepsPerObject) {
    run_object(seed++, std::min(kStepsPerObject, steps - done));
  }
  std::cout << fmt::format(
      "seeds {}..{}: {} writes, {} changed the object, {} conflicts, {} refused\n", first, seed - 1,
      steps, changes_, conflicts_, refusals_);
  EXPECT_GT(changes_, steps / 4) << "hardly anything happened";
}

}  // namespace
}  // namespace berth::kube
