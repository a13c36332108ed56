// Defaults of services, endpoints, ingresses and network policies.

#include <string>
#include <string_view>
#include <utility>

#include "apiserver/defaults/kind_rules.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

using json::Value;

// A service has one address, and its family follows from it. Without one and without a selector,
// the endpoints that somebody else writes may be of both families.
Value with_addresses(Value spec) {
  if (text_of(spec, "type") == "ExternalName") return spec;
  const std::string address(text_of(spec, "clusterIP"));
  const Value* selector = spec.find("selector");
  const bool is_open = address == "None" && (!selector || selector->size() == 0);
  const bool is_v6 = address.find(':') != std::string::npos;
  const Value families =
      is_open ? Value::array({"IPv4", "IPv6"}) : Value::array({is_v6 ? "IPv6" : "IPv4"});
  if (is_missing(spec.find("ipFamilyPolicy"))) {
    spec["ipFamilyPolicy"] = is_open ? "RequireDualStack" : "SingleStack";
  }
  if (spec["ipFamilies"].size() == 0) spec["ipFamilies"] = families;
  if (!address.empty() && spec["clusterIPs"].size() == 0) {
    spec["clusterIPs"] = Value::array({address});
  }
  return spec;
}

// Sessions stick for three hours, or not at all.
Value with_affinity(Value spec) {
  if (text_of(spec, "sessionAffinity") != "ClientIP") {
    spec.erase("sessionAffinityConfig");
    return spec;
  }
  const Value* timeout = spec.find_path({"sessionAffinityConfig", "clientIP", "timeoutSeconds"});
  if (!timeout) {
    spec["sessionAffinityConfig"] =
        Value::object({{"clientIP", Value::object({{"timeoutSeconds", 10800}})}});
  }
  return spec;
}

Value with_traffic_policy(Value spec) {
  const std::string type(text_of(spec, "type"));  // A copy: what is added moves the members.
  const Value* external = spec.find("externalIPs");
  const bool has_external_ips = external && external->size() > 0;
  const bool is_outside =
      type == "NodePort" || type == "LoadBalancer" || (type == "ClusterIP" && has_external_ips);
  if (is_outside && is_missing(spec.find("externalTrafficPolicy"))) {
    spec["externalTrafficPolicy"] = "Cluster";
  }
  if (type != "ExternalName" && is_missing(spec.find("internalTrafficPolicy"))) {
    spec["internalTrafficPolicy"] = "Cluster";
  }
  return spec;
}

Value adjust_service(Value spec) {
  return with_traffic_policy(with_affinity(with_addresses(std::move(spec))));
}

constexpr DefaultRule kServicePort[] = {
    {"protocol", "TCP"},
    {.member = "targetPort", .value = copy_of("port"), .zero = Zero::IsMissing}};
constexpr RuleGroup kServicePortRules = {.rules = kServicePort};
constexpr DefaultRule kServiceSpec[] = {
    {"sessionAffinity", "None"},
    {"type", "ClusterIP"},
    {"allocateLoadBalancerNodePorts", true, if_equals("type", "LoadBalancer")}};
constexpr Inclusion kInServiceSpec[] = {{"ports[]", &kServicePortRules}};
constexpr RuleGroup kServiceSpecRules = {
    .rules = kServiceSpec, .includes = kInServiceSpec, .adjust = adjust_service};
constexpr DefaultRule kBalanced[] = {{"loadBalancer", kEmptyObject}};
constexpr DefaultRule kIngressMode[] = {{"ipMode", "VIP", if_present("ip")}};
constexpr RuleGroup kIngressModeRules = {.rules = kIngressMode};
constexpr Inclusion kInServiceStatus[] = {{"loadBalancer.ingress[]", &kIngressModeRules}};
constexpr RuleGroup kServiceStatusRules = {.rules = kBalanced, .includes = kInServiceStatus};
constexpr DefaultRule kWhole[] = {{"spec", kEmptyObject}, {"status", kEmptyObject}};
constexpr Inclusion kInService[] = {{"spec", &kServiceSpecRules}, {"status", &kServiceStatusRules}};
constexpr RuleGroup kServiceRules = {.rules = kWhole, .includes = kInService};

constexpr DefaultRule kProtocol[] = {{"protocol", "TCP"}};
constexpr RuleGroup kProtocolRules = {.rules = kProtocol};
constexpr Inclusion kInEndpoints[] = {{"subsets[].ports[]", &kProtocolRules}};
constexpr RuleGroup kEndpointsRules = {.includes = kInEndpoints};

// An empty name is a name: that of the only port.
Value with_port_name(Value port) {
  Value& name = port["name"];
  if (name.is_null()) name = "";
  return port;
}
constexpr RuleGroup kSlicePortRules = {.rules = kProtocol, .adjust = with_port_name};
constexpr DefaultRule kEndpoint[] = {{"conditions", kEmptyObject}};
constexpr RuleGroup kEndpointRules = {.rules = kEndpoint};
constexpr Inclusion kInSlice[] = {{"ports[]", &kSlicePortRules}, {"endpoints[]", &kEndpointRules}};
constexpr RuleGroup kSliceRules = {.includes = kInSlice};

Value with_policy_types(Value spec) {
  if (spec["policyTypes"].size() > 0) return spec;
  const Value* egress = spec.find("egress");
  Value types = Value::array({"Ingress"});
  if (egress && egress->size() > 0) types.push_back("Egress");
  spec["policyTypes"] = std::move(types);
  return spec;
}
constexpr DefaultRule kPolicySpec[] = {{"podSelector", kEmptyObject}};
constexpr Inclusion kInPolicySpec[] = {{"ingress[].ports[]", &kProtocolRules},
                                       {"egress[].ports[]", &kProtocolRules}};
constexpr RuleGroup kPolicySpecRules = {
    .rules = kPolicySpec, .includes = kInPolicySpec, .adjust = with_policy_types};
constexpr DefaultRule kSpecOnly[] = {{"spec", kEmptyObject}};
constexpr Inclusion kInPolicy[] = {{"spec", &kPolicySpecRules}};
constexpr RuleGroup kPolicyRules = {.rules = kSpecOnly, .includes = kInPolicy};

constexpr RuleGroup kIngressStatusRules = {.rules = kBalanced};
constexpr Inclusion kInIngress[] = {{"status", &kIngressStatusRules}};
constexpr RuleGroup kIngressRules = {.rules = kWhole, .includes = kInIngress};
constexpr DefaultRule kParameters[] = {{"scope", "Cluster"}};
constexpr RuleGroup kParametersRules = {.rules = kParameters};
constexpr Inclusion kInIngressClass[] = {{"spec.parameters", &kParametersRules}};
constexpr RuleGroup kIngressClassRules = {.rules = kSpecOnly, .includes = kInIngressClass};

constexpr KindRules kKinds[] = {
    {"", "Service", &kServiceRules},
    {"", "Endpoints", &kEndpointsRules},
    {"discovery.k8s.io", "EndpointSlice", &kSliceRules},
    {"networking.k8s.io", "NetworkPolicy", &kPolicyRules},
    {"networking.k8s.io", "Ingress", &kIngressRules},
    {"networking.k8s.io", "IngressClass", &kIngressClassRules},
};

}  // namespace

std::span<const KindRules> network_rules() { return kKinds; }

}  // namespace berth::apiserver
