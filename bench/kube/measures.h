// What benchmarks on whole servers have in common: many requests at a time, and what the operating
// system knows of a process.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "kube/blocking_api.h"

namespace berth::bench {

using Clock = std::chrono::steady_clock;

// Requests that are sent many at a time; each begins the next.
class Crowd {
 public:
  using Send = std::function<void(client::Api&, int, client::Done)>;

  Crowd(client::Api& api, int count, Send send) : api_(api), count_(count), send_(std::move(send)) {
    for (int i = 0; i < kInFlight; ++i) next();
  }

  bool is_done() const { return answered_ == count_; }
  const std::string& error() const { return error_; }

 private:
  static constexpr int kInFlight = 64;

  void next() {
    if (sent_ == count_) return;
    send_(api_, sent_++, [this](const Result<json::Value>& answer) {
      ++answered_;
      if (!answer.ok()) error_ = answer.error().message;
      next();
    });
  }

  client::Api& api_;
  int count_;
  Send send_;
  int sent_ = 0;
  int answered_ = 0;
  std::string error_ = {};
};

inline void send_all(kube::BlockingApi& api, int count, const Crowd::Send& send) {
  std::unique_ptr<Crowd> crowd;
  api.on_loop([&] { crowd = std::make_unique<Crowd>(api.api(), count, send); });
  api.eventually([&] { return crowd->is_done(); }, std::chrono::seconds(1800));
  if (!crowd->error().empty()) std::fprintf(stderr, "%s\n", crowd->error().c_str());
}

// VmRSS, VmHWM and the like.
inline double megabytes(pid_t process, const std::string& name) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) {
      return std::strtod(line.c_str() + name.size() + 1, nullptr) / 1024;
    }
  }
  return 0;
}

// Megabytes of a file that a process has in memory as it is, code above all: the kernel may drop
// them, and processes of the same files share them.
struct FilePages {
  double resident = 0;
  double touched = 0;  // Of these, since forget_touches().
};

// By the file's name, libraries included.
inline std::map<std::string, FilePages> file_pages(pid_t process) {
  std::map<std::string, FilePages> pages;
  std::string file;
  double resident = 0;
  double referenced = 0;
  std::ifstream maps(fmt::format("/proc/{}/smaps", process));
  for (std::string line; std::getline(maps, line);) {
    const auto amount = [&line](std::string_view name) {
      return std::strtod(line.c_str() + name.size(), nullptr) / 1024;
    };
    if (line.starts_with("Rss:")) {
      resident = amount("Rss:");
    } else if (line.starts_with("Referenced:")) {
      referenced = amount("Referenced:");
    } else if (line.starts_with("Anonymous:")) {
      resident -= amount("Anonymous:");  // Written to: not the file's any more.
      if (file.empty() || resident <= 0) continue;
      pages[file].resident += resident;
      pages[file].touched += std::min(referenced, resident);
    } else if (line.find('-') < line.find(' ')) {
      const std::size_t slash = line.rfind('/');
      file = slash == line.npos ? "" : line.substr(slash + 1);
    }
  }
  return pages;
}

inline void forget_touches(pid_t process) {
  std::ofstream(fmt::format("/proc/{}/clear_refs", process)) << 1;
}

inline double cpu_seconds(pid_t process) {
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string word;
  double ticks = 0;
  for (int i = 1; i <= 15 && stat >> word; ++i) {
    if (i >= 14) ticks += std::strtod(word.c_str(), nullptr);
  }
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// How long it took, at most `patience`.
inline double wait_for(const std::function<bool()>& holds, Clock::duration patience) {
  const auto began = Clock::now();
  while (!holds() && Clock::now() - began < patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return std::chrono::duration<double>(Clock::now() - began).count();
}

// Of the last minute.
inline double load_average() {
  double load[1] = {0};
  ::getloadavg(load, 1);
  return load[0];
}

inline void print_load(const char* when) {
  std::puts(fmt::format("load {}: {:.1f} on {} cores", when, load_average(),
                        std::thread::hardware_concurrency())
                .c_str());
  std::fflush(stdout);
}

// What the command line says at that place; without it the usual.
inline int number_at(std::span<char*> arguments, std::size_t place, int usual) {
  return arguments.size() > place ? std::atoi(arguments[place]) : usual;
}

}  // namespace berth::bench
