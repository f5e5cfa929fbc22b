#pragma once

#include <sys/resource.h>

namespace joseki::testing {

// Limits this process to a gibibyte of address space during its lifetime, so that large tables
// cannot be allocated.
class AddressLimit {
 public:
  // False under an address or thread sanitizer: its shadow memory alone exceeds the limit, so any
  // further allocation would end the process.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr bool kLeavesRoom = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  static constexpr bool kLeavesRoom = false;
#else
  static constexpr bool kLeavesRoom = true;
#endif
#else
  static constexpr bool kLeavesRoom = true;
#endif

  AddressLimit() {
    getrlimit(RLIMIT_AS, &before_);
    rlimit less = before_;
    less.rlim_cur = rlim_t{1} << 30;
    setrlimit(RLIMIT_AS, &less);
  }
  ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
  AddressLimit(const AddressLimit&) = delete;
  AddressLimit& operator=(const AddressLimit&) = delete;

 private:
  rlimit before_{};
};

}  // namespace joseki::testing
