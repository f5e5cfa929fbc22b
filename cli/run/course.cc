#include "cli/run/course.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "book/stats/interval.h"
#include "book/stats/pentanomial.h"
#include "cli/run/elo_curve.h"
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
  std::vector<book::Estimate> points;
  for (const book::TrialCourse::Part& part : course) {
    points.push_back({EloAt(part.score), EloAt(part.score - kWide * part.error),
                      EloAt(part.score + kWide * part.error)});
  }
  return EloCurve(points, voice.Say(phrase::kExpectedGainIs, CourseWords(course, voice)), "",
                  voice.Say(phrase::kTrialsCount, TrialsOf(course)));
}

}  // namespace joseki::cli
