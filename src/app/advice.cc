// Tested by docs/guides/mistakes.md, which tests/kube/guides_test.cc runs.
#include "app/advice.h"

#include <string_view>

#include <fmt/format.h>

#include "client/error_text.h"

namespace berth::app {
namespace {

struct Place {
  std::string_view resource;
  std::string_view command;  // That shows what there is.
};

constexpr Place kPlaces[] = {
    {"placements.", "berth get placements -A"},
    {"managedclusters.", "berth get clusters"},
    {"managedclustersets.", "berth get clustersets"},
    {"placementdecisions.", "berth get decisions -A"},
    {"addonplacementscores.", "berth get scores"},
    {"namespaces ", "kubectl get namespaces"},
};

std::string advice_for(const Error& error, const std::string& text, const http::Url& server) {
  switch (error.code) {
    case Code::Unauthorized:
      return "The server does not know this token or certificate, or it has expired: use a "
             "kubeconfig of this hub.";
    case Code::Forbidden:
      return "Ask an administrator of the hub for that right, or act as somebody else: --context, "
             "--kubeconfig.";
    case Code::NotFound:
      for (const Place& place : kPlaces) {
        if (text.contains(place.resource)) {
          return fmt::format("See what there is: {}", place.command);
        }
      }
      return "";
    default:
      break;
  }
  if (!text.contains("connect")) return "";
  if (server.scheme == http::Scheme::Http) {
    return fmt::format("The address begins with http://; hubs speak https://{}",
                       server.authority());
  }
  if (text.contains("certificate")) {
    return "The kubeconfig trusts another authority: it belongs to another hub, or to one that was "
           "made anew.";
  }
  return text.contains("refused") ? "Is the hub running?" : "";
}

}  // namespace

std::string text_with_advice(const Error& error, const http::Url& server) {
  std::string text = client::error_text(error, server);
  const std::string advice = advice_for(error, text, server);
  return advice.empty() ? text : fmt::format("{}\n{}", text, advice);
}

Error with_kubeconfig_advice(Error error) {
  const std::string& text = error.message;
  if (text.contains("No such file")) {
    error.message += "\nSay which file it is with --kubeconfig, or with the variable KUBECONFIG.";
  } else if (text.contains("context ") && text.contains("does not exist")) {
    error.message += "\nSee which there are: kubectl config get-contexts";
  } else if (text.contains("line ") && text.contains("column ")) {
    error.message += "\nIs that file a kubeconfig?";
  }
  return error;
}

}  // namespace berth::app
