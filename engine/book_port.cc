#include "engine/book_port.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/mapped_file.h"
#include "base/problem.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "book/formats/book_file.h"
#include "book/formats/partial_book.h"
#include "book/formats/probe_file.h"
#include "book/formats/reader.h"
#include "engine/core/symmetries.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/shogi_rules.h"

namespace joseki {
namespace {

absl::Status NotABook(const std::string& file, std::string_view game) {
  std::vector<std::string> known;
  for (const std::string& name : book::NamesOf(book::IsRead)) {
    if (book::IsOfGame(book::RowOf(*book::BookFormatNamed(name)), game)) known.push_back(name);
  }
  return MakeProblem({.code = "not_a_book",
                      .file = file,
                      .found = "a file of another kind",
                      .expected = absl::StrCat("a book: ", absl::StrJoin(known, ", "))});
}

// A book of either kind, for looking up single positions.
class ProbedBook {
 public:
  explicit ProbedBook(const Rules& rules)
      : game_(rules.game()), symmetries_(dynamic_cast<const Symmetries*>(&rules)) {}

  absl::Status Open(const std::string& file) {
    view_ = book::ProbeView();
    mapped_.reset();
    bytes_.clear();
    counted_ = false;
    left_out_ = 0;
    first_problem_.clear();
    if (file == "no_book" || file.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(MappedFile mapped, MappedFile::Open(file));
    const std::optional<book::BookFormat> format = book::BookFormatOf(mapped.bytes());
    if (!format.has_value()) return NotABook(file, game_);
    RETURN_IF_ERROR(book::CheckGame(*format, mapped.bytes(), file, game_));
    if (*format == book::BookFormat::kProbe) {
      mapped_ = std::move(mapped);
      ASSIGN_OR_RETURN(view_, book::ProbeView::Of(mapped_->bytes(), file, game_));
      return absl::OkStatus();
    }
    std::vector<book::DbPosition> positions;
    RETURN_IF_ERROR(book::ReadBook(
        *format, mapped.bytes(), file,
        {.accept = [&](book::DbPosition position) { positions.push_back(std::move(position)); },
         .reject =
             [&](const absl::Status& problem) {
               if (left_out_++ == 0) first_problem_ = std::string(problem.message());
             }}));
    const bool any = !positions.empty();
    bytes_ = book::WriteProbeFile(std::move(positions));
    // A file without positions belongs to no game.
    if (any) {
      ASSIGN_OR_RETURN(view_, book::ProbeView::Of(bytes_, file, game_));
    }
    counted_ = IsCounted(*format);
    return absl::OkStatus();
  }

  // `flipped`: also looks up the images of the position, such as the turned one.
  std::optional<book::DbPosition> Find(const PackedPosition& position, bool flipped) const {
    std::optional<book::DbPosition> entry = view_.Ask(position);
    if (entry.has_value() || !flipped || symmetries_ == nullptr) return entry;
    for (int map = 1; map <= symmetries_->count(); ++map) {
      entry = view_.Ask(symmetries_->Image(map, position));
      if (!entry.has_value()) continue;
      entry->packed = position;
      for (book::DbMove& move : entry->moves) {
        move.move = symmetries_->Image(map, move.move);
        if (move.ponder) move.ponder = symmetries_->Image(map, move.ponder);
      }
      return entry;
    }
    return std::nullopt;
  }

  bool empty() const { return view_.positions() == 0; }
  // Whether counts decide the move, as in the programs that the book comes from.
  bool counted() const { return counted_; }
  std::string Remark() const {
    if (left_out_ == 0) return "";
    return absl::StrCat("left out of the book: ", left_out_, ", first ", first_problem_);
  }

 private:
  // True for a book without values, or of programs that ignore them.
  static bool IsCounted(book::BookFormat format) {
    return format == book::BookFormat::kApery || !book::RowOf(format).holds.values;
  }

  std::string game_;
  const Symmetries* symmetries_;  // null: the game has none
  bool counted_ = false;
  size_t left_out_ = 0;  // number of rejected positions and moves
  std::string first_problem_;
  std::optional<MappedFile> mapped_;  // a probe file
  std::string bytes_;                 // any other book, converted to a probe file
  book::ProbeView view_;
};

class FileBook : public usi::OwnBook {
 public:
  explicit FileBook(const Rules& rules) : book_(rules) {}

  absl::Status Open(const std::string& file) override { return book_.Open(file); }
  std::string Remark() const override { return book_.Remark(); }

  std::optional<usi::BookReply> Ask(const PackedPosition& position, std::span<const Move> legal,
                                    int ply, const usi::BookOptions& options,
                                    uint64_t chance) override {
    if (!options.use || ply > options.moves) return std::nullopt;
    Rng rng(chance);
    if (rng.Below(100) < static_cast<uint64_t>(options.ignore_percent)) return std::nullopt;
    std::optional<book::DbPosition> entry = book_.Find(position, options.flipped);
    if (!entry.has_value() || (!options.ignore_ply && entry->ply != ply)) return std::nullopt;
    entry->ply = ply;
    std::erase_if(entry->moves, [&](const book::DbMove& move) {
      return std::find(legal.begin(), legal.end(), move.move) == legal.end();
    });
    const book::Probe probe =
        book::ProbeYaneuraou(*entry, {.moves = options.moves,
                                      .eval_diff = options.eval_diff,
                                      .black_limit = options.black_limit,
                                      .white_limit = options.white_limit,
                                      .depth_limit = options.depth_limit,
                                      .by_count = options.by_count || book_.counted()});
    const book::DbMove* const chosen = Draw(*entry, probe, rng);
    if (chosen == nullptr) return std::nullopt;
    return usi::BookReply{chosen->move, chosen->ponder, chosen->value, chosen->depth};
  }

 private:
  static const book::DbMove* Draw(const book::DbPosition& entry, const book::Probe& probe,
                                  Rng& rng) {
    double left = rng.Unit();
    const book::DbMove* last = nullptr;
    for (size_t i = 0; i < entry.moves.size(); ++i) {
      if (probe.choices[i].share <= 0) continue;
      last = &entry.moves[i];
      left -= probe.choices[i].share;
      if (left < 0) break;
    }
    return last;
  }

  ProbedBook book_;
};

class FileExtendedBook : public usi::ExtendedBookPort {
 public:
  absl::Status Open(const std::string& file) override { return book_.Open(file); }

  bool Fade(const usi::ExtendedBookOptions& options, int ply) override {
    share_ = book_.empty()
                 ? 0
                 : options.percent / 100.0 * std::max(0, options.plies - std::max(ply, 1)) /
                       std::max(1, options.plies - 1);
    return share_ > 0;
  }

  size_t At(const shogi::Position& position, std::span<Favour> favours) const override {
    if (!shogi::Packs(position)) return 0;
    const std::optional<book::DbPosition> entry =
        book_.Find(shogi::Pack(position), /*flipped=*/true);
    if (!entry.has_value()) return 0;
    size_t count = 0;
    for (const book::DbMove& move : entry->moves) {
      const auto bonus = static_cast<Value>(std::lround(move.value * share_));
      if (bonus == 0 || count == favours.size()) continue;
      favours[count++] = {move.move, std::clamp(bonus, -kMostBonus, kMostBonus)};
    }
    return count;
  }

 private:
  // Bound of a bonus, whatever a file says.
  static constexpr Value kMostBonus = 1000;

  ProbedBook book_{shogi::ShogiRules()};
  double share_ = 0;  // share of the bonuses that counts at the current ply
};

class FilePartialBook : public usi::PartialBookPort {
 public:
  absl::Status Open(const std::string& file) override {
    book_ = book::PartialBook();
    if (file == usi::kNoPartialBook || file.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const MappedFile mapped, MappedFile::Open(file));
    const std::optional<book::BookFormat> format = book::BookFormatOf(mapped.bytes());
    if (!format.has_value()) return NotABook(file, "shogi");
    RETURN_IF_ERROR(book::CheckGame(*format, mapped.bytes(), file, "shogi"));
    book::PartialBook read;
    RETURN_IF_ERROR(book::ReadBook(
        *format, mapped.bytes(), file,
        {.accept =
             [&](const book::DbPosition& entry) {
               const absl::StatusOr<shogi::Position> position = shogi::Unpack(entry.packed);
               if (!position.ok()) return;
               for (const book::DbMove& move : entry.moves) {
                 read.Add(*position, move.move, static_cast<int64_t>(move.count));
               }
             },
         .reject = [](const absl::Status&) {}}));
    book_ = std::move(read);
    return absl::OkStatus();
  }

  bool empty() const override { return book_.keys() == 0; }

  size_t At(const shogi::Position& position, std::span<Move> moves) const override {
    size_t count = 0;
    for (const book::PartialBook::Counted& move : book_.MovesFor(position)) {
      if (count == moves.size()) break;
      moves[count++] = move.move;
    }
    return count;
  }

 private:
  book::PartialBook book_;
};

}  // namespace

std::unique_ptr<usi::OwnBook> MakeOwnBook(const Rules& rules) {
  return std::make_unique<FileBook>(rules);
}

std::unique_ptr<usi::PartialBookPort> MakePartialBook() {
  return std::make_unique<FilePartialBook>();
}

std::unique_ptr<usi::ExtendedBookPort> MakeExtendedBook() {
  return std::make_unique<FileExtendedBook>();
}

}  // namespace joseki
