#include "engine/learn_moves_command.h"

#include <cstddef>
#include <functional>
#include <iomanip>
#include <optional>
#include <ostream>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "base/steady_clock.h"
#include "engine/learn_lines.h"
#include "engine/learn_state.h"
#include "engine/shogi/learn/bonanza.h"
#include "engine/shogi/learn/part_folder.h"
#include "engine/shogi/sfen.h"

namespace joseki {
namespace {

// Moves to learn from, and those of games held out.
struct Lessons {
  std::vector<learn::Lesson> training;
  std::vector<learn::Lesson> held;
};

absl::StatusOr<Lessons> LessonsOf(const std::vector<PlayedLine>& lines, int held_out) {
  Lessons lessons;
  for (size_t game = 0; game < lines.size(); ++game) {
    shogi::Position position = lines[game].start;
    const bool apart = (game + 1) % static_cast<size_t>(held_out) == 0;
    for (const Move move : lines[game].moves) {
      const auto alone = shogi::ParseSfen(shogi::ToSfen(position, 1));
      if (!alone.ok()) return alone.status();
      (apart ? lessons.held : lessons.training).push_back({alone->position, move});
      shogi::Undo undo;
      position.Do(move, undo);
    }
  }
  return lessons;
}

absl::StatusOr<learn::Share> ParsePart(const std::string& text) {
  constexpr size_t kMostParts = 10000;
  const std::vector<std::string> numbers = absl::StrSplit(text, '/');
  learn::Share part;
  if (numbers.size() != 2 || !absl::SimpleAtoi(numbers[0], &part.index) ||
      !absl::SimpleAtoi(numbers[1], &part.count) || part.index < 1 || part.index > part.count ||
      part.count > kMostParts) {
    return MakeProblem({.code = "bad_part_number",
                        .file = "--part",
                        .found = Quote(text),
                        .expected = absl::StrCat("I/N, I from 1 to N, N at most ", kMostParts)});
  }
  --part.index;
  return part;
}

// All that the sums of a round depend on but the weights.
absl::StatusOr<std::string> RunOf(const LearnMovesArguments& arguments) {
  ASSIGN_OR_RETURN(const nlohmann::ordered_json games, HashesOf(arguments.games));
  return absl::StrFormat("games=%s held_out=%d width=%.17g penalty=%.17g step=%d",
                         HashOfSettings(games), arguments.held_out, arguments.width,
                         arguments.penalty, arguments.step);
}

}  // namespace

absl::Status LearnMoves(const LearnMovesArguments& arguments, std::ostream& out) {
  ASSIGN_OR_RETURN(const std::string run, RunOf(arguments));
  learn::Share share;
  const SteadyClock clock(Clock::System());
  std::optional<learn::PartFolder> parts;
  if (!arguments.part.empty()) {
    ASSIGN_OR_RETURN(share, ParsePart(arguments.part));
    parts.emplace(learn::PartFolderOptions{.folder = arguments.folder,
                                           .part = share,
                                           .run = run,
                                           .patience = absl::Seconds(arguments.wait_seconds)},
                  clock, absl::SleepFor);
  }
  ASSIGN_OR_RETURN(const std::vector<PlayedLine> lines, ReadPlayedLines(arguments.games));
  ASSIGN_OR_RETURN(const Lessons lessons, LessonsOf(lines, arguments.held_out));
  if (lessons.training.empty() || lessons.held.empty()) {
    return MakeProblem({.code = "too_few_games",
                        .file = arguments.games.empty() ? "" : arguments.games.front(),
                        .found = absl::StrCat(lines.size(), " games"),
                        .expected = "moves to learn from and games to hold out"});
  }
  learn::BonanzaLearner learner({.threads = arguments.threads,
                                 .width = arguments.width,
                                 .penalty = arguments.penalty,
                                 .first_step = arguments.step});
  if (!arguments.state.empty()) {
    ASSIGN_OR_RETURN(const std::optional<LearnState> state,
                     ReadLearnState(arguments.state, HashOfSettings(run)));
    if (state) RETURN_IF_ERROR(learner.Restore(state->learner, arguments.state));
  }
  out << lines.size() << " games, " << lessons.training.size() << " moves to learn from, "
      << lessons.held.size() << " of games held out" << std::endl;
  // Over all lessons, searched here or by all parts.
  auto total =
      [&](const std::string& stage,
          const std::function<learn::BonanzaSums()>& own) -> absl::StatusOr<learn::BonanzaSums> {
    if (!parts) return own();
    return parts->Total(absl::StrCat(stage, "-", learner.rounds()), learner.Save(), own);
  };
  auto ask = [&] {
    return total("gradient", [&] { return learner.Ask(lessons.training, share); });
  };
  auto measure = [&] {
    return total("held", [&] { return learner.Measure(lessons.held, share); });
  };
  auto show = [&](const learn::BonanzaSums& sums) {
    const learn::BonanzaMeans means = learn::MeansOf(sums);
    out << std::fixed << std::setprecision(4) << means.objective << " better moves a position, "
        << means.agreement << " agreed";
  };
  if (learner.rounds() == 0) {
    ASSIGN_OR_RETURN(const learn::BonanzaSums before, measure());
    out << "before: held out ";
    show(before);
    out << std::endl;
  }
  auto write = [&] {
    return WriteFileAtomically(arguments.out, shogi::WriteWeights(learner.Rounded()));
  };
  auto over = [&] { return learner.done() || learner.rounds() >= arguments.rounds; };
  // The state may be of a learning that was over before its weights were written.
  if (over()) return write();
  while (!over()) {
    ASSIGN_OR_RETURN(const learn::BonanzaSums sums, ask());
    const int step = learner.Step(sums);
    ASSIGN_OR_RETURN(const learn::BonanzaSums held, measure());
    out << "round " << learner.rounds() << ", step " << step << ": ";
    show(sums);
    out << "; held out ";
    show(held);
    out << std::endl;
    // After this part's files of the round, which a life that begins here does not write.
    if (!arguments.state.empty()) {
      RETURN_IF_ERROR(WriteLearnState(arguments.state, HashOfSettings(run),
                                      nlohmann::ordered_json::object(), learner.Save()));
    }
    RETURN_IF_ERROR(write());
  }
  return absl::OkStatus();
}

}  // namespace joseki
