#include "cli/experiment/notes.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace joseki::cli {

ExperimentReport Begin(const Laboratory& lab, const char* name, const char* title) {
  const ExperimentArguments& arguments = lab.arguments();
  ExperimentReport report;
  report.name = name;
  report.title = title;
  Json settings;
  settings["games"] = arguments.games;
  settings["columns"] = arguments.columns;
  settings["nodes"] = arguments.nodes;
  settings["pairs"] = arguments.pairs;
  settings["max_plies"] = arguments.max_plies;
  settings["plies"] = arguments.plies;
  settings["filter"] = arguments.filter;
  settings["seed"] = arguments.seed;
  report.data["settings"] = std::move(settings);
  return report;
}

void NoteSources(const Laboratory& lab, ExperimentReport& report) {
  if (!lab.has_professionals()) {
    report.notes.push_back(
        "No source says who was a professional: all players count as others, so Type-5b weighs as "
        "Type-2 does and Type-5c as Type-5a.");
  }
}

void NotePlay(const Laboratory& lab, ExperimentReport& report) {
  report.notes.push_back(absl::StrCat(
      "Engine: the embedded one at ", lab.arguments().nodes,
      " nodes a move, +- 20 %, on both sides; the thesis had TACOS, its time a move is not known. "
      "Games come in pairs of one chance with colours exchanged, the same games counted once."));
  report.notes.push_back(
      "Books are played without a random term, leaving the book with probability 0.008; equal "
      "weights fall to chance. Whether the thesis had its random term on is not said.");
}

absl::StatusOr<ExperimentReport> Finish(const Laboratory& lab, ExperimentReport& report,
                                        const absl::Status& status) {
  if (!status.ok() && !absl::IsCancelled(status)) return status;
  report.interrupted = !status.ok() || lab.interrupted();
  return std::move(report);
}

}  // namespace joseki::cli
