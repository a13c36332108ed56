// Tested by tests/kube/up_test.cc.
#include "app/up/fleet_watch.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/rfc3339.h"
#include "fleet/registration/names.h"

namespace berth::app {
namespace {

constexpr Duration kPeriod = std::chrono::milliseconds(500);
constexpr std::size_t kLately = 8;
constexpr std::size_t kUsualHeight = 24;

constexpr const char* kClear = "\033[H\033[J";  // Home, and nothing below.

client::Gvr cluster_kind(const std::string& version, const std::string& resource) {
  return {"cluster.open-cluster-management.io", version, resource};
}

std::size_t height_of_terminal() {
  winsize size = {};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
  return known ? size.ws_row : kUsualHeight;
}

}  // namespace

FleetWatch::FleetWatch(const env::Env& env, FleetWatchSettings settings)
    : env_(env),
      settings_(std::move(settings)),
      api_(env, settings_.hub, {.user_agent = "berth-up"}),
      informers_(env, api_) {
  using local::FleetPicture;
  follow(cluster_kind("v1", "managedclusters"), &FleetPicture::put_cluster);
  follow(cluster_kind("v1alpha1", "addonplacementscores"), &FleetPicture::put_score);
  follow(cluster_kind("v1beta1", "placementdecisions"), &FleetPicture::put_decision);
  look();
}

FleetWatch::~FleetWatch() = default;

void FleetWatch::follow(const client::Gvr& resource, Put put) {
  informers_.of(resource).add_handler([this, put](const client::Delta& delta) {
    const client::ObjectKey key = delta.object().key();
    if (key.ns == fleet::kHubNamespace) return;  // Where add-ons go is no news.
    (picture_.*put)(key.text(), delta.after ? &delta.after->body() : nullptr);
    has_changed_ = true;
  });
}

void FleetWatch::look() {
  timer_ = env::after(env_.loop, env_.clock, kPeriod, scope_.guard([this] { look(); }));
  if (!std::exchange(has_changed_, false)) return;
  for (const std::string& news : picture_.take_news()) add_news(news);
  if (settings_.is_terminal) draw();
  std::fflush(stdout);
}

void FleetWatch::add_news(const std::string& text) {
  const std::string time = format_seconds(env_.clock.now()).substr(11, 8);
  lately_.push_back(fmt::format("{} {}", time, text.substr(0, text.find('\n'))));
  if (lately_.size() > kLately) lately_.pop_front();
  if (!settings_.is_terminal) fmt::print("{} {}\n", time, text);
}

void FleetWatch::tell(const std::string& text) {
  add_news(text);
  has_changed_ = true;
  std::fflush(stdout);
}

void FleetWatch::draw() const {
  const std::size_t around =
      static_cast<std::size_t>(std::ranges::count(settings_.heading, '\n')) + lately_.size() + 3;
  const std::size_t height = height_of_terminal();
  std::string text = kClear + settings_.heading + "\n" +
                     picture_.table(height > around + 3 ? height - around : 3) + "\n";
  for (const std::string& line : lately_) text += line + "\n";
  std::fputs(text.c_str(), stdout);
}

}  // namespace berth::app
