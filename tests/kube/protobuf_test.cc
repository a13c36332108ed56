// Objects in protobuf read as the JSON that the very same code in Go would have sent.

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/base64.h"
#include "client/informer_service.h"
#include "client/protobuf/decoder.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/oracle.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using json::Value;

TEST(Protobuf, RandomObjectsReadAsTheirJson) {
  constexpr std::size_t kCount = 3000;
  const auto pairs = ask_oracle("protobuf-pairs " + std::to_string(kCount));
  ASSERT_EQ(pairs.size(), kCount) << "run the tests with make test-kube";
  for (const std::string& line : pairs) {
    const Value pair = json::parse(line).value();
    const Value& object = *pair.find("object");
    const auto plan =
        client::protobuf::DecodingPlan::of_whole(object.find("kind")->string_or_empty());
    const auto bytes = decode_base64(pair.find("protobuf")->string_or_empty());
    const auto read = client::protobuf::Decoder(plan).decode(bytes.value());
    ASSERT_TRUE(read.ok()) << read.error().message;
    ASSERT_TRUE(without_nulls(*read) == without_nulls(object)) << json::print(object) << "\n"
                                                               << json::print(*read);
  }
}

// A cache over all pods of a server, filled the one way or the other.
class Pods {
 public:
  Pods(BlockingApi& api, client::WireFormat wire) : api_(api) {
    api_.on_loop([&] {
      informer_ = std::make_unique<client::InformerService>(
          api_.env(), api_.api(),
          client::InformerSpec{.collection = {.resource = {.version = "v1", .resource = "pods"}},
                               .wire = wire});
      informer_->start();
    });
  }
  ~Pods() {
    api_.on_loop([&] { informer_.reset(); });
  }

  std::vector<std::string> bodies(std::size_t count) {
    EXPECT_TRUE(api_.eventually([&] { return informer_->store().size() == count; }));
    std::vector<std::string> bodies;
    api_.on_loop([&] {
      for (const auto& object : informer_->store().objects()) {
        bodies.push_back(json::print(without_nulls(object->body())));
      }
      EXPECT_EQ(informer_->trouble(), "");
    });
    return bodies;
  }

 private:
  BlockingApi& api_;
  std::unique_ptr<client::InformerService> informer_;
};

TEST(Protobuf, ACacheHoldsWhatJsonWouldHaveBrought) {
  auto server = Server::start({});
  ASSERT_TRUE(server.ok()) << server.error().message;
  BlockingApi api((*server)->kubeconfig());
  Pods compact(api, client::WireFormat::Compact);
  const auto pods = json::parse(R"([
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "labels": {"app": "x"}},
     "spec": {"containers": [{"name": "c", "image": "i", "ports": [{"containerPort": 80}],
                "readinessProbe": {"httpGet": {"port": "http"}},
                "resources": {"requests": {"cpu": "100m", "memory": "1Gi"}}}],
              "volumes": [{"name": "v", "hostPath": {"path": "/x"}}],
              "tolerations": [{"operator": "Exists"}]}},
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b"},
     "spec": {"containers": [{"name": "c", "image": "i"}], "nodeName": "n"}}])");
  for (const Value& pod : pods->elements()) {
    const auto created =
        api.create({.resource = {.version = "v1", .resource = "pods"}, .ns = "default"}, pod);
    ASSERT_TRUE(created.ok()) << created.error().message;
  }
  Pods json_only(api, client::WireFormat::Json);
  const auto expected = json_only.bodies(2);
  const auto found = compact.bodies(2);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(json::parse(found[i]).value() == json::parse(expected[i]).value())
        << found[i] << "\n"
        << expected[i];
  }
}

}  // namespace
}  // namespace berth::kube
