#include "book/formats/usi_lines.h"

#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "book/formats/game_form.h"

namespace joseki::book {
namespace {

// `word` introduces a position's text.
template <typename Form>
class LineWriter {
  using Position = typename Form::Position;

 public:
  explicit LineWriter(const std::vector<DbPosition>& positions)
      : positions_(positions), done_(positions.size(), 0) {
    for (uint32_t i = 0; i < positions.size(); ++i) {
      const absl::StatusOr<Position> position = Form::Unpack(positions[i].packed);
      if (position.ok()) by_key_[position->key()] = i;
    }
  }

  std::string Write(const char* word) {
    WriteFrom(Position(), "startpos");
    for (uint32_t i = 0; i < positions_.size(); ++i) {
      if (done_[i] != 0) continue;
      const absl::StatusOr<Position> position = Form::Unpack(positions_[i].packed);
      if (!position.ok()) continue;
      WriteFrom(*position, absl::StrCat(word, " ", Form::Text(*position, positions_[i].ply)));
    }
    return std::move(text_);
  }

 private:
  static constexpr uint32_t kNone = 0xffffffff;

  // A position on the current line, and its next move to follow.
  struct Step {
    uint32_t position = kNone;
    size_t next = 0;
    typename Form::Undo undo;  // undo of the move that led here
  };

  // The book position to continue from, if no line has continued from it yet.
  uint32_t Fresh(const Position& position) const {
    const auto at = by_key_.find(position.key());
    return at == by_key_.end() || done_[at->second] != 0 ? kNone : at->second;
  }

  void WriteFrom(Position board, const std::string& start) {
    const uint32_t first = Fresh(board);
    if (first == kNone) return;
    std::vector<Step> way(1);
    std::vector<Move> moves;
    way[0].position = first;
    done_[first] = 1;
    while (!way.empty()) {
      Step& here = way.back();
      const std::vector<DbMove>& choices = positions_[here.position].moves;
      if (here.next == choices.size()) {
        if (!moves.empty()) {
          board.TakeBack(moves.back(), here.undo);
          moves.pop_back();
        }
        way.pop_back();
        continue;
      }
      const Move move = choices[here.next++].move;
      Step step;
      board.Do(move, step.undo);
      moves.push_back(move);
      step.position = Fresh(board);
      if (step.position != kNone) {
        done_[step.position] = 1;
        way.push_back(step);
        continue;
      }
      absl::StrAppend(&text_, start, " moves");
      for (const Move played : moves) absl::StrAppend(&text_, " ", Form::Text(played));
      text_ += '\n';
      board.TakeBack(move, step.undo);
      moves.pop_back();
    }
  }

  const std::vector<DbPosition>& positions_;
  std::vector<char> done_;
  absl::flat_hash_map<Key, uint32_t, std::hash<Key>> by_key_;
  std::string text_;
};

}  // namespace

std::string WriteUsiLines(std::vector<DbPosition> positions) {
  Canonicalise(positions);
  return LineWriter<ShogiForm>(positions).Write("sfen");
}

std::string WriteUcciLines(std::vector<DbPosition> positions) {
  Canonicalise(positions);
  return LineWriter<XiangqiForm>(positions).Write("fen");
}

}  // namespace joseki::book
