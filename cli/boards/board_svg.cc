#include "cli/boards/board_svg.h"

#include <cmath>

#include "absl/strings/str_format.h"

namespace joseki::cli {

void AddSign(std::string& svg, SvgPoint at, std::string_view sign, bool turned) {
  absl::StrAppendFormat(
      &svg, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\"%s>%s</text>", at.x, at.y + 5,
      turned ? absl::StrFormat(" transform=\"rotate(180 %g %g)\"", at.x, at.y) : "",
      std::string(sign));
}

void AddArrow(std::string& svg, SvgPoint from, SvgPoint to, std::string_view colour) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const SvgPoint along{(to.x - from.x) / length, (to.y - from.y) / length};
  const SvgPoint base{to.x - 9 * along.x, to.y - 9 * along.y};
  absl::StrAppendFormat(&svg,
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                        "stroke-width=\"3\" opacity=\"0.8\"/><path d=\"M%.1f %.1fL%.1f %.1fL%.1f "
                        "%.1fZ\" fill=\"%s\" opacity=\"0.8\"/>",
                        from.x, from.y, base.x, base.y, std::string(colour), to.x, to.y,
                        base.x - 5 * along.y, base.y + 5 * along.x, base.x + 5 * along.y,
                        base.y - 5 * along.x, std::string(colour));
}

}  // namespace joseki::cli
