#include "kube/caretaker.h"

#include "apiserver/certificates/signing.h"
#include "base/base64.h"
#include "kube/contents.h"
#include "kube/controller_manager.h"

namespace berth::kube {
namespace {

Result<std::string> signed_by(const pki::Authority& authority, const json::Value& request,
                              Time now) {
  ASSIGN_OR_RETURN(const auto answer,
                   apiserver::sign_csr(
                       request, {.authority = authority, .life_max = std::chrono::hours(1)}, now));
  const json::Value* certificate = answer ? answer->find_path({"status", "certificate"}) : nullptr;
  if (!certificate) return failure(Code::Invalid, "this signer does not sign such requests");
  return decode_base64(certificate->string_or_empty());
}

// All of it that is promised, and no more: others make the pods.
constexpr const char* kUpkeep =
    "garbage-collector-controller,namespace-controller,serviceaccount-controller,"
    "root-ca-certificate-publisher-controller,certificatesigningrequest-signing-controller";

}  // namespace

pki::Authority authority_of(const Server& server) {
  const std::filesystem::path pki = server.folder() / "pki";
  auto authority = pki::Authority::from_pem(contents(pki / "ca.crt"), contents(pki / "ca.key"));
  CHECK(authority.ok());
  return *std::move(authority);
}

Caretaker::Caretaker(const Server& server)
    : authority_(authority_of(server)), api_(server.kubeconfig()) {
  if (server.kind() == ServerKind::EmbeddedHub) return;
  if (has_controller_manager(server)) {
    auto manager = start_controller_manager(server, kUpkeep);
    CHECK(manager.ok());
    manager_ = *std::move(manager);
    return;
  }
  api_.on_loop([&] {
    upkeep_ = std::make_unique<upkeep::Upkeep>(
        api_.env(), api_.api().config(),
        upkeep::UpkeepSettings{
            .ca_pem = contents(server.folder() / "pki" / "ca.crt"),
            .sign_token = nullptr,
            .sign_certificate = [this](const json::Value& request,
                                       Time now) { return signed_by(authority_, request, now); },
            .definitions = upkeep::DefinitionCleanup::ByServer});
    upkeep_->start();
  });
}

Caretaker::~Caretaker() {
  api_.on_loop([this] { upkeep_.reset(); });
}

}  // namespace berth::kube
