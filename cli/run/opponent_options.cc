#include "cli/run/opponent_options.h"

#include <fstream>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/hash.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/play_book.h"
#include "book/play_fields.h"
#include "book/play_spec.h"
#include "cli/boards/game_view.h"
#include "cli/field_flags.h"
#include "cli/match/book.h"
#include "cli/run/policy_arguments.h"
#include "coordinator/model/opponent_spec.h"
#include "proto/limits.h"
#include "worker/play/embedded_engine.h"
#include "worker/play/usi/engines_file.h"

namespace joseki::cli {
namespace {

constexpr char kNoBook[] = "none";
constexpr char kFlag[] = "--opponent";

using Choice = book::PlayRules::Choice;

struct Named {
  std::string book;  // empty: none
  std::string engine = book::kEmbeddedEngine;
};

absl::StatusOr<Named> NamedOf(const std::string& text, const worker::EngineEntries& engines) {
  Named named{text, book::kEmbeddedEngine};
  const size_t at = text.rfind('@');
  if (text == book::kEmbeddedEngine || engines.contains(text)) {
    named = {kNoBook, text};
  } else if (at != std::string::npos && IsId(text.substr(at + 1))) {
    named = {text.substr(0, at), text.substr(at + 1)};
  }
  if (named.book == kNoBook) {
    named.book.clear();
  } else if (!std::ifstream(BookFileOf(named.book)).good()) {
    return MakeProblem({.code = "usage",
                        .file = kFlag,
                        .found = Quote(text),
                        .expected = "BOOK, BOOK@ENGINE or none@ENGINE: a book's file, and an "
                                    "engine's id"});
  }
  return named;
}

}  // namespace

void AddOpponentOptions(CLI::App& command, OpponentArguments& arguments) {
  CLI::Option* const opponent =
      command
          .add_option(kFlag, arguments.opponent,
                      "play against another book, or an engine, instead of against itself: BOOK, "
                      "BOOK@ENGINE or none@ENGINE, as of joseki match")
          ->type_name("BOOK@ENGINE");
  std::vector<std::string> sides = SideWords();
  sides.emplace_back(NameIn(book::kSideNames, book::Opponent::Side::kBoth));
  command.add_option("--side", arguments.side, "the side that the tuned book has")
      ->check(OneOf(sides))
      ->needs(opponent)
      ->capture_default_str();
  command
      .add_option("--opponent-choice", arguments.choice,
                  "how the opponent plays its book: its answers, the largest weight + r with r "
                  "random in 0..range x gap, or each move by its share")
      ->check(OneOf(WordsOf(book::kChoiceNames)))
      ->needs(opponent)
      ->capture_default_str();
  command.add_option("--opponent-range", arguments.range, "of --opponent-choice range, in gaps")
      ->type_name("X")
      ->check(Within(0.0, kMaxRange))
      ->needs(opponent)
      ->capture_default_str();
  CLI::Option* const nodes =
      command.add_option("--opponent-nodes", arguments.nodes, "nodes of the opponent's engine")
          ->type_name("N")
          ->check(Within(uint64_t{1}, kMaxNodes))
          ->needs(opponent);
  command
      .add_option("--opponent-move-ms", arguments.move_ms,
                  "milliseconds of the opponent's engine for each move")
      ->type_name("MS")
      ->check(Within(uint32_t{1}, kMaxMoveMs))
      ->needs(opponent)
      ->excludes(nodes);
  command
      .add_option("--opponent-option", arguments.engine_options, "option of the opponent's engine")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->needs(opponent);
}

std::string SideWord(const coordinator::PlaySpec& play) {
  const GameView& view = ViewOf(play.game);
  switch (play.opponent->side) {
    case book::Opponent::Side::kBlack:
      return std::string(view.first);
    case book::Opponent::Side::kWhite:
      return std::string(view.second);
    case book::Opponent::Side::kBoth:
      break;
  }
  return std::string(NameIn(book::kSideNames, book::Opponent::Side::kBoth));
}

absl::StatusOr<std::string> SetOpponent(const OpponentArguments& arguments,
                                        const SpecArguments& asked, const Rules& rules,
                                        coordinator::RunSpec& spec) {
  std::string bytes;
  const std::string& engines = asked.engines;
  if (arguments.opponent.empty()) return bytes;
  worker::EngineEntries entries;
  if (!engines.empty()) {
    ASSIGN_OR_RETURN(entries, worker::ReadEnginesFile(engines));
  }
  ASSIGN_OR_RETURN(const Named named, NamedOf(arguments.opponent, entries));
  coordinator::Opponent opponent;
  if (arguments.side != NameIn(book::kSideNames, book::Opponent::Side::kBoth)) {
    ASSIGN_OR_RETURN(const Color side, SideNamed(rules, arguments.side, "--side"));
    opponent.side =
        side == Color::kFirst ? book::Opponent::Side::kBlack : book::Opponent::Side::kWhite;
  }
  opponent.rules.choice = *NamedValue<Choice>(book::kChoiceNames, arguments.choice);
  if (opponent.rules.choice == Choice::kRange) opponent.rules.range = arguments.range;
  // Identify the opponent's engine as the run's own.
  coordinator::PlaySpec play;
  play.game = spec.play.game;
  play.engine_id = named.engine;
  ASSIGN_OR_RETURN(play.engine_options, PairsOf(arguments.engine_options, "--opponent-option"));
  play.move_ms = arguments.move_ms.value_or(arguments.nodes ? 0 : spec.play.move_ms);
  play.nodes = play.move_ms > 0 ? 0 : arguments.nodes.value_or(spec.play.nodes);
  if (named.engine == book::kEmbeddedEngine) {
    const worker::EmbeddedEngine& engine = worker::EmbeddedEngineOf(spec.play.game);
    RETURN_IF_ERROR(At(engine.check_options(play.engine_options), kFlag));
    play.engine_signature = engine.signature();
  } else if (!engines.empty()) {
    RETURN_IF_ERROR(IdentifyEngine(engines, play));
  }
  opponent.engine_id = play.engine_id;
  opponent.engine_signature = play.engine_signature;
  opponent.engine_options = play.engine_options;
  opponent.nodes = play.nodes;
  opponent.move_ms = play.move_ms;
  opponent.engine_name = play.engine_name;
  opponent.weights_sha256 = play.weights_sha256;
  if (!named.book.empty()) {
    ASSIGN_OR_RETURN(const LoadedBook book,
                     LoadBook(rules, named.book,
                              opponent.rules.choice == Choice::kAnswer ? FileWeights::kReader
                                                                       : FileWeights::kCounts));
    if (book.draws) opponent.rules.choice = Choice::kShare;
    ASSIGN_OR_RETURN(const book::Graph shipped, book::ShippedBook(rules, *book.book));
    bytes = shipped.Serialize();
    const Sha256 sha256 = Sha256Of(bytes);
    opponent.book.assign(sha256.begin(), sha256.end());
  }
  spec.play.opponent = std::move(opponent);
  // After the opponent's own moves, the run's book resumes where the game is back in it.
  spec.play.re_entry = true;
  spec.play.re_entry_games = asked.run.play.re_entry_games;
  SetUsual(asked, spec);
  return bytes;
}

}  // namespace joseki::cli
