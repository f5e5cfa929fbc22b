#include "coordinator/runs/rebuilding.h"

#include <algorithm>
#include <utility>

namespace joseki::coordinator {

void Rebuilding::Begin() {
  tail_.emplace();
  incoming_ = nullptr;
}

void Rebuilding::Note(const GameRow& game) {
  if (tail_) tail_->push_back(game);
}

void Rebuilding::ChangeInFlight(std::span<const book::EdgeId> edges, bool open) {
  if (incoming_ == nullptr) return;
  book::Tuner& tuner = incoming_->evidence->tuner();
  for (const book::EdgeId edge : edges) {
    if (edge >= incoming_->adopted) continue;
    open ? tuner.AddInFlight(std::span(&edge, 1)) : tuner.RemoveInFlight(std::span(&edge, 1));
  }
}

Progress Rebuilding::CatchUp(RebuiltRun& rebuilt, std::span<const book::Arm> present,
                             const RunBook& book, const PieceSize& piece) {
  incoming_ = &rebuilt;
  // 1. Open slots. From now on slots that open or close are counted in both.
  const auto edges = static_cast<book::EdgeId>(present.size());
  const book::EdgeId end = std::min(edges - rebuilt.adopted, piece.edges) + rebuilt.adopted;
  for (book::EdgeId& edge = rebuilt.adopted; edge < end; ++edge) {
    const uint32_t open = present[edge].in_flight;
    if (open > 0) rebuilt.evidence->tuner().AddInFlight(edge, open);
  }
  if (end < edges) return Progress::kMore;
  // 2. Games that came meanwhile. They come more slowly than they are added here.
  for (size_t games = 0; !tail_->empty(); ++games) {
    if (games == piece.games) return Progress::kMore;
    const GameRow game = std::move(tail_->front());
    tail_->pop_front();
    if (game.commit_seq <= rebuilt.commit_seq) continue;
    rebuilt.evidence->Add(game, book.EdgesOf(std::span(game.moves).first(game.book_plies)));
  }
  return Progress::kDone;
}

void Rebuilding::End() {
  tail_.reset();
  incoming_ = nullptr;
}

void Rebuilding::End(uint64_t adopted_seq) {
  End();
  adopted_seq_ = adopted_seq;
}

}  // namespace joseki::coordinator
