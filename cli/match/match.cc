#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/cluster/local_cluster.h"
#include "cli/cluster/online.h"
#include "cli/commands.h"
#include "cli/fresh_seed.h"
#include "cli/match/cluster.h"
#include "cli/match/file.h"
#include "cli/match/game_of_books.h"
#include "cli/match/options.h"
#include "cli/match/report.h"
#include "cli/match/run.h"
#include "cli/progress.h"
#include "cli/record_files.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
#include "worker/play/cores.h"

namespace joseki::cli {
namespace {

struct MatchCommandArguments {
  MatchArguments match;
  std::string out;      // empty: a name made from the settings
  std::string format;   // of the records
  std::string records;  // file or folder; empty: none
  std::string event;    // of the records; empty: the two sides
  int concurrency = 0;  // 0: the usable cores
  Connection coordinator;
  bool on_cluster = false;
};

bool IsOver(const MatchFile& file, const book::SeriesRules& rules) {
  book::Series series(rules);
  for (const MatchGame& game : file.games()) series.Done(game.game, game.outcome);
  return series.state() != book::Series::State::kPlaying;
}

// The file of this match: the named one, else the first of these settings in this folder that has
// the given seed, or if none is given is unfinished, else a new one. FailedPrecondition
// "other_match" if the named one has another seed than the given one.
absl::StatusOr<std::unique_ptr<MatchFile>> OpenFile(const MatchCommandArguments& arguments,
                                                    const MatchSettings& settings,
                                                    const Rules& rules) {
  const Json json = SettingsJson(settings);
  const std::optional<uint64_t>& seed = arguments.match.seed;
  if (!arguments.out.empty()) {
    ASSIGN_OR_RETURN(auto file, MatchFile::Open(arguments.out, json, settings.seed, rules));
    if (!seed || file->seed() == *seed) return file;
    return MakeProblem({.code = "other_match",
                        .file = arguments.out,
                        .found = absl::StrCat("a match of --seed ", file->seed(), ", not ", *seed),
                        .expected = "the same seed, or none, to go on, or another --out"},
                       absl::StatusCode::kFailedPrecondition);
  }
  const std::string stem = "match-" + Hex(Sha256Of(json.dump())).substr(0, 8);
  for (int number = 1;; ++number) {
    const std::string path =
        absl::StrCat(stem, number == 1 ? "" : absl::StrCat("-", number), ".jsonl");
    struct stat info {};
    const bool exists = stat(path.c_str(), &info) == 0;
    ASSIGN_OR_RETURN(auto file, MatchFile::Open(path, json, settings.seed, rules));
    // A match of the same seed would have the same games.
    const bool this_one = seed ? file->seed() == *seed : !IsOver(*file, settings.series);
    if (!exists || this_one) return file;
  }
}

// Sets the game of the match: the coordinator's, or that of the books.
absl::Status MeetGame(const MatchCommandArguments& arguments, Context& context) {
  if (arguments.on_cluster) return Reach(context, arguments.coordinator).status();
  const MatchArguments& match = arguments.match;
  return UseGameOfBooks(context, std::vector{match.sides[0], match.sides[1], match.starts});
}

// Checks that records can be written where they are wanted, and that this is not the file of the
// games: they would take its place.
absl::Status CheckRecords(const MatchCommandArguments& arguments, const std::string& games,
                          Context& context) {
  if (arguments.records.empty()) return absl::OkStatus();
  std::error_code error;
  if (std::filesystem::equivalent(arguments.records, games, error)) {
    return MakeProblem({.code = "usage",
                        .file = "--records",
                        .found = Quote(arguments.records) + ", the file of the games",
                        .expected = "another name"});
  }
  return RecordFiles::Open(context, arguments.format, arguments.records).status();
}

// Writes every game of the match file as a record, those of earlier calls included; returns their
// number.
absl::StatusOr<int> WriteRecords(const MatchCommandArguments& arguments,
                                 const MatchSettings& settings, const std::string& path,
                                 Context& context) {
  ASSIGN_OR_RETURN(const auto file,
                   MatchFile::OpenToRead(path, SettingsJson(settings), context.rules()));
  ASSIGN_OR_RETURN(RecordFiles records,
                   RecordFiles::Open(context, arguments.format, arguments.records));
  for (const MatchGame& game : file->games()) {
    const int first = game.game.a_first ? 0 : 1;
    const std::string event = absl::StrCat(
        arguments.event.empty()
            ? absl::StrCat("match of ", settings.sides[0].name, " and ", settings.sides[1].name)
            : arguments.event,
        ", pair ", game.game.pair);
    const std::string name = absl::StrFormat("pair%06d-%d-%s", game.game.pair, game.game.attempt,
                                             game.game.a_first ? "a" : "b");
    RETURN_IF_ERROR(records.Add(
        name, {.event = event,
               .start = game.start.position,
               .moves = game.moves,
               .ending = game.outcome.ending,
               .players = {settings.sides[first].name, settings.sides[1 - first].name}}));
  }
  RETURN_IF_ERROR(records.Finish());
  return records.games();
}

absl::Status Match(const MatchCommandArguments& arguments, MatchSettings settings,
                   Context& context) {
  SignalWait signals;
  ASSIGN_OR_RETURN(const auto file, OpenFile(arguments, settings, context.rules()));
  // Before the games, which may take a night.
  if (const absl::Status fit = CheckRecords(arguments, file->path(), context); !fit.ok()) {
    file->Withdraw();
    return fit;
  }
  settings.seed = file->seed();
  book::Series series(settings.series);
  Progress progress(context.err(), Clock::System(), Progress::ForStandardError());
  if (!file->games().empty()) {
    context.err() << file->path() << " goes on after " << file->games().size() << " games\n";
  }
  const int concurrency = arguments.concurrency > 0 ? arguments.concurrency : worker::UsableCores();
  const auto look = [&] {
    progress.Update("match", series.pairs_played(), settings.series.pairs,
                    MatchLine(series, settings.series));
    return signals.Wait(absl::ZeroDuration());
  };
  const auto heard = [&](const absl::Status& status) {
    progress.Clear();
    context.err() << (status.ok()
                          ? context.voice().Say(phrase::kAnswersAgain)
                          : context.voice().Say(phrase::kAskingAgain, ProblemOf(status).found))
                  << std::flush;
  };
  const absl::StatusOr<MatchRun> played =
      arguments.on_cluster ? RunMatchOnCluster(context.rules(), settings,
                                               *Cluster::At(arguments.coordinator, context.rules()),
                                               *file, series, look, heard)
                           : RunMatch(context.rules(), settings, concurrency, *file, series, look);
  // Keep the file of a match on a cluster: the run that it names may still be going on.
  if (!played.ok() && !arguments.on_cluster) file->Withdraw();
  ASSIGN_OR_RETURN(const MatchRun run, played);
  progress.Clear();
  Json json = MatchJson(settings, series);
  const double seconds = absl::ToDoubleSeconds(run.time);
  json["seconds"] = seconds;
  json["interrupted"] = run.interrupted;
  if (run.interrupted) {
    context.set_exit_status(kInterrupted);
  } else if (series.state() == book::Series::State::kVoid) {
    context.set_exit_status(1);  // what was to be measured was not
  }
  RETURN_IF_ERROR(file->AppendResult(json));
  if (run.run == 0) json["concurrency"] = concurrency;
  if (run.run != 0) json["run"] = run.run;
  json["seed"] = settings.seed;
  json["settings"] = SettingsJson(settings);
  json["out"] = file->path();
  int records = 0;
  if (!arguments.records.empty()) {
    ASSIGN_OR_RETURN(records, WriteRecords(arguments, settings, file->path(), context));
    json["records"] = records;
  }
  if (context.json()) {
    context.PrintJson(json);
    return absl::OkStatus();
  }
  PrintMatch(settings, series, context.out());
  context.out() << (run.interrupted && run.run != 0 ? "games will be in " : "games are in ")
                << file->path() << "; " << series.pairs_played() - run.pairs_before << " pairs in "
                << DurationText(Voice(), run.time)
                << (run.run == 0 ? absl::StrCat(", ", concurrency, " games at once\n")
                                 : absl::StrCat(", run ", run.run, " of the cluster\n"));
  if (!arguments.records.empty()) {
    context.out() << records << " records are in " << arguments.records << "\n";
  }
  if (run.interrupted && run.run != 0) {
    context.out() << "Interrupted; the cluster plays on (`joseki run stop " << run.run
                  << "` ends that). The same command waits for the rest.\n";
  } else if (run.interrupted) {
    context.out() << "Interrupted; everything is kept. The same command continues the match.\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddMatch(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<MatchCommandArguments>();
  CLI::App* const command = app.add_subcommand(
      "match", "Two books or engines against each other, in pairs with colours exchanged");
  command->footer(
      "The game is that of the books, or of the coordinator; where there is neither, --game says "
      "it.");
  AddMatchOptions(*command, arguments->match);
  command
      ->add_option("--concurrency", arguments->concurrency,
                   "games at once (default: the usable cores)")
      ->type_name("K")
      ->check(Within(1, 1024));
  command
      ->add_option("--out", arguments->out,
                   "file of the games; a match that was broken off goes on there "
                   "(default: match-HASH.jsonl, by the settings)")
      ->type_name("FILE");
  CLI::Option* const format = AddRecordFormatOption(*command, arguments->format);
  CLI::Option* const records =
      command
          ->add_option("--records", arguments->records,
                       "file that gets the records of all games, or folder that gets a file for "
                       "each; the usual ones of the game without --format")
          ->type_name("FILE|DIR");
  format->needs(records);
  command
      ->add_option("--event", arguments->event,
                   "tournament that the records name (default: the two sides)")
      ->type_name("TEXT")
      ->needs(records)
      ->check([](const std::string& text) {
        return text.find_first_of("\r\n") == std::string::npos ? "" : "one line is expected";
      });
  CLI::Option* const coordinator =
      AddCoordinatorOption(*command, arguments->coordinator)
          ->description("the workers of this coordinator play the games (default: this machine)")
          ->default_str("");
  command->callback([arguments, coordinator, &context] {
    const MatchArguments& match = arguments->match;
    if (match.pairs == 0 && match.games == 0 && match.sprt.empty()) {
      throw CLI::RequiredError("--pairs, --games or --sprt");
    }
    arguments->on_cluster = coordinator->count() > 0;
    if (const absl::Status met = MeetGame(*arguments, context); !met.ok()) {
      return context.Finish(met);
    }
    absl::StatusOr<MatchSettings> settings =
        MatchOf(arguments->match, FreshSeed(), context.rules());
    if (!settings.ok()) {
      return context.Finish(settings.status(),
                            absl::IsNotFound(settings.status()) ? kFailed : kBadUsage);
    }
    // Check the format before the games, which may take a night.
    if (const auto writer = RecordWriterOf(context.rules(), arguments->format); !writer.ok()) {
      return context.Finish(writer.status(), kBadUsage);
    }
    context.Finish(Match(*arguments, *std::move(settings), context));
  });
}

}  // namespace joseki::cli
