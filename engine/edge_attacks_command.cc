#include "engine/edge_attacks_command.h"

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "engine/book_port.h"
#include "engine/game_lines.h"
#include "engine/search/shogi/edge_attack.h"
#include "engine/search/shogi/game.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"
#include "engine/shogi/shogi_rules.h"

namespace joseki {
namespace {

struct Found {
  int games = 0;
  int broken = 0;
  int ripe = 0;
  int in_book = 0;
  int forced = 0;
  int begun = 0;
};

class Collector {
 public:
  Collector(usi::OwnBook* book, int depth, std::ostream& out)
      : book_(book), depth_(depth), out_(out) {}

  // Takes the move before which the position was, `played`, if the study would.
  void Look(const shogi::Position& position, Move played) {
    if (!shogi::IsRipeForEdgeAttack(position)) return;
    const Move start = shogi::EdgeAttackStart(position);
    if (!position.IsLegal(start)) return;
    ++found_.ripe;
    shogi::MoveList legal;
    position.Generate<GenType::kAll>(legal);
    if (IsInBook(position, legal)) {
      ++found_.in_book;
      return;
    }
    constexpr Value kLance = 800;  // won for nothing, by the thesis's values
    if (played != start &&
        ValueOf(position, legal, played) - ValueOf(position, legal, start) > kLance) {
      ++found_.forced;
      return;
    }
    found_.begun += played == start ? 1 : 0;
    out_ << shogi::ToSfen(position, 1) << "\t" << shogi::ToUsi(start) << "\t"
         << (played == start ? "good" : "bad") << "\n";
  }
  void CountGame(GameLine game) {
    found_.games += game == GameLine::kEmpty ? 0 : 1;
    found_.broken += game == GameLine::kBroken ? 1 : 0;
  }
  const Found& found() const { return found_; }

 private:
  bool IsInBook(const shogi::Position& position, const shogi::MoveList& legal) {
    if (book_ == nullptr) return false;
    return book_->Ask(shogi::Pack(position), {legal.begin(), legal.end()}, 1, {}, 0).has_value();
  }

  // The value of a move by itself.
  Value ValueOf(const shogi::Position& position, const shogi::MoveList& legal, Move move) {
    std::vector<Move> others;
    for (const Move other : legal) {
      if (other != move) others.push_back(other);
    }
    SearchLimits limits;
    limits.depth = depth_;
    limits.excluded = others;
    search_.NewGame();
    return search_.Run(position, limits).value;
  }

  usi::OwnBook* book_;  // null: none
  int depth_;
  std::ostream& out_;
  Search<Shogi> search_{size_t{1} << 20};
  Found found_;
};

}  // namespace

absl::Status CollectEdgeAttacks(const EdgeAttacksArguments& arguments, std::ostream& out,
                                std::ostream& err) {
  std::unique_ptr<usi::OwnBook> book;
  if (!arguments.book.empty()) {
    book = MakeOwnBook(shogi::ShogiRules());
    RETURN_IF_ERROR(book->Open(arguments.book));
  }
  out << "sfen\tmoves\tkind\n";
  Collector collector(book.get(), arguments.depth, out);
  for (const std::string& file : arguments.files) {
    ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      collector.CountGame(ReplayLine(std::string_view(line.data(), line.size()),
                                     [&](const shogi::Position& position, Move, Move played) {
                                       collector.Look(position, played);
                                     }));
    }
  }
  const Found& found = collector.found();
  err << found.games << " games, " << found.broken << " broken off; " << found.ripe
      << " ripe positions, " << found.in_book << " in the book, " << found.forced << " forced, "
      << found.ripe - found.in_book - found.forced << " kept, in " << found.begun
      << " the attack began" << std::endl;
  return absl::OkStatus();
}

}  // namespace joseki
