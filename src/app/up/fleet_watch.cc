// Tested by tests/kube/up_test.cc.
#include "app/up/fleet_watch.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "fleet/registration/names.h"
#include "placement/explaining/explain_text.h"
#include "placement/fleet/watched_kinds.h"
#include "placement/situation.h"

namespace berth::app {
namespace {

constexpr Duration kPeriod = std::chrono::milliseconds(500);
constexpr std::size_t kLately = 8;
constexpr std::size_t kReasonsMax = 3;

constexpr const char* kClear = "\033[H\033[J";  // Home, and nothing below.

using placement::Watched;

// Lines that do not fit would take two, and push the first ones out of sight.
std::string cut_lines(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) {
    lines.emplace_back(cut_utf8(line, columns));
  }
  return join(lines, "\n");
}

}  // namespace

FleetWatch::FleetWatch(const env::Env& env, FleetWatchSettings settings)
    : env_(env),
      settings_(std::move(settings)),
      api_(env, settings_.hub, {.user_agent = "berth-up"}),
      informers_(env, api_) {
  using local::FleetPicture;
  follow(resource_of(Watched::Clusters), &FleetPicture::put_cluster);
  follow(resource_of(Watched::Scores), &FleetPicture::put_score);
  follow(resource_of(Watched::Decisions), &FleetPicture::put_decision);
  for (const Watched kind : placement::kWatched) informers_.of(resource_of(kind));  // For why().
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
  // The bars move between the hub's news.
  if (!std::exchange(has_changed_, false) && !settings_.is_terminal) return;
  for (const local::FleetNews& news : picture_.take_news()) {
    add_news(news.move ? news.text + why(*news.move) : news.text);
  }
  if (settings_.is_terminal) draw();
  std::fflush(stdout);
}

// The clusters that it went to and those that it left, as things are now: " (a has 7 points; ...)".
std::string FleetWatch::why(const local::FleetNews::Move& move) {
  const std::size_t slash = move.placement.find('/');
  const api::ObjectKey key{move.placement.substr(0, slash), move.placement.substr(slash + 1)};
  placement::Situation situation({});
  for (const Watched kind : {Watched::Placements, Watched::Clusters, Watched::Sets,
                             Watched::Bindings, Watched::Scores, Watched::Decisions}) {
    for (const client::ObjectPtr& object : informers_.of(resource_of(kind)).store().objects()) {
      situation.put(kind, object->body());
    }
  }
  const placement::CompiledPlacement* placement = situation.find(key);
  if (!placement) return "";
  std::vector<std::string> clusters;
  std::ranges::set_difference(move.to, move.from, std::back_inserter(clusters));
  std::ranges::set_difference(move.from, move.to, std::back_inserter(clusters));
  std::vector<std::string> reasons;
  for (const std::string& cluster : clusters) {
    if (reasons.size() == kReasonsMax) break;
    reasons.push_back(in_short(explain_cluster(*placement, situation.fleet(), env_.clock.now(),
                                               situation.options(), cluster)));
  }
  return fmt::format(" ({})", join(reasons, "; "));
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
  const auto [rows, columns] = terminal_size();
  std::string text = settings_.heading + "\n" +
                     picture_.table(rows > around + 3 ? rows - around : 3, settings_.use_of) + "\n";
  for (const std::string& line : lately_) text += line + "\n";
  std::fputs((kClear + cut_lines(text, columns)).c_str(), stdout);
}

FleetWatch::TerminalSize FleetWatch::terminal_size() {
  winsize size = {};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
  return known ? TerminalSize{size.ws_row, size.ws_col} : TerminalSize();
}

}  // namespace berth::app
