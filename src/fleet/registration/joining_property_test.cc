// The decisions of both sides played against each other over days: agents that lose everything but
// their secret after every step, hubs that are away, clocks that are wrong, requests of others.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "base/random.h"
#include "fleet/registration/certificate_step.h"
#include "fleet/registration/hub_identity.h"
#include "fleet/registration/renewal_approval.h"
#include "pki/authority.h"
#include "pki/request.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using json::Value;
using Kind = CertificateStep::Kind;

const Time kStart = Time::from_unix(1'800'000'000);
constexpr Duration kTick = 15min;
constexpr Duration kLife = 24h;
constexpr std::string_view kBootstrapUser =
    "system:serviceaccount:open-cluster-management:agent-registration-bootstrap";
const HubEndpoint kEndpoint{.entry = "hub", .server = "https://hub:6443"};

enum class Mistake { None, ApprovesByPrefix, ApprovesEverybody };

// A hub that approves renewals, signs what is approved, and forgets requests an hour later.
class Hub {
 public:
  explicit Hub(Mistake mistake = Mistake::None) : mistake_(mistake) {}

  void ask(Value request, const std::string& user) {
    const std::string name = fmt::format("request-{}", ++asked);
    request["metadata"]["name"] = name;
    request["spec"]["username"] = user;
    requests[name] = {.object = std::move(request)};
  }

  void work(Time now) {
    for (auto& [name, entry] : requests) {
      if (is_undecided(entry.object) && judges_renewal(entry.object)) approve(entry.object, now);
      const bool is_approved = !is_undecided(entry.object);
      if (is_approved && !entry.signed_at) {
        sign(entry.object, now);
        entry.signed_at = now;
      }
    }
    std::erase_if(requests, [now](const auto& item) {
      return item.second.signed_at && now - *item.second.signed_at > 1h;
    });
  }

  // What an administrator does, who looks at the cluster's name only.
  void accept(const std::string& cluster, Time now) {
    for (auto& [name, entry] : requests) {
      const auto agent = requested_agent(entry.object);
      if (!is_undecided(entry.object) || !agent.ok() || agent->cluster != cluster) continue;
      entry.object = approved(entry.object, "r", "m", now);
    }
  }

  std::size_t open_requests() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        requests, [](const auto& item) { return is_undecided(item.second.object); }));
  }

  struct Entry {
    Value object;
    std::optional<Time> signed_at = std::nullopt;
  };
  std::map<std::string, Entry> requests;
  int asked = 0;
  std::vector<std::string> wrong;  // What was approved by itself and should not have been.

 private:
  bool judges_renewal(const Value& request) const {
    if (mistake_ == Mistake::ApprovesEverybody) return true;
    if (mistake_ == Mistake::None) return is_renewal(request);
    const std::string user = api::text_field(api::field(request, "spec"), "username");
    const auto agent = requested_agent(request);
    return agent.ok() && group_of(agent->cluster).starts_with(user.substr(0, user.rfind(':')));
  }

  void approve(Value& request, Time now) {
    const auto agent = requested_agent(request);
    const std::string user = api::text_field(api::field(request, "spec"), "username");
    if (!agent.ok() || user != user_of(*agent)) wrong.push_back(user);
    request = approved(std::move(request), kRenewalReason, kRenewalMessage, now);
  }

  static void sign(Value& request, Time now) {
    static const pki::Authority authority =
        pki::Authority::make("ca", kStart - 24h, std::chrono::hours(24 * 365));
    const std::string pem =
        decode_base64(api::text_field(api::field(request, "spec"), "request")).value();
    const std::string certificate =
        pki::sign_request(authority, pki::Request::from_pem(pem).value(), {"client auth"},
                          {.now = now, .life = kLife})
            .value()
            .pem();
    request["status"]["certificate"] = encode_base64(certificate);
  }

  Mistake mistake_;
};

// An agent that forgets all but what is stored after every single write.
class Agent {
 public:
  explicit Agent(AgentName name, Duration ahead = Duration::zero())
      : name_(std::move(name)), ahead_(ahead) {}

  // Nothing can be asked of a hub that is away.
  void step(Hub* hub, Time now) {
    if (!hub) return;
    const Time seen = now + ahead_;
    const auto identity = read_identity(secret, name_, seen);
    const auto stored = secret.find(kPendingKey);
    const auto pending = pki::PrivateKey::from_pem(stored == secret.end() ? "" : stored->second);
    CertificateSituation situation{.name = name_, .now = seen};
    if (identity.ok()) situation.identity = &*identity;
    if (pending.ok()) situation.pending = &*pending;
    for (const auto& [name, entry] : hub->requests) {
      if (api::read_facts(entry.object).label(kClusterNameLabel) == name_.cluster) {
        situation.requests.push_back(&entry.object);
      }
    }
    const CertificateStep step = next_certificate_step(situation);
    if (step.kind == Kind::MakeKey) {
      secret[kPendingKey] = pki::PrivateKey::generate().pem();
    } else if (step.kind == Kind::Ask) {
      hub->ask(certificate_request(name_, *pending, Duration::zero()).value(), user(now));
    } else if (step.kind == Kind::Take) {
      secret = with_certificate(secret, kEndpoint, name_, step.certificate_pem);
    }
  }

  // As whom the hub knows it, by the hub's own clock.
  std::string user(Time now) const {
    const bool is_known = read_identity(secret, name_, now).ok();
    return is_known ? user_of(name_) : std::string(kBootstrapUser);
  }
  bool is_known(Time now) const { return user(now) == user_of(name_); }

  HubSecret secret;

 private:
  AgentName name_;
  Duration ahead_;
};

TEST(Joining, NeedsOneRequestHoweverOftenTheAgentIsRestarted) {
  Hub hub;
  Agent agent({.cluster = "paris", .agent = "a"});
  Time now = kStart;
  for (; now < kStart + 10h; now += kTick) {
    agent.step(&hub, now);
    hub.work(now);
  }
  EXPECT_EQ(hub.asked, 1);
  EXPECT_FALSE(agent.is_known(now)) << "nobody has let it in";
  hub.accept("paris", now);
  for (const Time end = now + 1h; now < end; now += kTick) {
    hub.work(now);
    agent.step(&hub, now);
  }
  EXPECT_TRUE(agent.is_known(now));
}

struct Outage {
  std::string_view what;
  Duration from;
  Duration length;
  Duration clock_ahead;
  int accepted_again;  // How often an administrator is needed after the first time.
};

// Over ten days, with certificates that are good for one.
TEST(Joining, SurvivesOutagesAndWrongClocks) {
  const Outage outages[] = {{"none", 0h, 0h, 0min, 0},
                            {"an hour before the renewal", 18h, 1h, 0min, 0},
                            {"an hour when it is due", 20h, 1h, 0min, 0},
                            {"longer than the certificate", 20h, 30h, 0min, 1},
                            {"a clock ten minutes ahead", 20h, 1h, 10min, 0},
                            {"a clock ten minutes behind", 20h, 1h, -10min, 0}};
  for (const Outage& outage : outages) {
    SCOPED_TRACE(outage.what);
    Hub hub;
    Agent agent({.cluster = "paris", .agent = "a"}, outage.clock_ahead);
    int accepted = 0;
    for (Time now = kStart; now < kStart + 240h; now += kTick) {
      const Duration age = now - kStart;
      const bool is_away = age >= outage.from && age < outage.from + outage.length;
      agent.step(is_away ? nullptr : &hub, now);
      if (is_away) continue;
      hub.work(now);
      if (hub.open_requests() > 0 && !agent.is_known(now)) {
        hub.accept("paris", now);
        ++accepted;
      }
      ASSERT_LE(hub.requests.size(), 3U);
    }
    EXPECT_TRUE(agent.is_known(kStart + 240h));
    EXPECT_EQ(accepted, 1 + outage.accepted_again);
    EXPECT_TRUE(hub.wrong.empty());
  }
}

constexpr Duration kTheft = 30h;  // Each agent renews once in that time.

// Agents of similar names, of which the first steals: asks for the others whenever it can. With so
// many requests of its own it may keep itself from renewing, but nobody else.
std::vector<std::string> wrongly_approved(Mistake mistake) {
  Hub hub(mistake);
  const std::vector<AgentName> names = {{.cluster = "cluster1", .agent = "a"},
                                        {.cluster = "cluster10", .agent = "a"},
                                        {.cluster = "cluster1", .agent = "b"}};
  std::vector<Agent> agents;
  for (const AgentName& name : names) agents.emplace_back(name);
  Random random(7);
  for (Time now = kStart; now < kStart + kTheft; now += kTick) {
    for (Agent& agent : agents) agent.step(&hub, now);
    hub.work(now);
    for (const AgentName& name : names) {
      if (now - kStart < 1h) hub.accept(name.cluster, now);
    }
    if (!random.chance(0.06)) continue;
    const pki::PrivateKey key = pki::PrivateKey::generate();
    for (const AgentName& victim : names) {
      const Value stolen = certificate_request(victim, key, Duration::zero()).value();
      if (victim != names[0] && now - kStart > 1h) hub.ask(stolen, user_of(names[0]));
    }
  }
  for (std::size_t i = 1; i < agents.size(); ++i) {
    EXPECT_TRUE(agents[i].is_known(kStart + kTheft)) << names[i].cluster << names[i].agent;
  }
  return hub.wrong;
}

TEST(Joining, GivesNobodyTheCertificateOfAnother) {
  EXPECT_TRUE(wrongly_approved(Mistake::None).empty());
}

TEST(Joining, IsCheckedByATestThatNoticesMistakes) {
  EXPECT_FALSE(wrongly_approved(Mistake::ApprovesByPrefix).empty());
  EXPECT_FALSE(wrongly_approved(Mistake::ApprovesEverybody).empty());
}

// Both read, one writes, the other is refused and reads again: they end with one identity.
TEST(Joining, LetsTwoAgentsShareOneSecret) {
  Hub hub;
  const AgentName name{.cluster = "paris", .agent = "a"};
  HubSecret shared;
  int version = 0;
  Agent agents[] = {Agent(name), Agent(name)};
  int seen[] = {0, 0};
  Time now = kStart;
  Random random(3);
  for (; now < kStart + 100h; now += kTick) {
    const std::size_t i = random.below(2);
    if (random.chance(0.5)) {  // Reads now, acts later.
      agents[i].secret = shared;
      seen[i] = version;
    }
    const HubSecret before = agents[i].secret;
    agents[i].step(&hub, now);
    if (agents[i].secret != before) {
      if (seen[i] == version) {
        shared = agents[i].secret;
        seen[i] = ++version;
      } else {
        agents[i].secret = before;  // Refused.
      }
    }
    hub.work(now);
    if (hub.open_requests() > 0) hub.accept("paris", now);
    ASSERT_LE(hub.requests.size(), kRequestsMax);
  }
  EXPECT_TRUE(read_identity(shared, name, now).ok());
  EXPECT_TRUE(hub.wrong.empty());
}

}  // namespace
}  // namespace berth::fleet
