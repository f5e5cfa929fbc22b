#include "coordinator/offline/converter.h"

#include <filesystem>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_stream.h"
#include "book/database/parallel_read.h"
#include "book/formats/apery.h"
#include "book/formats/game_form.h"
#include "book/formats/turned.h"

namespace joseki::coordinator {
namespace {

constexpr char kUnreached[] = "unreached_position";

struct Facts {
  int64_t replies = 0;
  int64_t counts = 0;
  int64_t values = 0;
  int64_t depths = 0;
};

void Count(const book::DbPosition& position, Facts& facts) {
  for (const book::DbMove& move : position.moves) {
    facts.replies += static_cast<bool>(move.ponder);
    facts.counts += move.count > 1;
    facts.values += move.has_value && move.value != 0;
    facts.depths += move.has_depth && move.depth != 0;
  }
}

std::vector<std::string> LossesOf(const Facts& facts, book::BookFormat to) {
  std::vector<std::string> losses;
  const auto lose = [&](bool lost, int64_t count, const char* what) {
    if (lost && count > 0) losses.push_back(absl::StrCat(count, " ", what));
  };
  const book::BookHolds& holds = book::RowOf(to).holds;
  lose(!holds.replies, facts.replies, "expected replies");
  lose(!holds.counts, facts.counts, "counts");
  lose(!holds.values, facts.values, "values");
  lose(!holds.depths, facts.depths, "depths");
  return losses;
}

std::string FolderOf(const ConvertOptions& options) {
  if (!options.spill_folder.empty()) return options.spill_folder;
  const std::string folder = std::filesystem::path(options.out).parent_path();
  return folder.empty() ? "." : folder;
}

class Conversion {
 public:
  Conversion(const std::string& path, const ConvertOptions& options)
      : path_(path), options_(options) {
    if (options.to.has_value() && book::BookStream::Writes(*options.to)) {
      stream_.emplace(*options.to, FolderOf(options), options.memory);
    }
  }

  absl::StatusOr<ConvertReport> Run() {
    RETURN_IF_ERROR(Read());
    RETURN_IF_ERROR(failed_);
    if (report_.positions == 0 && !unreached_.empty()) {
      // Any file of a suitable length would be such records.
      return MakeProblem(
          {.code = "not_a_book",
           .file = path_,
           .found = absl::StrCat(unreached_.size(), " records, of which no walk comes to any"),
           .expected = "a book of another program, with the start position"});
    }
    if (report_.positions == 0) {
      if (games_) {
        return MakeProblem({.code = "not_a_book",
                            .file = path_,
                            .found = "records of games",
                            .expected = "a book of another program; records are for an import"});
      }
      RETURN_IF_ERROR(first_reject_);
      return MakeProblem({.code = "not_a_book",
                          .file = path_,
                          .found = "no position of a book",
                          .expected = "a book of another program"});
    }
    if (stream_.has_value()) {
      RETURN_IF_ERROR(WriteStream());
    } else if (options_.to.has_value()) {
      RETURN_IF_ERROR(WriteWhole());
    }
    return std::move(report_);
  }

 private:
  absl::Status Read() {
    book::ImportFormat format = options_.from;
    if (format.by_content() || format.book == book::BookFormat::kApery) {
      ASSIGN_OR_RETURN(const MappedFile file, MappedFile::Open(path_));
      if (format.by_content()) format = book::FormatOfContent(file.bytes());
      // Apery's book is read here, as its records are kept.
      if (format.book == book::BookFormat::kApery) {
        RETURN_IF_ERROR(book::ReadApery(
            file.bytes(), path_, {},
            {.accept = [this](book::DbPosition position) { Take(std::move(position)); },
             .reject = [this](const absl::Status& problem) { Reject(problem); }},
            &unreached_));
        report_.unreached = static_cast<int64_t>(unreached_.size());
        return absl::OkStatus();
      }
    }
    return book::ReadInOrder({path_}, {.from = options_.from}, options_.threads,
                             [&](book::ImportEvent event) {
                               if (auto* position = std::get_if<book::DbPosition>(&event)) {
                                 Take(std::move(*position));
                               } else if (const auto* problem = std::get_if<absl::Status>(&event)) {
                                 Reject(*problem);
                               } else {
                                 games_ = games_ || std::holds_alternative<book::GameRecord>(event);
                               }
                             });
  }

  void Take(book::DbPosition position) {
    if (report_.positions == 0) failed_.Update(CheckGame(position.packed));
    ++report_.positions;
    report_.moves += static_cast<int64_t>(position.moves.size());
    if (!options_.to.has_value()) return;
    const Color side = book::SideToMove(position.packed);
    if (options_.side.has_value() && side != *options_.side) return;
    if (options_.fold && side == Color::kSecond) position = book::Turned(position);
    if (stream_.has_value()) {
      failed_.Update(stream_->Add(position));
    } else {
      positions_.push_back(std::move(position));
    }
  }

  // Checks that the book's game has the format to write.
  absl::Status CheckGame(const PackedPosition& packed) const {
    const std::string_view game = book::GameOf(packed);
    if (!options_.to.has_value() || book::IsOfGame(book::RowOf(*options_.to), game)) {
      return absl::OkStatus();
    }
    return MakeProblem(
        {.code = "other_game",
         .file = path_,
         .found = absl::StrCat("a book of ", std::string(game)),
         .expected = absl::StrCat("one of ", std::string(book::RowOf(*options_.to).game))});
  }

  void Reject(const absl::Status& problem) {
    const absl::Status placed = At(problem, path_);
    const std::string code = ProblemOf(placed).code;
    ++report_.rejects_by_reason[code];
    first_reject_.Update(placed);
    if (code == kUnreached) ++report_.unreached;
    if (options_.on_reject) options_.on_reject(placed);
  }

  absl::Status WriteStream() {
    Facts facts;
    ASSIGN_OR_RETURN(const book::BookStream::Written written,
                     stream_->Finish(options_.out, [&](const book::DbPosition& position) {
                       Count(position, facts);
                     }));
    report_.written = written.positions;
    report_.bytes = written.bytes;
    report_.sha256 = Hex(written.sha256);
    report_.losses = LossesOf(facts, *options_.to);
    LoseUnreached();
    return absl::OkStatus();
  }

  absl::Status WriteWhole() {
    book::Canonicalise(positions_);
    report_.written = static_cast<int64_t>(positions_.size());
    Facts facts;
    for (const book::DbPosition& position : positions_) Count(position, facts);
    report_.losses = LossesOf(facts, *options_.to);
    std::string bytes;
    // Options by colour cannot apply to unreached records, whose side to move is unknown.
    if (*options_.to == book::BookFormat::kApery && !options_.fold && !options_.side.has_value()) {
      report_.kept_unreached = !unreached_.empty();
      bytes = book::WriteApery(std::move(positions_), unreached_);
    } else {
      LoseUnreached();
      bytes = book::WriteBook(*options_.to, std::move(positions_));
    }
    report_.bytes = bytes.size();
    report_.sha256 = Hex(Sha256Of(bytes));
    return WriteFileAtomically(options_.out, bytes);
  }

  void LoseUnreached() {
    if (report_.unreached == 0) return;
    report_.losses.push_back(absl::StrCat(report_.unreached, " records that no walk comes to"));
  }

  const std::string& path_;
  const ConvertOptions& options_;
  std::optional<book::BookStream> stream_;
  std::vector<book::DbPosition> positions_;   // used without stream_
  std::vector<book::AperyRecord> unreached_;  // of an Apery book
  ConvertReport report_;
  bool games_ = false;  // whether the input has games
  absl::Status first_reject_;
  absl::Status failed_;
};

}  // namespace

absl::StatusOr<ConvertReport> ConvertBook(const std::string& path, const ConvertOptions& options) {
  return Conversion(path, options).Run();
}

}  // namespace joseki::coordinator
