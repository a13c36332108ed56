#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using testing::row_of;

TEST(SecurityTables, ShowWhomABindingIsFor) {
  constexpr std::string_view kBinding = R"(
roleRef: {kind: ClusterRole, name: view}
subjects:
- {kind: User, name: ann}
- {kind: Group, name: staff}
- {kind: User, name: bob}
- {kind: ServiceAccount, namespace: ns, name: sa})";
  for (const char* kind : {"RoleBinding", "ClusterRoleBinding"}) {
    EXPECT_EQ(row_of("rbac.authorization.k8s.io", kind, kBinding),
              "x | ClusterRole/view | 3h | ann, bob | staff | ns/sa");
  }
}

TEST(SecurityTables, ShowTheStateOfACertificateSigningRequest) {
  struct Case {
    std::string_view state;
    std::string_view status;
  };
  const Case cases[] = {
      {"Pending", "{}"},
      {"Approved", "{conditions: [{type: Approved}]}"},
      {"Approved,Issued", "{conditions: [{type: Approved}], certificate: Yw==}"},
      {"Denied", "{conditions: [{type: Approved}, {type: Denied}]}"},
      {"Approved,Failed", "{conditions: [{type: Failed}, {type: Approved}]}"},
      {"Pending,Failed", "{conditions: [{type: Failed}]}"},
  };
  for (const Case& c : cases) {
    const std::string request =
        "{spec: {signerName: s/n, username: u, expirationSeconds: 3600}, "
        "status: " +
        std::string(c.status) + "}";
    EXPECT_EQ(row_of("certificates.k8s.io", "CertificateSigningRequest", request),
              "x | 3h | s/n | u | 60m | " + std::string(c.state));
  }
  EXPECT_EQ(row_of("certificates.k8s.io", "CertificateSigningRequest", "{}"),
            "x | 3h | <none> |  | <none> | Pending");
}

}  // namespace
}  // namespace berth::apiserver
