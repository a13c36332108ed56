// What the system knows about this process: the process_* metrics of Prometheus' client libraries.

#pragma once

#include <string>
#include <vector>

namespace berth::runtime {

struct ProcessFact {
  std::string name;
  std::string help;
  double value = 0;
  bool is_counter = false;
};

// What cannot be read is left out.
std::vector<ProcessFact> read_process_facts();

}  // namespace berth::runtime
