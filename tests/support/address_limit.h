#pragma once

#include <sys/resource.h>

namespace joseki::testing {

// While it lives, this process may hold no more than a gibibyte of addresses: there is no memory
// for large tables.
class AddressLimit {
 public:
  // False under a sanitizer of addresses or threads: its shadow alone is larger than the limit, so
  // its next allocation, of whatever size, would end the process.
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
