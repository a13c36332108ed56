#include "placement/prioritizer.h"

namespace berth::placement {

std::string_view note_text(Note note) {
  switch (note) {
    case Note::None:
      return "";
    case Note::NoData:
      return "no data";
    case Note::NoReport:
      return "no report";
    case Note::NoScore:
      return "report lacks the score";
    case Note::IsExpired:
      return "report expired";
  }
  return "";
}

}  // namespace berth::placement
