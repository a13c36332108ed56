#include "fleet/addons/names.h"

#include <gtest/gtest.h>

namespace berth::fleet {
namespace {

TEST(AddOnNames, AreTheOnesThatOcmUses) {
  const AddOnKey key{.cluster = "c1", .name = "score"};
  EXPECT_EQ(add_on_user(key),
            "system:open-cluster-management:cluster:c1:addon:score:agent:score-agent");
  EXPECT_EQ(add_on_groups(key),
            (std::vector<std::string>{"system:open-cluster-management:cluster:c1:addon:score",
                                      "system:open-cluster-management:addon:score",
                                      "system:authenticated"}));
  EXPECT_EQ(deploy_work_prefix("score"), "addon-score-deploy");
  EXPECT_EQ(hook_work_name("score"), "addon-score-pre-delete");
  EXPECT_EQ(add_on_secret("score", kClientSigner), "score-hub-kubeconfig");
  EXPECT_EQ(add_on_secret("score", "example.com/sign"), "score-example.com-sign-client-cert");
}

}  // namespace
}  // namespace berth::fleet
