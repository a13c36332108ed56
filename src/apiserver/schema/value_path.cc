#include "apiserver/schema/value_path.h"

#include <vector>

#include <fmt/format.h>

namespace berth::apiserver {

std::string ValuePath::text() const {
  std::vector<const ValuePath*> steps;
  for (const ValuePath* it = this; !it->is_root(); it = it->before_) steps.push_back(it);
  std::string text;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const ValuePath& it = *steps[i];
    switch (it.step_) {
      case Step::Name:
        if (!text.empty()) text += '.';
        text += it.name_;
        break;
      case Step::Key:
        text += fmt::format("[{}]", it.name_);
        break;
      case Step::Index:
        text += fmt::format("[{}]", it.index_);
        break;
    }
  }
  return text;
}

}  // namespace berth::apiserver
