#pragma once

#include <string>
#include <vector>

#include "book/tuning/trial_course.h"
#include "cli/context.h"
#include "coordinator/runs/run_load.h"

namespace joseki::cli {

// How a run's expected score rose while it was searched, by equal parts of its trials.
using Course = std::vector<book::TrialCourse::Part>;
// Empty of a run without trials, or with too few.
Course CourseOf(const coordinator::LoadedRun& run);

// "+12 +40 +61 Elo by thirds of 900 trials, +- 12 the last"; empty of an empty course.
std::string CourseWords(const Course& course, const Voice& voice = Voice());
Json CourseJson(const Course& course);
// A line over the trials with its 95 % interval, as SVG; empty of an empty course.
std::string CourseSvg(const Course& course, const Voice& voice = Voice());

}  // namespace joseki::cli
