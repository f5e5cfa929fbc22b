#pragma once

#include <sys/resource.h>

namespace joseki::testing {

// While it lives, this process may hold no more than a gibibyte of addresses: there is no memory
// for large tables.
class AddressLimit {
 public:
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
