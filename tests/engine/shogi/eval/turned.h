#pragma once

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

namespace joseki::shogi {

inline char OtherColor(char c) {
  const auto u = static_cast<unsigned char>(c);
  return static_cast<char>(std::isupper(u) ? std::tolower(u) : std::toupper(u));
}

// The position with colours exchanged and the board turned.
inline std::string Turned(const std::string& sfen) {
  std::istringstream fields(sfen);
  std::string board, side, hands;
  fields >> board >> side >> hands;
  std::string turned;
  for (size_t i = board.size(); i-- > 0;) {
    if (board[i] == '+') continue;
    if (i > 0 && board[i - 1] == '+') turned += '+';
    turned += OtherColor(board[i]);
  }
  std::transform(hands.begin(), hands.end(), hands.begin(), OtherColor);
  return turned + (side == "b" ? " w " : " b ") + hands + " 1";
}

}  // namespace joseki::shogi
