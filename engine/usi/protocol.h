#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace joseki::usi {

// Meaning of a word after "go"; most are followed by a number.
enum class GoLimit : uint8_t {
  kInfinite,        // until "stop"; no number
  kPonder,          // until "ponderhit"; no number
  kPassedOver,      // ignored; no number
  kPassedOverTime,  // ignored, with a number
  kMateSearch,      // mate search, for milliseconds or without limit
  kMateInMoves,     // a mate in this many moves
  kNodes,
  kDepth,
  kDepthOrEndless,  // a depth, or "infinite"
  kMoveTime,        // milliseconds for this move
  kSearchMoves,     // the following moves are the only root moves
  kFirstTime,       // first side's remaining time, milliseconds
  kSecondTime,
  kOwnTime,  // remaining time of the side to move, milliseconds
  kFirstIncrement,
  kSecondIncrement,
  kOwnIncrement,
  kByoyomi,
  kMovesToGo,  // moves until the next time control
};
struct GoWord {
  std::string_view word;
  GoLimit limit;
};

// A protocol between engines and GUIs: the differences within a family of three.
struct Protocol {
  std::string_view name;  // also the command that starts it
  std::string_view ok;    // ends the engine's list of options
  // Game of this project's engine under this protocol.
  std::string_view game;

  std::string_view new_game = {};         // line before a game; empty: none
  std::string_view new_game_option = {};  // option that is set before a game instead
  // For games with numbered ranks: the option that makes moves count ranks from 1 rather than 0.
  std::string_view ranks_option = {};
  std::string_view milliseconds_option = {};  // option that switches clocks to milliseconds
  std::string_view position;                  // word before a position's text
  int position_fields = 0;                    // maximum number of fields of this text
  bool named_options = true;  // "setoption name N value V" rather than "setoption N V"
  std::string_view hash_option;
  std::string_view threads_option;
  std::string_view lines_option = {};  // MultiPV; empty: scores carry no line number
  std::string_view ponder_option = {};
  std::string_view own_book_option;       // option that switches the own book on
  std::string_view book_file_option;      // option that names its file
  std::string_view file_type = "string";  // type of options that name a file
  std::span<const GoWord> go_words;

  bool mates_in_moves = false;  // mate scores count the winner's moves rather than plies
  // Scores are plain numbers on a line of their own, without time and nodes.
  bool plain_scores = false;
  std::string_view no_move;        // the answer if there is no move
  std::string_view remark;         // prefix of a line for the user
  std::string_view farewell = {};  // answer to "quit"
};

// The protocol "usi" (shogi), "uci" (chess) or "ucci" (xiangqi); null for another name.
const Protocol* ProtocolNamed(std::string_view name);
std::vector<std::string> ProtocolNames();
// USI, the protocol if none has been named.
const Protocol& DefaultProtocol();

}  // namespace joseki::usi
