#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// Bounds of the protocol, for senders, readers and checks. They are defined here alone;
// proto/joseki/v1/*.proto repeat them beside the fields.
namespace joseki {

// Play.
inline constexpr uint64_t kMaxNodes = 1'000'000'000;  // of a move, and of an evaluation's search
inline constexpr uint32_t kMaxMoveMs = 600'000;
inline constexpr uint32_t kMaxJitterPercent = 90;
inline constexpr uint32_t kMaxGameMoves = 2000;
inline constexpr uint32_t kMaxScore = 32'000;
inline constexpr uint32_t kMaxResignMoves = 100;
inline constexpr uint32_t kMaxReEntryGames = 1'000'000'000;
inline constexpr uint32_t kMaxBookPlies = 500;
inline constexpr double kMaxRange = 1000;  // of BOOK_CHOICE_RANGE
inline constexpr uint32_t kMaxDepth = 1000;

// Runs and matches.
inline constexpr uint64_t kMaxRunGames = 1'000'000'000'000;
inline constexpr uint64_t kMaxRunSeconds = 1'000'000'000;
inline constexpr uint32_t kMaxPairs = 10'000'000;
inline constexpr double kMaxSprtElo = 1000;  // either sign
inline constexpr uint32_t kMaxPriority = 9;
inline constexpr uint32_t kMaxWeight = 1000;
inline constexpr uint32_t kMaxGamesPerList = 100'000;

// Workers and their work.
inline constexpr uint32_t kMaxSlotsPerWorker = 1024;  // and per reply
inline constexpr uint32_t kMaxMemoryMb = 1 << 24;     // for each slot
inline constexpr uint32_t kMaxCores = 1024;           // for each slot
inline constexpr size_t kMaxBeatLeases = 1024;
inline constexpr size_t kMaxLineMoves = kMaxBookPlies;
inline constexpr uint32_t kMaxTrialPlies = 500;
inline constexpr size_t kMaxExcluded = 640;
inline constexpr size_t kMaxGamesPerSubmit = 512;
inline constexpr size_t kMaxSubmitBytes = 1 << 20;
inline constexpr size_t kMaxKnownRuns = 1000;
inline constexpr size_t kMaxUnplayed = 65'536;  // slots of a Leave
inline constexpr size_t kMaxEngines = 32;
inline constexpr size_t kMaxKinds = 16;

// Texts, in bytes.
inline constexpr size_t kMaxNameBytes = 64;      // of workers and ids
inline constexpr size_t kMaxRunNameBytes = 100;  // and of request ids
inline constexpr size_t kMaxEngineNameBytes = 200;
inline constexpr size_t kMaxStartBytes = 200;
inline constexpr size_t kMaxFaultBytes = 500;
inline constexpr size_t kMaxOptions = 100;
inline constexpr size_t kMaxOptionBytes = 1000;
inline constexpr size_t kMaxLabels = 16;
inline constexpr size_t kMaxLabelBytes = 64;

// Names of workers, and of all holders of a certificate.
inline constexpr char kNameWords[] = "1 to 64 of A-Z a-z 0-9 . _ -";
constexpr bool IsName(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNameBytes &&
         text.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
             std::string_view::npos;
}

// Ids of games, engines and policies, and names of labels.
inline constexpr char kIdWords[] = "1 to 64 of a-z 0-9 . _ -";
constexpr bool IsId(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNameBytes &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-") ==
             std::string_view::npos;
}

// The SHA-256 of a weight file as text; empty: any file, or none.
inline constexpr char kSha256Words[] = "nothing, or 64 of 0-9 a-f";
constexpr bool IsSha256OrNone(std::string_view text) {
  return text.empty() || (text.size() == 64 &&
                          text.find_first_not_of("0123456789abcdef") == std::string_view::npos);
}

// Prefix of the fault of an interrupted game whose worker cannot play the run (types.proto).
inline constexpr std::string_view kCannotPlay = "cannot play: ";

}  // namespace joseki
