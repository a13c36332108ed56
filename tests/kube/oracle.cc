#include "kube/oracle.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace berth::kube {

using json::Value;

std::vector<std::string> ask_oracle(std::string_view arguments) {
  std::vector<std::string> lines;
  const char* oracle = std::getenv("BERTH_ORACLE");
  if (!oracle) return lines;
  const std::string command = std::string(oracle) + " " + std::string(arguments);
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return lines;
  std::string line;
  for (int byte = std::fgetc(pipe); byte != EOF; byte = std::fgetc(pipe)) {
    if (byte != '\n') {
      line += static_cast<char>(byte);
      continue;
    }
    lines.push_back(std::move(line));
    line.clear();
  }
  ::pclose(pipe);
  return lines;
}

Value without_nulls(const Value& value) {
  if (value.is_array()) {
    Value result = Value::array();
    for (const Value& element : value.elements()) result.push_back(without_nulls(element));
    return result;
  }
  if (!value.is_object()) return value;
  Value result = Value::object();
  for (const json::Member& member : value.members()) {
    if (!member.value.is_null()) result[member.name()] = without_nulls(member.value);
  }
  return result;
}

}  // namespace berth::kube
