#include "cli/run/elo_curve.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"

namespace joseki::cli {

std::string EloCurve(std::span<const book::Estimate> points, std::string_view label,
                     std::string_view left, std::string_view right) {
  if (points.empty()) return "";
  constexpr double kLeft = 60;
  constexpr double kWidth = 640;
  constexpr double kHeight = 160;
  double least = 0;
  double most = 50;
  for (const book::Estimate& point : points) {
    for (const double elo : {point.value, point.low, point.high}) {
      if (!std::isfinite(elo)) continue;
      least = std::min(least, elo);
      most = std::max(most, elo);
    }
  }
  const auto x = [&](size_t point) {
    return kLeft + kWidth * (static_cast<double>(point) + 0.5) / static_cast<double>(points.size());
  };
  const auto y = [&](double elo) { return 10 + kHeight * (most - elo) / (most - least); };
  std::string line;
  std::string bars;
  for (size_t i = 0; i < points.size(); ++i) {
    const book::Estimate& point = points[i];
    absl::StrAppendFormat(&line, "%s%.1f,%.1f", i == 0 ? "" : " ", x(i), y(point.value));
    if (!std::isfinite(point.low) || !std::isfinite(point.high)) continue;
    absl::StrAppendFormat(
        &bars,
        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"var(--one)\" "
        "stroke-opacity=\"0.4\" stroke-width=\"6\"/>",
        x(i), x(i), y(point.high), y(point.low));
  }
  return absl::StrFormat(
      "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">"
      "<line x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"var(--line)\"/>%s"
      "<polyline fill=\"none\" stroke=\"var(--one)\" stroke-width=\"2\" points=\"%s\"/>"
      "<text x=\"0\" y=\"20\">%+.0f Elo</text><text x=\"0\" y=\"%.1f\">0</text>"
      "<text x=\"%g\" y=\"%g\">%s</text>"
      "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%s</text></svg>\n",
      kLeft + kWidth + 10, kHeight + 40, std::string(label), kLeft, kLeft + kWidth, y(0), y(0),
      bars, line, most, y(0) + 4, kLeft, kHeight + 30, std::string(left), kLeft + kWidth,
      kHeight + 30, std::string(right));
}

}  // namespace joseki::cli
