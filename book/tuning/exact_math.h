#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/rng.h"

namespace joseki::book {

// exp and log from additions, multiplications and divisions alone, so that every machine computes
// the same digits. A C library may choose other code on a newer processor, and answers of a book
// must not depend on that. Relative error below 1e-14.

// e^x; x is clamped to [-700, 700].
inline double Exp(double x) {
  constexpr double kInverseLn2 = 1.4426950408889634;
  // Low bits are zero, so the product with k is exact.
  constexpr double kLn2High = 0.69314718036912382;
  constexpr double kLn2Low = 1.9082149292705877e-10;
  x = x < -700 ? -700 : (x > 700 ? 700 : x);
  const auto k = static_cast<int64_t>(x * kInverseLn2 + (x < 0 ? -0.5 : 0.5));
  const double r =
      (x - static_cast<double>(k) * kLn2High) - static_cast<double>(k) * kLn2Low;  // |r| < 0.35
  // Taylor series by Horner's rule: 1 + r (1 + r/2 (1 + r/3 (...))).
  constexpr double kParts[] = {1.0 / 13, 1.0 / 12, 1.0 / 11, 0.1,     1.0 / 9, 0.125, 1.0 / 7,
                               1.0 / 6,  0.2,      0.25,     1.0 / 3, 0.5,     1.0};
  double sum = 1;
  for (const double part : kParts) sum = 1 + sum * (r * part);
  return sum * std::bit_cast<double>(static_cast<uint64_t>(k + 1023) << 52);
}

// ln x. REQUIRES: x > 0 and finite.
inline double Log(double x) {
  constexpr double kLn2 = 0.69314718055994531;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);  // ln m = 2 atanh s, |s| < 0.18
  const double s2 = s * s;
  double sum = 0;
  for (int i = 21; i >= 1; i -= 2) sum = sum * s2 + 1.0 / i;
  return 2 * s * sum + exponent * kLn2;
}

// A standard normal number by Marsaglia's polar method; the second number of the pair is discarded.
inline double Normal(Rng& rng) {
  for (;;) {
    const double u = 2 * rng.Unit() - 1;
    const double v = 2 * rng.Unit() - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * Log(s) / s);
  }
}

}  // namespace joseki::book
