#include "engine/shogi/learn/sample.h"

#include <algorithm>
#include <cstring>

#include "base/file.h"
#include "base/status_macros.h"

namespace joseki::learn {
namespace {

void AppendNumber(uint16_t value, std::string& bytes) {
  bytes.push_back(static_cast<char>(value & 0xff));
  bytes.push_back(static_cast<char>(value >> 8));
}

uint16_t NumberAt(std::string_view bytes, size_t at) {
  return static_cast<uint16_t>(static_cast<uint8_t>(bytes[at]) | static_cast<uint8_t>(bytes[at + 1])
                                                                     << 8);
}

}  // namespace

void AppendSample(const Sample& sample, std::string& bytes) {
  for (const uint8_t byte : sample.position.bytes) bytes.push_back(static_cast<char>(byte));
  AppendNumber(static_cast<uint16_t>(sample.score), bytes);
  AppendNumber(sample.move.raw(), bytes);
  AppendNumber(sample.ply, bytes);
  bytes.push_back(static_cast<char>(sample.result));
  bytes.push_back(sample.quiet ? 1 : 0);
}

absl::StatusOr<std::vector<Sample>> ReadSamples(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  std::vector<Sample> samples(text.size() / kSampleBytes);
  for (size_t i = 0; i < samples.size(); ++i) {
    const std::string_view bytes = std::string_view(text).substr(i * kSampleBytes, kSampleBytes);
    Sample& sample = samples[i];
    std::memcpy(sample.position.bytes.data(), bytes.data(), sample.position.bytes.size());
    sample.score = static_cast<int16_t>(NumberAt(bytes, 32));
    sample.move = Move(NumberAt(bytes, 34));
    sample.ply = NumberAt(bytes, 36);
    sample.result = static_cast<int8_t>(bytes[38]);
    sample.quiet = bytes[39] != 0;
  }
  return samples;
}

}  // namespace joseki::learn
