#include "cli/match/options.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/database_file.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/formats/book_file.h"
#include "book/play_fields.h"
#include "book/play_spec.h"
#include "cli/field_flags.h"
#include "cli/match/book.h"
#include "proto/limits.h"
#include "worker/play/embedded_engine.h"
#include "worker/play/usi/engine_set.h"

namespace joseki::cli {
namespace {

constexpr char kNoBook[] = "none";
constexpr const char* kFlags[2] = {"--a", "--b"};
// Limit of a test that names none.
constexpr uint32_t kMostPairs = 100'000;

absl::Status Usage(const std::string& flag, const std::string& found, const std::string& expected) {
  return MakeProblem({.code = "usage", .file = flag, .found = Quote(found), .expected = expected});
}

absl::StatusOr<book::PlayRules::Choice> ChoiceOf(const std::string& name) {
  const auto choice = NamedValue<book::PlayRules::Choice>(book::kChoiceNames, name);
  if (choice) return *choice;
  return Usage("--choice", name, "answer, range or share");
}

absl::StatusOr<std::optional<book::Sprt>> SprtOf(const MatchArguments& arguments) {
  if (arguments.sprt.empty()) return std::optional<book::Sprt>();
  book::Sprt sprt;
  const std::vector<std::string> bounds = absl::StrSplit(arguments.sprt, ',');
  // Beyond 1000 Elo a score is practically 0 or 1.
  if (bounds.size() != 2 || !absl::SimpleAtod(bounds[0], &sprt.elo0) ||
      !absl::SimpleAtod(bounds[1], &sprt.elo1) || !(sprt.elo0 < sprt.elo1) ||
      !(sprt.elo0 >= -1000) || !(sprt.elo1 <= 1000)) {
    return Usage("--sprt", arguments.sprt, "ELO0,ELO1 with ELO0 below ELO1, within 1000");
  }
  sprt.model =
      arguments.elo_model == "normalised" ? book::EloModel::kNormalised : book::EloModel::kLogistic;
  sprt.alpha = arguments.alpha;
  sprt.beta = arguments.beta;
  return std::optional<book::Sprt>(sprt);
}

// The NAME=VALUE options of one side.
absl::StatusOr<std::map<std::string, std::string>> OptionsOf(const MatchArguments& arguments,
                                                             book::Side side) {
  std::map<std::string, std::string> options;
  for (const std::vector<std::string>& words : arguments.set) {
    const std::string& who = words.at(0);
    const std::string& what = words.at(1);
    if (who != "A" && who != "B" && who != "a" && who != "b") {
      return Usage("--set", who, "A or B, then NAME=VALUE");
    }
    const size_t equals = what.find('=');
    if (equals == std::string::npos || equals == 0 ||
        what.find_first_of("\r\n") != std::string::npos) {
      return Usage("--set", what, "NAME=VALUE");
    }
    const bool of_a = who == "A" || who == "a";
    if (of_a != (side == book::Side::kA)) continue;
    if (!options.emplace(what.substr(0, equals), what.substr(equals + 1)).second) {
      return Usage("--set", what, "each name once for a side");
    }
  }
  return options;
}

// A side's text BOOK[@ENGINE] or ENGINE, split.
struct SideName {
  std::string book;  // empty: none
  std::string engine = book::kEmbeddedEngine;
};

bool CanBeRead(const std::string& file) { return std::ifstream(file).good(); }

// What is wrong with a side that is neither an engine nor a file: perhaps only its last part.
absl::Status NoSide(const std::string& text, const char* flag) {
  Problem problem{
      .code = "usage",
      .file = flag,
      .found = absl::StrCat(Quote(text), ", neither a file that can be read nor an engine"),
      .expected =
          "BOOK, BOOK@ENGINE or ENGINE: a book's file or \"none\", and \"embedded\" or "
          "an engine of --engines"};
  const size_t at = text.rfind('@');
  const std::string book = text.substr(0, at);
  if (at != std::string::npos && (book == kNoBook || CanBeRead(BookFileOf(book)))) {
    problem.found =
        absl::StrCat(Quote(text), ", where ", Quote(text.substr(at + 1)), " is no engine");
    problem.expected = "\"embedded\" or an engine of --engines behind @";
  } else if (const size_t hash = text.rfind('#');
             hash != std::string::npos && CanBeRead(text.substr(0, hash))) {
    problem.found =
        absl::StrCat(Quote(text), ", where ", Quote(text.substr(hash)), " is no part of a book");
    problem.expected =
        "#frequency, #R, #R/STAGES, #R:input, #R:frequency or #R:opponent, R being a run's number";
  }
  return MakeProblem(std::move(problem));
}

absl::StatusOr<SideName> SideNameOf(const std::string& text, const char* flag,
                                    const worker::EngineEntries& engines) {
  const auto known = [&](const std::string& id) {
    return id == book::kEmbeddedEngine || engines.contains(id);
  };
  SideName name;
  if (known(text)) {
    name.engine = text;
    return name;
  }
  const size_t at = text.rfind('@');
  const bool named = at != std::string::npos && known(text.substr(at + 1));
  name.book = named ? text.substr(0, at) : text;
  if (named) name.engine = text.substr(at + 1);
  if (name.book == kNoBook) {
    name.book.clear();
  } else if (!named && !CanBeRead(BookFileOf(text))) {
    return NoSide(text, flag);
  }
  return name;
}

absl::Status Identify(MatchSide& side, const worker::EngineEntries& engines, const Rules& rules,
                      const char* flag) {
  worker::PlaySpec& play = side.play;
  play.game = rules.game();
  if (play.engine_id == book::kEmbeddedEngine) {
    side.engine_name = "Joseki embedded";
    const worker::EmbeddedEngine& engine = worker::EmbeddedEngineOf(rules.game());
    play.engine_signature = engine.signature();
    return At(engine.check_options(play.engine_options), "--set");
  }
  side.entry = engines.at(play.engine_id);
  // Allow every option: engines file and command line belong to the same user.
  for (const auto& [name, value] : play.engine_options) side.entry->allow_options.insert(name);
  RETURN_IF_ERROR(At(worker::CheckRun(*side.entry, play), flag));
  ASSIGN_OR_RETURN(const worker::EngineIdentity identity,
                   worker::Identify(*side.entry, rules,
                                    worker::EmbeddedEngineOf(rules.game()).bench(), nullptr));
  side.engine_name = identity.name;
  play.engine_signature = identity.signature;
  play.weights_sha256 = identity.weights_sha256;
  return absl::OkStatus();
}

absl::StatusOr<MatchStarts> StartsOf(const MatchArguments& arguments, const Rules& rules) {
  MatchStarts starts;
  if (arguments.starts.empty()) return starts;
  starts.name = arguments.starts;
  const auto from_book = [&]() -> absl::StatusOr<MatchStarts> {
    ASSIGN_OR_RETURN(LoadedBook book, LoadBook(rules, arguments.starts));
    starts.book = std::move(book.book);
    starts.sha256 = std::move(book.sha256);
    starts.rules.choice = book::PlayRules::Choice::kShare;
    starts.rules.max_plies = static_cast<int>(arguments.start_plies);
    return starts;
  };
  if (IsBookDatabaseAt(BookFileOf(arguments.starts))) return from_book();
  ASSIGN_OR_RETURN(const std::string text, ReadFile(arguments.starts));
  if (book::BookFormatOf(text)) return from_book();
  ASSIGN_OR_RETURN(starts.lines, ParseStarts(rules, text, arguments.starts));
  starts.sha256 = Hex(Sha256Of(text));
  return starts;
}

}  // namespace

void AddMatchOptions(CLI::App& command, MatchArguments& arguments) {
  for (const int side : {0, 1}) {
    const std::string letter = side == 0 ? "a" : "b";
    command
        .add_option("--" + letter, arguments.sides[side],
                    "BOOK, BOOK@ENGINE or ENGINE; BOOK is none, FILE, FILE#frequency, FILE#RUN, "
                    "FILE#RUN/STAGES, or FILE#RUN with :input, :frequency or :opponent")
        ->required()
        ->type_name("SIDE");
    command.add_option("--nodes-" + letter, arguments.side_nodes[side], "--nodes of one side")
        ->type_name("N")
        ->check(Within(uint64_t{1}, kMaxNodes));
    command
        .add_option("--move-ms-" + letter, arguments.side_move_ms[side], "--move-ms of one side")
        ->type_name("MS")
        ->check(Within(uint32_t{1}, kMaxMoveMs))
        ->excludes("--nodes-" + letter);
    command.add_option("--choice-" + letter, arguments.side_choice[side], "--choice of one side")
        ->check(OneOf(WordsOf(book::kChoiceNames)));
  }
  command
      .add_option("--engines", arguments.engines, "file with engines (docs/reference/engines.md)")
      ->type_name("FILE");
  CLI::Option* const pairs =
      command
          .add_option("--pairs", arguments.pairs,
                      "pairs of games to play, at most; a pair has each side move first once")
          ->type_name("N")
          ->check(Within(uint32_t{1}, kMaxPairs));
  command.add_option("--games", arguments.games, "the same in games")
      ->type_name("N")
      ->check(Within(uint64_t{2}, uint64_t{2} * kMaxPairs))
      ->excludes(pairs);
  AddPlayOptions(command, arguments.play);
  command.add_option("--set", arguments.set, "an option of one side's engine: --set A NAME=VALUE")
      ->type_size(2)
      ->type_name("SIDE NAME=VALUE");
  command
      .add_option("--choice", arguments.choice,
                  "how books are played: their answers, the largest weight + r with r random in "
                  "0..range x gap, or each move by its share")
      ->check(OneOf(WordsOf(book::kChoiceNames)))
      ->capture_default_str();
  command
      .add_option("--range", arguments.range,
                  "of --choice range, in gaps: the largest difference between two weights of a "
                  "position of the book")
      ->type_name("X")
      ->check(Within(0.0, kMaxRange))
      ->capture_default_str();
  command
      .add_option("--deviation", arguments.deviation,
                  "chance at each book position that the side leaves its book there (0.008 in the "
                  "thesis)")
      ->type_name("P")
      ->check(Within(0.0, 1.0))
      ->capture_default_str();
  command
      .add_option("--max-book-plies", arguments.max_book_plies,
                  "books are not asked after this ply; 0: no limit")
      ->type_name("M")
      ->check(Within(uint32_t{0}, kMaxBookPlies));
  command
      .add_option(
          "--starts", arguments.starts,
          "where pairs begin: a file of SFEN or FEN positions or lines of moves, or a book, from "
          "which lines are drawn by share")
      ->type_name("FILE");
  command.add_option("--start-plies", arguments.start_plies, "of lines drawn from a book")
      ->type_name("M")
      ->check(Within(uint32_t{1}, kMaxBookPlies))
      ->capture_default_str();
  command
      .add_option("--sprt", arguments.sprt,
                  "end when it is decided whether A is ELO0 or ELO1 better than B")
      ->type_name("ELO0,ELO1");
  command.add_option("--elo-model", arguments.elo_model, "what Elo means in --sprt")
      ->check(OneOf({"logistic", "normalised"}))
      ->capture_default_str();
  for (const auto& [flag, value, what] :
       {std::tuple("--alpha", &arguments.alpha, "chance to accept ELO1 where ELO0 is true"),
        std::tuple("--beta", &arguments.beta, "chance to accept ELO0 where ELO1 is true")}) {
    command.add_option(flag, *value, what)
        ->type_name("P")
        ->check(Within(0.0001, 0.4999))
        ->capture_default_str();
  }
  command
      .add_option("--seed", arguments.seed, "seed of every choice by chance; without it a new one")
      ->type_name("S")
      ->check(AnyWhole());
}

absl::StatusOr<MatchSettings> MatchOf(const MatchArguments& arguments, uint64_t fresh_seed,
                                      const Rules& rules, const BookLoader& load) {
  MatchSettings settings;
  settings.seed = arguments.seed.value_or(fresh_seed);
  ASSIGN_OR_RETURN(settings.series.sprt, SprtOf(arguments));
  settings.series.pairs =
      arguments.games > 0 ? static_cast<uint32_t>((arguments.games + 1) / 2) : arguments.pairs;
  if (settings.series.pairs == 0) {
    if (!settings.series.sprt) return Usage("--pairs", "none", "--pairs, --games or --sprt");
    settings.series.pairs = kMostPairs;
  }
  worker::EngineEntries engines;
  if (!arguments.engines.empty()) {
    ASSIGN_OR_RETURN(engines, worker::ReadEnginesFile(arguments.engines));
  }
  ASSIGN_OR_RETURN(settings.starts, StartsOf(arguments, rules));
  for (const book::Side which : {book::Side::kA, book::Side::kB}) {
    const int i = Index(which);
    MatchSide& side = settings.sides[i];
    side.name = arguments.sides[i];
    ASSIGN_OR_RETURN(const SideName name, SideNameOf(side.name, kFlags[i], engines));
    worker::PlaySpec& play = side.play;
    play.engine_id = name.engine;
    ASSIGN_OR_RETURN(play.engine_options, OptionsOf(arguments, which));
    // A side's own limit overrides that of both, and also decides between time and nodes.
    play.move_ms =
        arguments.side_move_ms[i].value_or(arguments.side_nodes[i] ? 0 : arguments.play.move_ms);
    if (play.move_ms == 0) play.nodes = arguments.side_nodes[i].value_or(arguments.play.nodes);
    play.jitter_percent = arguments.play.jitter_percent;
    play.match = arguments.play.match;
    if (arguments.play.resign.below > 0) {
      play.resign = {arguments.play.resign.below, arguments.play.resign.moves, 0};
    }
    RETURN_IF_ERROR(Identify(side, engines, rules, kFlags[i]));
    if (name.book.empty()) continue;
    ASSIGN_OR_RETURN(
        side.rules.choice,
        ChoiceOf(arguments.side_choice[i].empty() ? arguments.choice : arguments.side_choice[i]));
    const bool answers = side.rules.choice == book::PlayRules::Choice::kAnswer;
    ASSIGN_OR_RETURN(LoadedBook book,
                     load(rules, name.book, answers ? FileWeights::kReader : FileWeights::kCounts));
    side.book = std::move(book.book);
    side.book_name = name.book;
    side.book_sha256 = std::move(book.sha256);
    // Draw moves as the book's own reader does.
    if (book.draws) side.rules.choice = book::PlayRules::Choice::kShare;
    side.rules.range = arguments.range;
    side.rules.deviation = arguments.deviation;
    side.rules.max_plies = static_cast<int>(arguments.max_book_plies);
  }
  return settings;
}

}  // namespace joseki::cli
