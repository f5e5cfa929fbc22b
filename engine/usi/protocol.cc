#include "engine/usi/protocol.h"

#include <algorithm>
#include <iterator>

namespace joseki::usi {
namespace {

constexpr GoWord kUsiGo[] = {
    {"infinite", GoLimit::kInfinite},
    {"ponder", GoLimit::kPonder},
    {"mate", GoLimit::kMateSearch},
    {"nodes", GoLimit::kNodes},
    {"depth", GoLimit::kDepth},
    {"movetime", GoLimit::kMoveTime},
    {"searchmoves", GoLimit::kSearchMoves},
    {"btime", GoLimit::kFirstTime},
    {"wtime", GoLimit::kSecondTime},
    {"binc", GoLimit::kFirstIncrement},
    {"winc", GoLimit::kSecondIncrement},
    {"byoyomi", GoLimit::kByoyomi},
};

// In UCI, Red, who moves first, is White.
constexpr GoWord kUciGo[] = {
    {"infinite", GoLimit::kInfinite},
    {"ponder", GoLimit::kPonder},
    {"mate", GoLimit::kMateInMoves},
    {"nodes", GoLimit::kNodes},
    {"depth", GoLimit::kDepth},
    {"movetime", GoLimit::kMoveTime},
    {"searchmoves", GoLimit::kSearchMoves},
    {"wtime", GoLimit::kFirstTime},
    {"btime", GoLimit::kSecondTime},
    {"winc", GoLimit::kFirstIncrement},
    {"binc", GoLimit::kSecondIncrement},
    {"movestogo", GoLimit::kMovesToGo},
};

// A draw offer is a word; an answer without a draw declines it.
constexpr GoWord kUcciGo[] = {
    {"infinite", GoLimit::kInfinite},
    {"ponder", GoLimit::kPonder},
    {"draw", GoLimit::kPassedOver},
    {"nodes", GoLimit::kNodes},
    {"depth", GoLimit::kDepthOrEndless},
    {"time", GoLimit::kOwnTime},
    {"increment", GoLimit::kOwnIncrement},
    {"movestogo", GoLimit::kMovesToGo},
    {"opptime", GoLimit::kPassedOverTime},
    {"oppincrement", GoLimit::kPassedOverTime},
    {"oppmovestogo", GoLimit::kPassedOverTime},
};

constexpr Protocol kProtocols[] = {
    {.name = "usi",
     .ok = "usiok",
     .game = "shogi",
     .new_game = "usinewgame",
     .position = "sfen",
     .position_fields = 4,
     .hash_option = "USI_Hash",
     .threads_option = "Threads",
     .lines_option = "MultiPV",
     .ponder_option = "USI_Ponder",
     .own_book_option = "USI_OwnBook",
     .book_file_option = "BookFile",
     .file_type = "filename",
     .go_words = kUsiGo,
     .no_move = "bestmove resign",
     .remark = "info string "},
    {.name = "uci",
     .ok = "uciok",
     .game = "xiangqi",
     .new_game = "ucinewgame",
     .ranks_option = "RanksFromOne",
     .position = "fen",
     .position_fields = 6,
     .hash_option = "Hash",
     .threads_option = "Threads",
     .lines_option = "MultiPV",
     .ponder_option = "Ponder",
     .own_book_option = "OwnBook",
     .book_file_option = "BookFile",
     .go_words = kUciGo,
     .mates_in_moves = true,
     .no_move = "bestmove (none)",
     .remark = "info string "},
    {.name = "ucci",
     .ok = "ucciok",
     .game = "xiangqi",
     .new_game_option = "newgame",
     .milliseconds_option = "usemillisec",
     .position = "fen",
     .position_fields = 6,
     .named_options = false,
     .hash_option = "hashsize",
     .threads_option = "threads",
     .ponder_option = "ponder",
     .own_book_option = "usebook",
     .book_file_option = "bookfiles",
     .go_words = kUcciGo,
     .plain_scores = true,
     .no_move = "nobestmove",
     .remark = "info message ",
     .farewell = "bye"},
};

}  // namespace

const Protocol* ProtocolNamed(std::string_view name) {
  const auto* const at =
      std::find_if(std::begin(kProtocols), std::end(kProtocols),
                   [&](const Protocol& protocol) { return protocol.name == name; });
  return at == std::end(kProtocols) ? nullptr : at;
}

std::vector<std::string> ProtocolNames() {
  std::vector<std::string> names;
  for (const Protocol& protocol : kProtocols) names.emplace_back(protocol.name);
  return names;
}

const Protocol& DefaultProtocol() { return kProtocols[0]; }

}  // namespace joseki::usi
