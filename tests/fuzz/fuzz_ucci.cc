#include "tests/fuzz/fuzz_record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  joseki::book::FuzzRecord<joseki::book::XiangqiForm>(joseki::book::ReadUcci, data, size);
  return 0;
}
