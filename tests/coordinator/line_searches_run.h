#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "coordinator/offline/audit.h"
#include "coordinator/runs/line_searches.h"
#include "gtest/gtest.h"
#include "tests/coordinator/searching_run.h"

namespace joseki::coordinator {

// A coordinator and workers of runs that search along lines.
class LineSearchesRun : public SearchingRun {
 protected:
  static RunSpec Spec(uint64_t games, uint32_t share = 50) {
    RunSpec spec = testing::ToySpec(games, "response");
    spec.line_searches = {.nodes = 10 * spec.play.nodes, .share = share};
    return spec;
  }

  // The answers that the searches gave, by the rows: "position: move of nodes".
  std::map<PackedPosition, std::string> Answers(RunId run) {
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const LoadedRun loaded = LoadRun(*store, rules_, run).value();
    std::map<PackedPosition, std::string> answers;
    loaded.line_searches->repertoire().ForEachAnswer(
        [&](const Key&, const PackedPosition& at, int, const book::Repertoire::Answer& answer) {
          answers[at] = rules_.Text(answer.move) + " of " + std::to_string(answer.nodes);
        });
    return answers;
  }
  void ExpectAudited() {
    coordinator_.reset();
    auto store = book::Store::Open(path_, book::OpenMode::kReadOnly).value();
    const AuditReport report = Audit(*store, rules_).value();
    EXPECT_GT(report.evaluations, 0u);
    EXPECT_EQ(report.mismatches, 0u);
  }
};

}  // namespace joseki::coordinator
