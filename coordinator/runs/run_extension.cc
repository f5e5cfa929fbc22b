#include "coordinator/runs/run_extension.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/runs/run_load.h"
#include "proto/limits.h"

namespace joseki::coordinator {
namespace {

absl::Status Refuse(std::string code, std::string found, std::string expected) {
  return MakeProblem(
      {.code = std::move(code), .found = std::move(found), .expected = std::move(expected)},
      absl::StatusCode::kFailedPrecondition);
}

}  // namespace

absl::StatusOr<RunRow> Extended(RunRow run, const MoreToPlay& more, const RunProgress& progress) {
  RunSpec& spec = run.spec;
  const bool done = run.state == "done";
  RETURN_IF_ERROR(CheckTunes(run));
  if (!done && run.over()) {
    return Refuse("run_state", absl::StrCat("run ", run.run, " is ", run.state),
                  "a run that is running, paused or done");
  }
  if (progress.staged) {
    return Refuse("has_stages",
                  absl::StrCat("run ", run.run, " by ", spec.policy, ", whose stages have their ",
                               "numbers of games"),
                  "a rule without stages, or a new run");
  }
  Extension extension{more.games, more.seconds, progress.games, 1, false, more.request_id};
  uint64_t games = progress.games;
  uint64_t seconds = static_cast<uint64_t>(run.played_ms / 1000);
  if (done) {
    games = more.games == 0 ? 0 : games + more.games;
    seconds = more.seconds == 0 ? 0 : seconds + more.seconds;
  } else {
    if ((more.games > 0 && spec.games == 0) || (more.seconds > 0 && spec.seconds == 0)) {
      return Refuse("no_limit",
                    absl::StrCat("run ", run.run, " without a limit of ",
                                 spec.games == 0 && more.games > 0 ? "games" : "time"),
                    "a limit that can be raised");
    }
    const Budget asked = AskedBudget(spec);
    extension.games += asked.games;
    extension.seconds += asked.seconds;
    games = spec.games + more.games;
    seconds = spec.seconds + more.seconds;
  }
  if (games > kMaxRunGames || seconds > kMaxRunSeconds) {
    return Refuse("too_much", absl::StrCat(games, " games and ", seconds, " s in all"),
                  absl::StrCat("at most ", kMaxRunGames, " and ", kMaxRunSeconds));
  }
  extension.regardless = progress.nothing_left;
  if (spec.extension) {
    extension.times += spec.extension->times;
    extension.regardless |= !done && spec.extension->regardless;
  }
  spec.games = games;
  spec.seconds = seconds;
  spec.extension = std::move(extension);
  if (done) {
    run.state = "running";
    run.reason.clear();
  }
  return run;
}

}  // namespace joseki::coordinator
