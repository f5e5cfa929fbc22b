#include "cli/run/course.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "book/stats/interval.h"
#include "cli/words/page_phrases.h"
#include "cli/words/phrases.h"
#include "coordinator/runs/line_searches.h"

namespace joseki::cli {
namespace {

constexpr size_t kMostParts = 12;
constexpr double kWide = 1.96;  // standard errors on either side of a 95 % interval

uint64_t TrialsOf(const Course& course) {
  uint64_t trials = 0;
  for (const book::TrialCourse::Part& part : course) trials += part.trials;
  return trials;
}

double EloAt(double score) { return book::EloOf(std::clamp(score, 0.001, 0.999)); }

}  // namespace

Course CourseOf(const coordinator::LoadedRun& run) {
  if (run.line_searches == nullptr) return {};
  return run.line_searches->repertoire().course().Parts(kMostParts);
}

std::string CourseWords(const Course& course, const Voice& voice) {
  if (course.empty()) return "";
  std::string words;
  for (const book::TrialCourse::Part& part : course) {
    absl::StrAppendFormat(&words, "%s%+.0f", words.empty() ? "" : " ", EloAt(part.score));
  }
  const book::TrialCourse::Part& last = course.back();
  const double half =
      (EloAt(last.score + kWide * last.error) - EloAt(last.score - kWide * last.error)) / 2;
  return voice.Say(phrase::kCourse, words, course.size(), TrialsOf(course),
                   absl::StrFormat("%.0f", half));
}

Json CourseJson(const Course& course) {
  Json parts = Json::array();
  for (const book::TrialCourse::Part& part : course) {
    parts.push_back({{"trials", part.trials},
                     {"score", part.score},
                     {"error", part.error},
                     {"elo", EloAt(part.score)}});
  }
  return parts;
}

std::string CourseSvg(const Course& course, const Voice& voice) {
  if (course.empty()) return "";
  constexpr double kLeft = 60;
  constexpr double kWidth = 640;
  constexpr double kHeight = 160;
  double least = 0;
  double most = 50;
  for (const book::TrialCourse::Part& part : course) {
    least = std::min(least, EloAt(part.score - kWide * part.error));
    most = std::max(most, EloAt(part.score + kWide * part.error));
  }
  const auto x = [&](size_t part) {
    return kLeft + kWidth * (static_cast<double>(part) + 0.5) / static_cast<double>(course.size());
  };
  const auto y = [&](double elo) { return 10 + kHeight * (most - elo) / (most - least); };
  std::string line;
  std::string bars;
  for (size_t i = 0; i < course.size(); ++i) {
    const book::TrialCourse::Part& part = course[i];
    absl::StrAppendFormat(&line, "%s%.1f,%.1f", i == 0 ? "" : " ", x(i), y(EloAt(part.score)));
    absl::StrAppendFormat(
        &bars,
        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"var(--one)\" "
        "stroke-opacity=\"0.4\" stroke-width=\"6\"/>",
        x(i), x(i), y(EloAt(part.score + kWide * part.error)),
        y(EloAt(part.score - kWide * part.error)));
  }
  return absl::StrFormat(
      "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">"
      "<line x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"var(--line)\"/>%s"
      "<polyline fill=\"none\" stroke=\"var(--one)\" stroke-width=\"2\" points=\"%s\"/>"
      "<text x=\"0\" y=\"20\">%+.0f Elo</text><text x=\"0\" y=\"%.1f\">0</text>"
      "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%s</text></svg>\n",
      kLeft + kWidth + 10, kHeight + 40,
      voice.Say(phrase::kExpectedGainIs, CourseWords(course, voice)), kLeft, kLeft + kWidth, y(0),
      y(0), bars, line, most, y(0) + 4, kLeft + kWidth, kHeight + 30,
      voice.Say(phrase::kTrialsCount, TrialsOf(course)));
}

}  // namespace joseki::cli
