#pragma once

#include <span>
#include <string>
#include <string_view>

namespace joseki {

// The candidate that `word` was most likely meant to be; empty: none. The first rule that fits
// counts:
// - the smallest edit distance (letters left out, added, changed, or two exchanged), the first
//   among equals, if it is at most a third of the word's length;
// - a candidate that begins with `word`, of at least three letters;
// - a candidate that ends with "-" and `word`: "yaneuraou-db" for "db".
std::string ClosestWord(std::string_view word, std::span<const std::string> candidates);

// "; did you mean CLOSEST?", or an empty text.
std::string DidYouMean(std::string_view word, std::span<const std::string> candidates);

}  // namespace joseki
