#include "book/database/import_events.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/database_file.h"
#include "base/problem.h"
#include "book/database/bundle.h"
#include "book/formats/book_file.h"
#include "book/records/lines.h"

namespace joseki::book {
namespace {

class PartReader {
 public:
  PartReader(const FilePart& part, const ReadOptions& options, const EventSink& sink)
      : part_(part), options_(options), sink_(sink) {}

  void Read() {
    FileBegins begins;
    begins.name = std::string(part_.name);
    begins.content = part_.content;
    begins.goes_on = part_.first_line > 1;
    begins.bytes = part_.bytes.size();
    begins.lines = 1 + book::CountLineFeeds(part_.bytes);
    begins.first_line = part_.first_line;
    begins.packed = part_.packed;
    sink_(std::move(begins));
    ImportFormat format = part_.format;
    if (format.by_content()) format = options_.from;
    if (format.by_content()) format = FormatOfContent(part_.bytes);
    if (format.book) {
      ReadBook(*format.book);
    } else if (format.by_content() && IsSqlite(part_.bytes)) {
      Reject(MakeProblem({.code = "a_database",
                          .found = "a database of SQLite",
                          .expected = "game records or a book of another program; `joseki book "
                                      "merge` joins books of Joseki"}));
    } else {
      ReadGames(format.records);
    }
  }

 private:
  void Reject(absl::Status problem) const {
    if (part_.first_line > 1) {
      Problem placed = ProblemOf(problem);
      // A later part of a file may hold no game; that is no error.
      if (placed.code == "no_moves" && placed.found == "a file without a game") return;
      if (placed.line > 0) placed.line += part_.first_line - 1;
      problem = MakeProblem(std::move(placed), problem.code());
    }
    sink_(std::move(problem));
  }

  void ReadGames(RecordFormat format) const {
    book::RecordSink sink;
    if (options_.positions) sink.positions = options_.plies;
    sink.accept = [this](book::GameRecord game) {
      game.line += part_.first_line - 1;
      if (game.moves.size() > static_cast<size_t>(options_.plies)) {
        game.moves.resize(static_cast<size_t>(options_.plies));
      }
      if (!options_.evaluations) game.opinions.clear();
      sink_(std::move(game));
    };
    if (options_.variations) {
      sink.variation = [this](book::Variation variation) {
        variation.line += part_.first_line - 1;
        sink_(std::move(variation));
      };
    }
    sink.reject = [this](absl::Status problem) { Reject(std::move(problem)); };
    const RecordFormatRow* const row = RowOf(format);
    if (row != nullptr && IsOther(row->game)) return;
    // For an unknown format, ReadRecords reports what the file is not.
    (row != nullptr ? row->read : ReadRecords)(part_.bytes, part_.name, sink);
  }

  // Reports and returns true if the file belongs to another game than the book.
  bool IsOther(std::string_view game) const {
    if (options_.game.empty() || options_.game == game) return false;
    Reject(MakeProblem({.code = "other_game",
                        .file = std::string(part_.name),
                        .line = 1,
                        .found = absl::StrCat("a file of ", std::string(game)),
                        .expected = absl::StrCat("one of ", std::string(options_.game))}));
    return true;
  }

  void ReadBook(book::BookFormat format) const {
    if (!options_.game.empty()) {
      const absl::Status game = CheckGame(format, part_.bytes, part_.name, options_.game);
      if (!game.ok()) return Reject(game);
    }
    book::DbSink sink;
    sink.accept = [this](book::DbPosition position) {
      position.line += part_.first_line - 1;
      sink_(std::move(position));
    };
    sink.reject = [this](absl::Status problem) { Reject(std::move(problem)); };
    const absl::Status read = book::ReadBook(format, part_.bytes, part_.name, sink);
    if (!read.ok()) Reject(read);
  }

  const FilePart& part_;
  const ReadOptions& options_;
  const EventSink& sink_;
};

}  // namespace

void ReadPart(const FilePart& part, const ReadOptions& options, const EventSink& sink) {
  PartReader(part, options, sink).Read();
}

void ReadWhole(std::string_view name, std::string_view bytes, const ReadOptions& options,
               const EventSink& sink) {
  if (!IsBundle(bytes)) {
    return ReadPart({.name = name, .bytes = bytes, .content = Sha256Of(bytes)}, options, sink);
  }
  const absl::Status read =
      ReadBundle(bytes, name, {}, [&](const std::string& inside, std::string_view content) {
        ReadPart({.name = inside, .bytes = content, .content = Sha256Of(content), .packed = true},
                 options, sink);
      });
  if (read.ok()) return;
  FileBegins begins;
  begins.name = std::string(name);
  begins.content = Sha256Of(bytes);
  begins.packed = true;
  sink(std::move(begins));
  sink(read);
}

}  // namespace joseki::book
