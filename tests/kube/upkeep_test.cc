// Upkeep on a real kube-apiserver, which has no controller manager here: what it leaves undone,
// upkeep does.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/base64.h"
#include "client/errors.h"
#include "json/yaml_read.h"
#include "kube/blocking_api.h"
#include "kube/objects.h"
#include "kube/server.h"
#include "kube/waiting.h"
#include "pki/authority.h"
#include "pki/pem.h"
#include "upkeep/resources.h"
#include "upkeep/upkeep_service.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using client::Propagation;
using client::ResourcePath;
using json::Value;

class KeepingUp : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = Server::start();
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }
  static void TearDownTestSuite() { server_.reset(); }

  void SetUp() override {
    ns_ = lowered(::testing::UnitTest::GetInstance()->current_test_info()->name());
    api_.on_loop([this] {
      upkeep_ = std::make_unique<upkeep::Upkeep>(
          api_.env(), api_.api().config(),
          upkeep::UpkeepSettings{
              .ca_pem = "the hub's certificate",
              .sign_token = [](const Value&, const Value&) -> Result<std::string> {
                return "a-token";
              },
              .sign_certificate = [this](const Value& request,
                                         Time now) { return sign(request, now); },
              .events = {.lifetime = 1s},
              .definitions = upkeep::DefinitionCleanup::ByServer});
      upkeep_->start();
    });
    ASSERT_TRUE(api_.eventually([this] { return upkeep_->has_synced(); }));
    create("{apiVersion: v1, kind: Namespace, metadata: {name: " + ns_ + "}}");
  }
  void TearDown() override {
    api_.on_loop([this] { upkeep_.reset(); });
  }

  static std::string lowered(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text.substr(0, 60);
  }

  Result<std::string> sign(const Value& request, Time now) {
    const auto pem = decode_base64(api::text_field(api::field(request, "spec"), "request"));
    if (!pem.ok()) return failure(pem.error());
    const auto wish = pki::Request::from_pem(*pem);
    if (!wish.ok()) return failure(wish.error());
    const auto made =
        pki::sign_request(authority_, *wish, {"client auth"}, {.now = now, .life = 1h});
    if (!made.ok()) return failure(made.error());
    return made->pem();
  }

  Value create(const std::string& yaml) {
    const Value object = json::read_yaml(yaml).value().at(0);
    const auto made = api_.create(collection_of(object), object);
    EXPECT_TRUE(made.ok()) << made.error().message << "\n" << yaml;
    return made.ok() ? *made : Value();
  }

  ResourcePath config_map(const std::string& name) const {
    return {.resource = upkeep::config_maps(), .ns = ns_, .name = name};
  }

  enum class Blocks { No, Yes };

  // A ConfigMap that these own.
  Value create_owned(const std::string& name, const std::vector<Value>& owners,
                     Blocks blocks = Blocks::No, const std::string& finalizer = "") {
    std::string yaml = "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name +
                       ", namespace: " + ns_ + ", finalizers: [" + finalizer +
                       "], ownerReferences: [";
    for (const Value& owner : owners) {
      const api::Metadata metadata(owner);
      yaml += "{apiVersion: v1, kind: ConfigMap, name: " + std::string(metadata.name()) +
              ", uid: " + std::string(metadata.uid()) +
              (blocks == Blocks::Yes ? ", blockOwnerDeletion: true}," : "},");
    }
    return create(yaml + "]}}");
  }

  bool exists(const ResourcePath& path) { return api_.get(path).ok(); }

  bool is_gone(const ResourcePath& path) {
    const auto answer = api_.get(path);
    return !answer.ok() && client::is_not_found(answer.error());
  }

  // "status reason message"
  std::string condition(const ResourcePath& path, std::string_view type) {
    const auto object = api_.get(path);
    if (!object.ok()) return object.error().message;
    const Value* found =
        api::find_condition(api::field(api::field(*object, "status"), "conditions"), type);
    if (!found) return "none";
    return api::text_field(*found, "status") + " " + api::text_field(*found, "reason") + " " +
           api::text_field(*found, "message");
  }

  void let_go(const ResourcePath& path) {
    const auto patched = api_.patch(
        path, Value::object({{"metadata", Value::object({{"finalizers", nullptr}})}}), {});
    EXPECT_TRUE(patched.ok()) << patched.error().message;
  }

  // A later garbage collection has happened: whatever should have gone before it has gone.
  void collect_once() {
    const std::string name = "probe" + std::to_string(++probes_);
    const Value owner = create_owned(name, {});
    create_owned(name + "-part", {owner});
    ASSERT_TRUE(api_.remove(config_map(name), {.propagation = Propagation::Background}).ok());
    ASSERT_TRUE(wait_until([&] { return is_gone(config_map(name + "-part")); }));
  }

  static std::unique_ptr<Server> server_;
  BlockingApi api_{server_->kubeconfig(), {.rate = {.per_second = 0}}};
  pki::Authority authority_ =
      pki::Authority::make("test", Time::from_unix(1'700'000'000), 24h * 365 * 20);
  std::unique_ptr<upkeep::Upkeep> upkeep_;
  std::string ns_;
  int probes_ = 0;
};
std::unique_ptr<Server> KeepingUp::server_;

TEST_F(KeepingUp, NamespacesGetTheirAccountAndCertificatesAndGetThemBack) {
  const ResourcePath account{.resource = upkeep::service_accounts(), .ns = ns_, .name = "default"};
  const ResourcePath certificates = config_map("kube-root-ca.crt");
  ASSERT_TRUE(wait_until([&] { return exists(account) && exists(certificates); }));
  ASSERT_TRUE(api_.remove(account).ok());
  ASSERT_TRUE(api_.remove(certificates).ok());
  ASSERT_TRUE(wait_until([&] { return exists(account) && exists(certificates); }));
  ASSERT_TRUE(
      api_.patch(certificates,
                 Value::object({{"data", Value::object({{"ca.crt", "forged"}, {"x", "y"}})}}), {})
          .ok());
  EXPECT_TRUE(wait_until([&] {
    return api::field(api_.get(certificates).value(), "data") ==
           Value::object({{"ca.crt", "the hub's certificate"}});
  }));
}

TEST_F(KeepingUp, NamespacesGoWithAllThatIsInThem) {
  create_owned("plain", {});
  create("{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: " + ns_ + "}}");
  const ResourcePath home{.resource = upkeep::namespaces(), .name = ns_};
  ASSERT_TRUE(api_.remove(home).ok());
  EXPECT_TRUE(wait_until([&] { return is_gone(home); }));
  EXPECT_TRUE(is_gone(config_map("plain")));
}

TEST_F(KeepingUp, NamespacesSayWhatHoldsThemBack) {
  create_owned("held", {}, Blocks::No, "example.com/hold");
  const ResourcePath home{.resource = upkeep::namespaces(), .name = ns_};
  ASSERT_TRUE(api_.remove(home).ok());
  EXPECT_TRUE(wait_until([&] {
    return condition(home, "NamespaceContentRemaining") ==
           "True SomeResourcesRemain Some resources are remaining: configmaps. has 1 resource "
           "instances";
  })) << condition(home, "NamespaceContentRemaining");
  EXPECT_EQ(condition(home, "NamespaceFinalizersRemaining"),
            "True SomeFinalizersRemain Some content in the namespace has finalizers remaining: "
            "example.com/hold in 1 resource instances");
  EXPECT_EQ(condition(home, "NamespaceDeletionContentFailure"),
            "False ContentDeleted All content successfully deleted, may be waiting on "
            "finalization");
  let_go(config_map("held"));
  EXPECT_TRUE(wait_until([&] { return is_gone(home); }));
}

TEST_F(KeepingUp, GarbageGoesDownChainsAndDiamonds) {
  const Value top = create_owned("top", {});
  const Value left = create_owned("left", {top});
  const Value right = create_owned("right", {});
  create_owned("below", {left});
  create_owned("shared", {left, right});
  ASSERT_TRUE(api_.remove(config_map("top"), {.propagation = Propagation::Background}).ok());
  EXPECT_TRUE(
      wait_until([&] { return is_gone(config_map("left")) && is_gone(config_map("below")); }));
  EXPECT_TRUE(wait_until([&] {
    const Value shared = api_.get(config_map("shared")).value();
    return api::Metadata(shared).owner_references().size() == 1;
  }));
  ASSERT_TRUE(api_.remove(config_map("right"), {.propagation = Propagation::Background}).ok());
  EXPECT_TRUE(wait_until([&] { return is_gone(config_map("shared")); }));
}

TEST_F(KeepingUp, ForegroundOwnersWaitForThoseThatBlockThem) {
  const Value owner = create_owned("owner", {});
  create_owned("part", {owner}, Blocks::Yes, "example.com/hold");
  ASSERT_TRUE(api_.remove(config_map("owner"), {.propagation = Propagation::Foreground}).ok());
  EXPECT_TRUE(wait_until([&] {
    const auto part = api_.get(config_map("part"));
    return part.ok() && api::Metadata(*part).is_being_deleted();
  }));
  collect_once();
  EXPECT_TRUE(exists(config_map("owner")));
  let_go(config_map("part"));
  EXPECT_TRUE(wait_until([&] { return is_gone(config_map("owner")); }));
}

TEST_F(KeepingUp, OrphansStay) {
  const Value owner = create_owned("owner", {});
  create_owned("part", {owner});
  ASSERT_TRUE(api_.remove(config_map("owner"), {.propagation = Propagation::Orphan}).ok());
  EXPECT_TRUE(wait_until([&] { return is_gone(config_map("owner")); }));
  collect_once();
  const auto part = api_.get(config_map("part"));
  ASSERT_TRUE(part.ok());
  EXPECT_TRUE(api::Metadata(*part).owner_references().empty());
}

TEST_F(KeepingUp, GarbageOfKindsThatCameLaterIsCollectedToo) {
  create(R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: laters.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: laters, singular: later, kind: Later, listKind: LaterList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
)");
  const client::Gvr laters{"example.com", "v1", "laters"};
  ASSERT_TRUE(wait_until_served(api_, laters));
  const Value owner = create_owned("owner", {});
  create("{apiVersion: example.com/v1, kind: Later, metadata: {name: l, namespace: " + ns_ +
         ", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: " +
         std::string(api::Metadata(owner).uid()) + "}]}}");
  ASSERT_TRUE(api_.remove(config_map("owner")).ok());
  EXPECT_TRUE(wait_until([&] { return is_gone({.resource = laters, .ns = ns_, .name = "l"}); }));
}

TEST_F(KeepingUp, TokenSecretsAreFilledAndGoWithTheirAccount) {
  create("{apiVersion: v1, kind: ServiceAccount, metadata: {name: bot, namespace: " + ns_ + "}}");
  create(
      "{apiVersion: v1, kind: Secret, type: kubernetes.io/service-account-token, metadata: "
      "{name: t, namespace: " +
      ns_ + ", annotations: {kubernetes.io/service-account.name: bot}}}");
  const ResourcePath secret{.resource = upkeep::secrets(), .ns = ns_, .name = "t"};
  EXPECT_TRUE(wait_until([&] {
    return api::text_field(api::field(api_.get(secret).value(), "data"), "token") ==
           encode_base64("a-token");
  }));
  ASSERT_TRUE(api_.remove({.resource = upkeep::service_accounts(), .ns = ns_, .name = "bot"}).ok());
  EXPECT_TRUE(wait_until([&] { return is_gone(secret); }));
}

TEST_F(KeepingUp, ApprovedCertificateRequestsAreSigned) {
  const std::string request =
      pki::make_request(pki::PrivateKey::generate(), {.common_name = "ann"}).value();
  create(
      "{apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, metadata: {name: "
      "ann}, spec: {signerName: kubernetes.io/kube-apiserver-client, usages: [client auth], "
      "request: " +
      encode_base64(request) + "}}");
  ResourcePath path{.resource = upkeep::certificate_signing_requests(), .name = "ann"};
  const Value approved = Value::object({{"type", "Approved"}, {"status", "True"}});
  path.subresource = "approval";
  const auto answer = api_.patch(
      path, Value::object({{"status", Value::object({{"conditions", Value::array({approved})}})}}),
      {});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  path.subresource = "";
  std::string certificate;
  ASSERT_TRUE(wait_until([&] {
    certificate = api::text_field(api::field(api_.get(path).value(), "status"), "certificate");
    return !certificate.empty();
  }));
  const auto read = pki::Certificate::from_pem(decode_base64(certificate).value());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->subject.common_name, "ann");
}

TEST_F(KeepingUp, OldEventsGoAndYoungOnesStay) {
  const auto event = [this](const std::string& name, const std::string& time) {
    create("{apiVersion: v1, kind: Event, metadata: {name: " + name + ", namespace: " + ns_ +
           "}, involvedObject: {namespace: " + ns_ + "}, lastTimestamp: \"" + time + "\"}");
  };
  event("old", "2020-01-01T00:00:00Z");
  event("young", "2999-01-01T00:00:00Z");
  EXPECT_TRUE(wait_until(
      [&] { return is_gone({.resource = upkeep::events(), .ns = ns_, .name = "old"}); }));
  EXPECT_TRUE(exists({.resource = upkeep::events(), .ns = ns_, .name = "young"}));
}

TEST_F(KeepingUp, RolesAreAggregated) {
  const auto rules = [this](const std::string& name) {
    const auto role = api_.get({.resource = upkeep::cluster_roles(), .name = name});
    return role.ok() ? api::elements_field(*role, "rules").size() : 0;
  };
  // kube-apiserver itself brings these three, and leaves their rules to the controller manager.
  EXPECT_TRUE(
      wait_until([&] { return rules("admin") > 10 && rules("edit") > 10 && rules("view") > 5; }));
  const std::size_t before = rules("view");
  create(
      "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: more, "
      "labels: {rbac.authorization.k8s.io/aggregate-to-view: \"true\"}}, rules: [{apiGroups: "
      "[example.com], resources: [things], verbs: [get]}]}");
  EXPECT_TRUE(wait_until([&] { return rules("view") == before + 1; }));
  ASSERT_TRUE(api_.remove({.resource = upkeep::cluster_roles(), .name = "more"}).ok());
  EXPECT_TRUE(wait_until([&] { return rules("view") == before; }));
}

TEST_F(KeepingUp, WatchesGoOnAfterARestartOfTheServer) {
  ASSERT_TRUE(server_->restart().ok());
  const Value owner = create_owned("owner", {});
  create_owned("part", {owner});
  ASSERT_TRUE(api_.remove(config_map("owner")).ok());
  EXPECT_TRUE(wait_until([&] { return is_gone(config_map("part")); }));
}

}  // namespace
}  // namespace berth::kube
