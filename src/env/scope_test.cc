#include "env/scope.h"

#include <functional>
#include <memory>
#include <optional>

#include <gtest/gtest.h>

namespace berth::env {
namespace {

TEST(Scope, LetsCallbacksThroughWhileItsOwnerLives) {
  Scope scope;
  int sum = 0;
  const std::function<void(int)> add = scope.guard([&sum](int number) { sum += number; });
  add(1);
  add(2);
  EXPECT_EQ(sum, 3);
}

TEST(Scope, SilencesCallbacksAfterItsOwnerDied) {
  auto scope = std::make_optional<Scope>();
  int calls = 0;
  const std::function<void()> call = scope->guard([&calls] { ++calls; });
  scope.reset();
  call();
  EXPECT_EQ(calls, 0);
}

TEST(Scope, ReleasesWhatASilencedCallbackIsCalledWith) {
  auto scope = std::make_optional<Scope>();
  auto resource = std::make_shared<int>(7);
  const std::weak_ptr<int> watched = resource;
  std::move_only_function<void(std::shared_ptr<int>)> take =
      scope->guard([](const std::shared_ptr<int>& /*taken*/) {});
  scope.reset();
  take(std::move(resource));
  EXPECT_TRUE(watched.expired());
}

TEST(Scope, RenewSilencesOldCallbacksOnly) {
  Scope scope;
  int calls = 0;
  const std::function<void()> before = scope.guard([&calls] { calls += 1; });
  scope.renew();
  const std::function<void()> behind = scope.guard([&calls] { calls += 10; });
  before();
  behind();
  EXPECT_EQ(calls, 10);
}

TEST(Scope, MayDieInsideACallbackItGuards) {
  auto scope = std::make_unique<Scope>();
  int calls = 0;
  const std::function<void()> end = scope->guard([&] {
    scope.reset();
    ++calls;
  });
  end();
  end();
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace berth::env
