import fc from 'fast-check';

/** Numbers that no column takes, that JSON can't write, or that overflow in sums. */
export const hostileNumber = fc.oneof(
  fc.constantFrom(
    NaN,
    Infinity,
    -Infinity,
    0.5,
    -1,
    2 ** 31,
    2 ** 53 + 2,
    2 ** 62,
    2 ** 63,
    -(2 ** 63),
    2 ** 64,
    1e21,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
  ),
  fc.double(),
);

/** Text that PostgreSQL can't store, or that means something in arrays, JSON or SQL. */
export const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff',
    'null',
    '{}',
    '","',
    '\\',
    "'; --",
    '\\u0000',
    'a'.repeat(9000),
  ),
  fc.string({ unit: 'binary' }),
);
