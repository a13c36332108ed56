#include "apiserver/cluster_router_service.h"

#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

// Keeps what it was asked.
struct Asked final : http::Handler {
  void on_request(http::ServerRequest request, http::Answer /*answer*/) override {
    targets.push_back(request.head.target);
  }
  std::vector<std::string> targets;
};

class Answers final : public http::Exchanges {
 public:
  bool is_open(http::StreamId) const override { return true; }
  void on_closed(http::StreamId, http::Closed) override {}
  void respond(http::StreamId, http::ResponseHead head, http::Body) override {
    statuses.push_back(head.status);
  }
  void resume(http::StreamId) override {}
  void release(http::StreamId, std::size_t) override {}

  std::vector<int> statuses;
};

class ClusterRouterTest : public ::testing::Test {
 protected:
  ClusterRouterTest() { router_.add("paris", paris_); }

  void ask(std::string target) {
    router_.on_request({.head = {.target = std::move(target)}, .peer = nullptr},
                       http::Answer(answers_, 1));
  }

  Asked hub_;
  Asked paris_;
  ClusterRouter router_{hub_};
  std::shared_ptr<Answers> answers_ = std::make_shared<Answers>();
};

TEST_F(ClusterRouterTest, AClusterGetsWhatIsBelowItsPath) {
  ask("/clusters/paris/api/v1/pods?limit=5");
  ask("/clusters/paris/version");
  EXPECT_THAT(paris_.targets, ::testing::ElementsAre("/api/v1/pods?limit=5", "/version"));
  EXPECT_TRUE(hub_.targets.empty());
}

TEST_F(ClusterRouterTest, TheRootOfAClusterIsItsOwn) {
  ask("/clusters/paris");
  ask("/clusters/paris/");
  ask("/clusters/paris?timeout=5s");
  EXPECT_THAT(paris_.targets, ::testing::ElementsAre("/", "/", "/?timeout=5s"));
}

TEST_F(ClusterRouterTest, EverythingElseIsTheHubs) {
  ask("/apis");
  ask("/clusters");
  EXPECT_THAT(hub_.targets, ::testing::ElementsAre("/apis", "/clusters"));
}

TEST_F(ClusterRouterTest, AClusterThatIsNotCarriedIsNotFound) {
  ask("/clusters/rome/api");
  ask("/clusters/paris2/api");
  ask("/clusters//api");
  EXPECT_THAT(answers_->statuses, ::testing::ElementsAre(404, 404, 404));
  EXPECT_TRUE(hub_.targets.empty());
  EXPECT_TRUE(paris_.targets.empty());
}

}  // namespace
}  // namespace berth::apiserver
