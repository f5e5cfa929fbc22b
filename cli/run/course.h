#pragma once

#include <string>
#include <vector>

#include "book/tuning/trial_course.h"
#include "cli/context.h"
#include "coordinator/runs/run_load.h"

namespace joseki::cli {

// The course of a run's expected score, by equal parts of its trials.
using Course = std::vector<book::TrialCourse::Part>;
// The course of a run; empty if it has no trials, or too few.
Course CourseOf(const coordinator::LoadedRun& run);

// "+12 +40 +61 Elo by thirds of 900 trials, +- 12 the last"; empty for an empty course.
std::string CourseWords(const Course& course, const Voice& voice = Voice());
Json CourseJson(const Course& course);
// An SVG plot over the trials with the 95 % interval; empty for an empty course.
std::string CourseSvg(const Course& course, const Voice& voice = Voice());

}  // namespace joseki::cli
