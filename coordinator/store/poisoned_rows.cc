#include "coordinator/store/poisoned_rows.h"

#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/store/statements.h"

namespace joseki::coordinator {
namespace {

std::string FailedText(const std::vector<LineFailure>& failed) {
  std::string text;
  for (const LineFailure& failure : failed) {
    absl::StrAppend(&text, text.empty() ? "" : " ", failure.lease, ":", failure.worker);
  }
  return text;
}

absl::StatusOr<std::vector<LineFailure>> FailedOf(const std::string& text) {
  std::vector<LineFailure> failed;
  const std::vector<std::string> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  for (const std::string& word : words) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(word, absl::MaxSplits(':', 1));
    LineFailure& failure = failed.emplace_back();
    failure.worker = parts.second;
    if (!absl::SimpleAtoi(parts.first, &failure.lease) || failure.worker.empty()) {
      return DataLoss(absl::StrCat("a failure ", Quote(word)), "LEASE:WORKER");
    }
  }
  return failed;
}

}  // namespace

absl::Status PoisonedRows::Insert(RunId run, const PoisonedLine& line) {
  return sql_.Guard([&] {
    Use use(sql_.Prepared(
        "INSERT INTO poisoned_lines (run, line, attempts, reason, failed, freed)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (run, line) DO UPDATE SET"
        " attempts = excluded.attempts, reason = excluded.reason, failed = excluded.failed,"
        " freed = excluded.freed"));
    const std::string moves = EncodeMoves(line.line);
    use.Bind(run, Bytes{moves}, line.attempts, line.reason, FailedText(line.failed), line.freed)
        .Run();
  });
}

absl::StatusOr<std::vector<PoisonedLine>> PoisonedRows::ReadAll(RunId run) {
  return sql_.Guard([&]() -> absl::StatusOr<std::vector<PoisonedLine>> {
    std::vector<PoisonedLine> lines;
    absl::Status problem;
    Use use(sql_.Prepared(
        "SELECT line, attempts, reason, failed, freed FROM poisoned_lines WHERE run = ?"
        " ORDER BY line"));
    use.Bind(run);
    while (use.Step()) {
      PoisonedLine line;
      absl::StatusOr<std::vector<Move>> moves = DecodeMoves(use.Blob(0));
      if (!moves.ok()) {
        return InRow(moves.status(), sql_.file(), "poisoned_lines of run", run);
      }
      line.line = *std::move(moves);
      line.attempts = use.In<uint32_t>(1, 0, kMaxUint32, problem);
      line.reason = use.Text(2);
      absl::StatusOr<std::vector<LineFailure>> failed = FailedOf(use.Text(3));
      problem.Update(failed.status());
      if (failed.ok()) line.failed = *std::move(failed);
      line.freed = use.In<uint64_t>(4, 0, kMaxInt, problem);
      if (!problem.ok()) {
        return InRow(problem, sql_.file(), "poisoned_lines of run", run);
      }
      lines.push_back(std::move(line));
    }
    return lines;
  });
}

}  // namespace joseki::coordinator
