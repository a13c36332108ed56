// An agent that is known on its hub: renews the cluster's lease there and tells how the cluster is.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "api/conditions.h"
#include "base/random.h"
#include "client/api_service.h"
#include "client/informer_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "control/recorder_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "fleet/registration/claims.h"
#include "fleet/registration/cluster_report.h"
#include "fleet/registration/names.h"

namespace berth::fleet {

struct SessionSettings {
  AgentName name;
  ClaimOptions claims = {};
  Duration period = std::chrono::minutes(1);  // Between two looks at the cluster's health.
};

class SessionController {
 public:
  // What there is to tell about the certificate.
  using CertificateCondition = std::function<std::optional<api::Condition>()>;

  // Both Apis outlive the controller.
  SessionController(const env::Env& env, client::Api& hub, client::Api& cluster,
                    SessionSettings settings, CertificateCondition certificate);

  // Whether the hub has accepted the cluster, as far as is known.
  bool is_accepted() const;

 private:
  enum class Task : std::uint8_t { Lease, Status };

  void work(Task task);
  void renew_lease();
  void end_lease(const Status& status);
  void probe(std::string path);
  void on_probe(const std::string& path, const Result<client::RestAnswer>& answer);
  void read_version(ProbeAnswer probe);
  void report(const ProbeAnswer& probe, Health::Verdict verdict);
  void end_report(const Status& status);
  void tell(const json::Value& before, const json::Value& after);
  const json::Value* own_cluster() const;
  bool is_out_of_sight() const;
  bool is_renewal_due() const;

  env::Env env_;
  client::Api& hub_;
  client::Api& cluster_;
  SessionSettings settings_;
  CertificateCondition certificate_;
  Random random_;
  Health health_;
  std::string version_ = {};
  std::optional<Instant> renewed_ = std::nullopt;  // When the lease was renewed last.
  bool told_since_ = true;                         // Something was told after that.
  mutable client::ObjectPtr own_ = nullptr;        // Keeps alive what own_cluster() points to.
  control::RecorderService recorder_;
  control::Committer committer_;
  client::InformerService clusters_;  // One: ours.
  client::InformerService nodes_;
  client::InformerService claims_;
  control::Reconciler<Task> reconciler_;
  env::Scope scope_;
};

}  // namespace berth::fleet
