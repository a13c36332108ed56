#include "runtime/process_facts.h"

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <sys/resource.h>
#include <unistd.h>

namespace berth::runtime {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void add_memory(std::vector<ProcessFact>& facts) {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return;
  unsigned long pages = 0;
  unsigned long resident = 0;
  const int fields = std::fscanf(file, "%lu %lu", &pages, &resident);
  std::fclose(file);
  if (fields != 2) return;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  facts.push_back({.name = "process_virtual_memory_bytes",
                   .help = "Virtual memory size in bytes.",
                   .value = static_cast<double>(pages) * page});
  facts.push_back({.name = "process_resident_memory_bytes",
                   .help = "Resident memory size in bytes.",
                   .value = static_cast<double>(resident) * page});
}

void add_descriptors(std::vector<ProcessFact>& facts) {
  std::error_code error;
  const std::filesystem::directory_iterator open("/proc/self/fd", error);
  if (!error) {
    // One of them is the directory itself.
    const auto count = std::distance(begin(open), end(open)) - 1;
    facts.push_back({.name = "process_open_fds",
                     .help = "Number of open file descriptors.",
                     .value = static_cast<double>(count)});
  }
  rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    facts.push_back({.name = "process_max_fds",
                     .help = "Maximum number of open file descriptors.",
                     .value = static_cast<double>(limit.rlim_cur)});
  }
}

}  // namespace

std::vector<ProcessFact> read_process_facts() {
  std::vector<ProcessFact> facts;
  rusage usage;
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    facts.push_back({.name = "process_cpu_seconds_total",
                     .help = "Total user and system CPU time spent in seconds.",
                     .value = seconds(usage.ru_utime) + seconds(usage.ru_stime),
                     .is_counter = true});
  }
  add_memory(facts);
  add_descriptors(facts);
  return facts;
}

}  // namespace berth::runtime
