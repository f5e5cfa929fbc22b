#include "coordinator/offline/converter.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/mapped_file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/formats/apery.h"
#include "book/formats/turned.h"
#include "coordinator/offline/parallel_read.h"

namespace joseki::coordinator {
namespace {

constexpr char kUnreached[] = "unreached_position";

struct Content {
  std::vector<book::DbPosition> positions;
  std::vector<book::AperyRecord> unreached;  // of a book of Apery's
};

// Apery's book is read here, because its records are kept.
absl::Status ReadAperyFile(std::string_view bytes, const std::string& path,
                           const std::function<void(const absl::Status&)>& reject,
                           Content& content) {
  return book::ReadApery(
      bytes, path, {},
      {.accept =
           [&](book::DbPosition position) { content.positions.push_back(std::move(position)); },
       .reject = reject},
      &content.unreached);
}

struct Facts {
  int64_t replies = 0;
  int64_t counts = 0;
  int64_t values = 0;
  int64_t depths = 0;
};

Facts FactsOf(const std::vector<book::DbPosition>& positions) {
  Facts facts;
  for (const book::DbPosition& position : positions) {
    for (const book::DbMove& move : position.moves) {
      facts.replies += static_cast<bool>(move.ponder);
      facts.counts += move.count > 1;
      facts.values += move.has_value && move.value != 0;
      facts.depths += move.has_depth && move.depth != 0;
    }
  }
  return facts;
}

std::vector<std::string> LossesOf(const Facts& facts, ExportFormat to) {
  std::vector<std::string> losses;
  const auto lose = [&](bool lost, int64_t count, const char* what) {
    if (lost && count > 0) losses.push_back(absl::StrCat(count, " ", what));
  };
  const bool text = to == ExportFormat::kYaneuraouDb || to == ExportFormat::kProbe;
  const bool ybb = to == ExportFormat::kYbb;
  const bool apery = to == ExportFormat::kApery;
  const bool sbk = to == ExportFormat::kSbk;
  lose(!text, facts.replies, "expected replies");
  lose(!text && !apery && !sbk, facts.counts, "counts");
  lose(!text && !ybb && !apery, facts.values, "values");
  lose(!text && !ybb, facts.depths, "depths");
  return losses;
}

}  // namespace

absl::StatusOr<ConvertReport> ConvertBook(const std::string& path, const ConvertOptions& options) {
  ConvertReport report;
  Content content;
  absl::Status first_reject;
  const auto reject = [&](const absl::Status& problem) {
    const absl::Status placed = At(problem, path);
    const std::string code = ProblemOf(placed).code;
    ++report.rejects_by_reason[code];
    first_reject.Update(placed);
    if (code == kUnreached) ++report.unreached;
    if (options.on_reject) options.on_reject(placed);
  };
  ImportFormat format = options.from;
  {
    ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path));
    if (format == ImportFormat::kByContent) format = FormatOfContent(file.bytes());
    if (format == ImportFormat::kApery) {
      RETURN_IF_ERROR(ReadAperyFile(file.bytes(), path, reject, content));
      report.unreached = static_cast<int64_t>(content.unreached.size());
    }
  }
  if (format != ImportFormat::kApery) {
    const bool wanted = options.to.has_value();
    RETURN_IF_ERROR(
        ReadInOrder({path}, {.from = options.from}, options.threads, [&](ImportEvent event) {
          if (auto* position = std::get_if<book::DbPosition>(&event)) {
            ++report.positions;
            report.moves += static_cast<int64_t>(position->moves.size());
            if (wanted) content.positions.push_back(std::move(*position));
          } else if (const auto* problem = std::get_if<absl::Status>(&event)) {
            reject(*problem);
          }
        }));
  } else {
    for (const book::DbPosition& position : content.positions) {
      ++report.positions;
      report.moves += static_cast<int64_t>(position.moves.size());
    }
  }
  if (report.positions == 0 && content.unreached.empty()) {
    RETURN_IF_ERROR(first_reject);
    return MakeProblem({.code = "not_a_book",
                        .file = path,
                        .found = "no position of a book",
                        .expected = "a book of a shogi program"});
  }
  if (!options.to.has_value()) return report;
  std::vector<book::DbPosition>& positions = content.positions;
  if (options.side.has_value()) {
    std::erase_if(positions, [&](const book::DbPosition& position) {
      return book::SideToMove(position.packed) != *options.side;
    });
  }
  if (options.fold) {
    book::TurnToBlack(positions);
  } else {
    book::Canonicalise(positions);
  }
  report.written = static_cast<int64_t>(positions.size());
  report.losses = LossesOf(FactsOf(positions), *options.to);
  // Whose turn it is in a record that was not reached is not known.
  if (*options.to == ExportFormat::kApery && !options.fold && !options.side.has_value()) {
    report.kept_unreached = !content.unreached.empty();
    report.bytes = book::WriteApery(std::move(positions), content.unreached);
  } else {
    if (report.unreached > 0) {
      report.losses.push_back(absl::StrCat(report.unreached, " records that no walk comes to"));
    }
    report.bytes = WritePositions(std::move(positions), *options.to);
  }
  return report;
}

}  // namespace joseki::coordinator
