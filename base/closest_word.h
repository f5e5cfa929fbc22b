#pragma once

#include <span>
#include <string>
#include <string_view>

namespace joseki {

// The candidate that `word` was most likely meant to be: that of the smallest edit distance
// (letters left out, added, changed, or two exchanged) if that is at most a third of the word's,
// the first of equals; else one that begins with the word's three letters or more, or ends with it
// behind a dash
// ("db" of "yaneuraou-db"). Empty: none.
std::string ClosestWord(std::string_view word, std::span<const std::string> candidates);

// "; did you mean CLOSEST?", or nothing.
std::string DidYouMean(std::string_view word, std::span<const std::string> candidates);

}  // namespace joseki
