#include "coordinator/offline/archiver.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/zstd.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {
namespace {

absl::StatusOr<std::vector<RunRow>> RunsOf(RunStore& rows, const ArchiveOptions& options) {
  if (options.run == 0) return rows.runs().ReadAll();
  ASSIGN_OR_RETURN(RunRow run, rows.runs().Read(options.run));
  return std::vector<RunRow>{std::move(run)};
}

void Reached(const ArchiveOptions& options, std::string_view point) {
  if (options.at) options.at(point);
}

class Maker {
 public:
  Maker(book::Store& store, const Rules& rules, const ArchiveOptions& options, const RunRow& run,
        ArchiveReport& report)
      : store_(store), rules_(rules), options_(options), run_(run), report_(report) {}

  absl::Status Make() {
    ASSIGN_OR_RETURN(const std::vector<ArchiveRow> archives, ReadArchives(store_, run_.run));
    uint64_t after = archives.empty() ? 0 : archives.back().last_seq;
    for (;;) {
      std::vector<GameRow> games;
      RETURN_IF_ERROR(ForEachStoredGame(store_, run_.run, after, [&](const GameRow& game) {
        games.push_back(game);
        return games.size() < options_.games_per_file ? absl::OkStatus() : absl::CancelledError();
      }));
      if (games.empty()) return absl::OkStatus();
      if (games.size() < options_.games_per_file && !run_.over()) return absl::OkStatus();
      RETURN_IF_ERROR(MakeOne(games));
      after = games.back().commit_seq;
    }
  }

 private:
  absl::Status MakeOne(const std::vector<GameRow>& games) {
    const uint64_t first = games.front().commit_seq;
    const uint64_t last = games.back().commit_seq;
    const std::string name = absl::StrFormat("run%d-%012d-%012d", run_.run, first, last);
    const std::string folder = ArchiveFolder(store_.path());
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      return FileProblem(error.value(), folder, "a folder for archives");
    }
    if (options_.record) {
      std::string records;
      for (const GameRow& game : games) {
        ASSIGN_OR_RETURN(const std::string record, options_.record(run_.spec, game));
        absl::StrAppend(&records, records.empty() ? "" : options_.record_separator, record);
      }
      ASSIGN_OR_RETURN(const std::string packed, book::Compress(records));
      RETURN_IF_ERROR(WriteFileAtomically(
          absl::StrCat(folder, "/", name, options_.record_suffix, ".zst"), packed));
      report_.bytes += packed.size();
      Reached(options_, "records written");
    }
    ASSIGN_OR_RETURN(const std::string packed,
                     book::Compress(WriteArchive(store_.epoch(), run_.spec, games, rules_)));
    ArchiveRow row{.run = run_.run,
                   .first_seq = first,
                   .last_seq = last,
                   .file = name + ".jsonl.zst",
                   .sha256 = Sha256Of(packed),
                   .bytes = packed.size()};
    for (const GameRow& game : games) row.totals.Add(game);
    RETURN_IF_ERROR(WriteFileAtomically(absl::StrCat(folder, "/", row.file), packed));
    Reached(options_, "archive written");
    RETURN_IF_ERROR(ReadArchivedGames(store_, row).status());
    RETURN_IF_ERROR(InsertArchive(store_, row));
    Reached(options_, "archive known");
    ++report_.archives;
    report_.games += games.size();
    report_.bytes += packed.size();
    return absl::OkStatus();
  }

  book::Store& store_;
  const Rules& rules_;
  const ArchiveOptions& options_;
  const RunRow& run_;
  ArchiveReport& report_;
};

absl::Status CheckDroppable(RunStore& rows, const RunRow& run, uint64_t last_seq) {
  ASSIGN_OR_RETURN(const std::optional<RunCounters> counters,
                   rows.evidence().ReadCounters(run.run));
  if (counters && run.evidence_seq >= last_seq) return absl::OkStatus();
  return MakeProblem(
      {.code = "no_checkpoint",
       .file = absl::StrCat("run ", run.run),
       .found = absl::StrCat("evidence of the games up to ", counters ? run.evidence_seq : 0),
       .expected = absl::StrCat("of those up to ", last_seq,
                                ": let a coordinator open the book and stop again")},
      absl::StatusCode::kFailedPrecondition);
}

}  // namespace

absl::StatusOr<ArchiveReport> MakeArchives(book::Store& store, const Rules& rules,
                                           const ArchiveOptions& options) {
  ArchiveReport report;
  RunStore rows(store);
  ASSIGN_OR_RETURN(const std::vector<RunRow> runs, RunsOf(rows, options));
  for (const RunRow& run : runs) {
    RETURN_IF_ERROR(Maker(store, rules, options, run, report).Make());
  }
  return report;
}

absl::StatusOr<ArchiveReport> DropArchived(book::Store& store, const ArchiveOptions& options) {
  ArchiveReport report;
  RunStore rows(store);
  ASSIGN_OR_RETURN(const std::vector<RunRow> runs, RunsOf(rows, options));
  for (const RunRow& run : runs) {
    if (!run.over()) {
      if (options.run == 0) continue;
      return MakeProblem({.code = "run_goes_on",
                          .file = absl::StrCat("run ", run.run),
                          .found = run.state,
                          .expected = "a run that is over: its coordinator needs the games"},
                         absl::StatusCode::kFailedPrecondition);
    }
    ASSIGN_OR_RETURN(const std::vector<ArchiveRow> archives, ReadArchives(store, run.run));
    for (const ArchiveRow& archive : archives) {
      if (archive.dropped) continue;
      RETURN_IF_ERROR(CheckDroppable(rows, run, archive.last_seq));
      ASSIGN_OR_RETURN(const std::vector<GameRow> games, ReadArchivedGames(store, archive));
      Reached(options, "archive read");
      RETURN_IF_ERROR(DropGames(store, archive, games));
      Reached(options, "games dropped");
      ++report.archives;
      report.games += archive.totals.games;
      report.bytes += archive.bytes;
    }
  }
  return report;
}

absl::StatusOr<ArchiveReport> PutBackArchived(book::Store& store, const ArchiveOptions& options) {
  ArchiveReport report;
  RunStore rows(store);
  ASSIGN_OR_RETURN(const std::vector<RunRow> runs, RunsOf(rows, options));
  for (const RunRow& run : runs) {
    ASSIGN_OR_RETURN(std::vector<ArchiveRow> archives, ReadArchives(store, run.run));
    std::reverse(archives.begin(), archives.end());
    for (const ArchiveRow& archive : archives) {
      if (!archive.dropped) continue;
      ASSIGN_OR_RETURN(const std::vector<GameRow> games, ReadArchivedGames(store, archive));
      RETURN_IF_ERROR(PutGamesBack(store, archive, games));
      Reached(options, "games put back");
      ++report.archives;
      report.games += archive.totals.games;
      report.bytes += archive.bytes;
    }
  }
  return report;
}

}  // namespace joseki::coordinator
