#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace joseki::usi {

// What a word behind "go" says; most are followed by a number.
enum class GoLimit : uint8_t {
  kInfinite,        // until "stop"; no number
  kPonder,          // until "ponderhit"; no number
  kPassedOver,      // nothing to this engine; no number
  kPassedOverTime,  // the same, with a number
  kMateSearch,      // mates alone, for milliseconds or without end
  kMateInMoves,     // a mate in so many moves
  kNodes,
  kDepth,
  kDepthOrEndless,  // a depth, or "infinite"
  kMoveTime,        // milliseconds of this move
  kSearchMoves,     // the moves behind it are the only ones
  kFirstTime,       // what the first side's clock shows, in milliseconds
  kSecondTime,
  kOwnTime,  // the same of the side to move
  kFirstIncrement,
  kSecondIncrement,
  kOwnIncrement,
  kByoyomi,
  kMovesToGo,  // until the clock is set anew
};
struct GoWord {
  std::string_view word;
  GoLimit limit;
};

// A language that engines and GUIs speak, as far as the three of a family differ.
struct Protocol {
  std::string_view name;  // also what begins it
  std::string_view ok;    // ends the engine's list of options
  // What this project's engine plays with a GUI that speaks it.
  std::string_view game;

  std::string_view new_game = {};         // the line before a game; empty: there is none
  std::string_view new_game_option = {};  // but an option that is set then
  // Of a game whose ranks are numbers: whether moves count them from 1, not from 0.
  std::string_view ranks_option = {};
  std::string_view milliseconds_option = {};  // says that clocks are in milliseconds
  std::string_view position;                  // the word before a position's text
  int position_fields = 0;                    // that this text has at most
  bool named_options = true;                  // "setoption name N value V", not "setoption N V"
  std::string_view hash_option;
  std::string_view threads_option;
  std::string_view lines_option = {};  // MultiPV; empty: a score has no number of its line
  std::string_view ponder_option = {};
  std::string_view own_book_option;       // whether the engine plays from a book
  std::string_view book_file_option;      // which
  std::string_view file_type = "string";  // of options that name a file
  std::span<const GoWord> go_words;

  bool mates_in_moves = false;  // a mate's score counts the winner's moves, not plies
  // Scores are numbers alone, and stand in a line of their own, without time and nodes.
  bool plain_scores = false;
  std::string_view no_move;        // the answer where there is none to play
  std::string_view remark;         // begins a line for the user's eyes
  std::string_view farewell = {};  // answers "quit"
};

// "usi" (shogi's), "uci" (chess's) or "ucci" (xiangqi's); null for another name.
const Protocol* ProtocolNamed(std::string_view name);
std::vector<std::string> ProtocolNames();
// USI, which is meant where nobody has said a name.
const Protocol& DefaultProtocol();

}  // namespace joseki::usi
